"""The configuration is looked at as seldom as is said."""

from streamlit.watcher import polling_path_watcher

from pages.shell.server.patches import polls


def test_a_look_waits_for_the_time_that_is_said(monkeypatch):
    monkeypatch.setattr(polling_path_watcher, "_POLLING_PERIOD_SECS", polling_path_watcher._POLLING_PERIOD_SECS)
    waited: list[float] = []
    monkeypatch.setattr(polling_path_watcher.time, "sleep", waited.append)
    monkeypatch.setattr(polling_path_watcher.PollingPathWatcher, "_check_if_path_changed", lambda watcher: None)
    monkeypatch.setattr(polling_path_watcher.PollingPathWatcher._executor, "submit", lambda task: task())
    polls.install()
    polling_path_watcher.PollingPathWatcher(__file__, lambda path: None)
    assert waited == [polls.SECONDS]
