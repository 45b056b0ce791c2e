"""The dependency audit's report about the findings of pip-audit."""

import pytest

from deploy import audit

SOUND = {"name": "sound", "version": "1.2", "vulns": []}
WEAK = {"name": "weak", "version": "3.5", "vulns": [{"id": "CVE-2026-7", "fix_versions": ["3.7", "5.0"]}]}
OPEN = {"name": "open", "version": "7", "vulns": [{"id": "CVE-2026-11", "fix_versions": []}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "said", "status"),
    [
        ([SOUND, SOUND], ["0 known vulnerabilities in 2 packages"], 0),
        ([WEAK, SOUND], ["weak 3.5: CVE-2026-7, fixed in 3.7, 5.0", "1 known vulnerabilities in 2 packages"], 1),
        ([OPEN], ["open 7: CVE-2026-11, fixed in no version yet", "1 known vulnerabilities in 1 packages"], 1),
        (
            [UNKNOWN, UNKNOWN, SOUND],
            ["0 known vulnerabilities in 1 packages; 2 packages could not be looked up, so nothing is known of them"],
            0,
        ),
    ],
    ids=["sound", "weak", "open", "unknown"],
)
def test_weaknesses_fail_and_what_is_unknown_is_counted(monkeypatch, capsys, packages, said, status):
    monkeypatch.setattr(audit, "audited", lambda: packages)
    assert audit.main() == status
    assert capsys.readouterr().out.splitlines() == said


def test_no_answer_is_no_clean_bill(monkeypatch):
    monkeypatch.setattr(audit.sys, "executable", "false")
    with pytest.raises(SystemExit, match="pip-audit gave no answer"):
        audit.audited()
