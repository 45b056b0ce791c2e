"""All processes of a test run share a server, which ends with the last of them, also when they are killed."""

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.shared_server import ROOT, used

STARTED_BY = "tests.repository.stand_in:served"
# The code runs without the package of the module, which imports torch.
USER = f"""
import sys
from pathlib import Path
sys.path.append("tests/support")
from shared_server import used
with used(Path(sys.argv[1]), {STARTED_BY!r}) as address:
    print(address, flush=True)
    sys.stdin.read()
"""


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text().splitlines())


def until(condition) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def user(tmp_path):
    """A function that starts a process, which uses the server until it is told to stop."""
    command = [sys.executable, "-c", USER, str(tmp_path)]
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(
            subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )


def test_all_processes_have_the_same_server(tmp_path, user):
    users = [user() for _ in range(3)]
    assert len({one.stdout.readline() for one in users}) == 1
    users[0].communicate()
    assert (tmp_path / "up").exists()
    for one in users[1:]:
        one.communicate()
    until(lambda: not (tmp_path / "up").exists())
    assert starts(tmp_path) == 1


def test_it_ends_with_its_users_when_they_are_killed(tmp_path, user):
    first, second = user(), user()
    assert first.stdout.readline() == second.stdout.readline()
    # The process that started the server may end first.
    for one in (first, second):
        assert (tmp_path / "up").exists()
        one.kill()
        one.wait()
    until(lambda: not (tmp_path / "up").exists())


def test_who_comes_when_it_has_ended_or_is_about_to_gets_another(tmp_path):
    addresses = []
    for _ in range(3):
        with used(tmp_path, STARTED_BY) as address:
            assert (tmp_path / "up").exists()
            addresses.append(address)
    assert 1 <= len(set(addresses)) == starts(tmp_path)
    until(lambda: not (tmp_path / "up").exists())
    with used(tmp_path, STARTED_BY) as address:
        assert address not in addresses


def test_what_keeps_it_from_starting_is_said(tmp_path):
    with (
        pytest.raises(RuntimeError, match="no port is free"),
        used(tmp_path, "tests.repository.stand_in:failing"),
    ):
        pass
