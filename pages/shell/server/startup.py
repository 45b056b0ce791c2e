"""Start-up of a process: imports that the first visitors would wait for, and process-wide settings."""

import gc
import importlib
import os
import pkgutil
from functools import cache

import torch

import attention
from pages.shell.server.patches import (
    callback_runs,
    forged_messages,
    message_batching,
    unchanged_rows,
    widget_lookup,
)


def load() -> None:
    """Import all that computes, before the server says that it is ready.

    Parts of torch come with it that take longer than torch itself.
    """
    for module in pkgutil.walk_packages(attention.__path__, "attention."):
        importlib.import_module(module.name)
    importlib.import_module("pandas")


@cache
def settle() -> None:
    """Set torch to one thread, freeze what is loaded for the collector (docs/decisions/load.md), install patches."""
    torch.set_num_threads(1)
    # Each measurement of memory would write two lines into the log of the server.
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    gc.collect()
    gc.freeze()
    forged_messages.install()
    widget_lookup.install()
    message_batching.install()
    callback_runs.install()
    unchanged_rows.install()
