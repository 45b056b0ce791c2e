"""Start-up of a process: imports that the first visitors would wait for, and process-wide settings."""

import gc
import importlib
import os
import pkgutil
from functools import cache

import torch

import attention
from pages.shell.server import memory

# Thresholds of the garbage collector. The first is raised from the default of 700 new objects, since a run of a page
# makes thousands and leaves no cycles to collect.
_COLLECTED = 20_000, 10, 10


def load() -> None:
    """Import all that computes before the server is ready; set torch to one thread, and bound the arenas.

    The imports bring parts of torch that take longer to load than torch itself, and a route may compute before the
    first run of a page.
    """
    memory.bound_arenas()
    torch.set_num_threads(1)
    for module in pkgutil.walk_packages(attention.__path__, "attention."):
        importlib.import_module(module.name)
    importlib.import_module("pandas")


@cache
def settle() -> None:
    """Set the garbage collector as docs/decisions/load.md says."""
    # Otherwise each measurement of memory writes two lines into the log of the server.
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED)
