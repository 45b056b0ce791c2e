"""What the first visitors would wait for: loaded while the server starts, before it says that it is ready."""

import importlib
import pkgutil

import attention


def load() -> None:
    """Import all that computes; parts of torch come with it that take longer than torch itself."""
    for module in pkgutil.iter_modules(attention.__path__):
        importlib.import_module(f"attention.{module.name}")
    importlib.import_module("pandas")
