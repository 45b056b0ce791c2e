"""Start-up of a process: imports that the first visitors would wait for, and process-wide settings."""

import gc
import importlib
import os
import pkgutil
from functools import cache

import torch

import attention
from pages.shell.server import memory

# Objects that are made before the young among them are looked through, 700 if nobody sets it: a page makes thousands,
# and none that is of no use hangs on itself. Then how often for each look at the older ones.
_COLLECTED = 20_000, 10, 10


def load() -> None:
    """Import all that computes, before the server says that it is ready; set torch to one thread, and bound the arenas.

    Parts of torch come with it that take longer than torch itself. A route may compute before the first run of a page.
    """
    memory.bound_arenas()
    torch.set_num_threads(1)
    for module in pkgutil.walk_packages(attention.__path__, "attention."):
        importlib.import_module(module.name)
    importlib.import_module("pandas")


@cache
def settle() -> None:
    """Set the garbage collector as docs/decisions/load.md says."""
    # Each measurement of memory would write two lines into the log of the server.
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTED)
