"""Look once a second whether somebody has edited the configuration of the server.

Streamlit 1.67 looks five times a second at each of its files, whether they are there or not: 4 ms of a processor per
second, in threads that take the interpreter from the runs.
"""

from streamlit.watcher import polling_path_watcher

SECONDS = 1.0


def install() -> None:
    """Set the time between two looks, in this process."""
    polling_path_watcher._POLLING_PERIOD_SECS = SECONDS  # type: ignore[misc]
