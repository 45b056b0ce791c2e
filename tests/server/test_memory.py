"""Free memory returns to the system. The test has a process of its own, since it would measure others' memory, too."""

import subprocess
import sys

import pytest

from pages.shell.server.memory import Returning

# Blocks on the heap, where the last one keeps the freed ones before it from returning by themselves.
HOLES = """
from pathlib import Path
from pages.shell.server import memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1])

memory.bound_arenas()
blocks = [bytearray(b"x" * 65_537) for _ in range(1009)]
full = resident()
del blocks[:-1]
before = resident()
assert memory.Returning().give_back()
print(full, before, resident())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how much memory is resident")
def test_what_is_free_between_blocks_in_use_goes_back():
    said = subprocess.run([sys.executable, "-c", HOLES], capture_output=True, text=True, check=True, timeout=60)
    full, before, after = map(int, said.stdout.split())
    freed = 1008 * 65_537 / 4096
    assert full - before < freed / 2, "the C library gives it back by itself: this module is of no use"
    assert before - after > freed / 2


def test_it_is_given_back_once_in_a_while():
    at = 11.0
    memory = Returning(every=3, now=lambda: at)
    assert [memory.give_back(), memory.give_back()] == [True, False]
    at = 13.9
    assert not memory.give_back()
    at = 14.0
    assert memory.give_back()


def test_another_c_library_is_no_error(monkeypatch):
    monkeypatch.setattr("ctypes.CDLL", lambda _: object())
    assert Returning().give_back()
