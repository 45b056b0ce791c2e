"""The bill of materials: the named packages, and all that they need."""

import json
from email.message import Message
from types import SimpleNamespace

import pytest

from deploy import materials


def of(**fields: object) -> SimpleNamespace:
    """A distribution with these fields in its metadata."""
    said = Message()
    for name, value in fields.items():
        for one in value if isinstance(value, list) else [value]:
            said[name.replace("_", "-")] = one
    return SimpleNamespace(metadata=said)


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ({"License_Expression": "MIT", "License": "other"}, "MIT"),
        ({"License": "BSD-3-Clause"}, "BSD-3-Clause"),
        ({"License": "a whole\nlicence", "Classifier": ["License :: OSI Approved :: MIT License"]}, "MIT License"),
        ({"Classifier": ["License :: A", "Topic :: B", "License :: C"]}, "A or C"),
        ({"License": "UNKNOWN", "Classifier": ["License :: OSI Approved"]}, ""),
    ],
    ids=["expression", "short", "classifier", "several", "none"],
)
def test_a_licence_is_what_a_package_says_of_itself(fields, licence):
    assert materials.licence(of(**fields)) == licence


def test_all_that_is_needed_is_in_the_bill(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(materials, "FILE", tmp_path / "bom.json")
    assert materials.main() == 0
    bill = json.loads((tmp_path / "bom.json").read_text(encoding="utf-8"))
    parts = {one["name"]: one for one in bill["components"]}
    assert set(materials.named(materials.ROOT / "requirements.txt")) <= set(parts)
    assert all(set(one["dependsOn"]) <= set(parts) for one in bill["dependencies"])
    # The needs of Streamlit, and the needs of those.
    assert {"altair", "jinja2", "markupsafe"} <= set(parts)
    assert f"{len(parts)} packages in bom.json" in capsys.readouterr().out


@pytest.mark.parametrize("licence", ["", "GPL-3.0-only"], ids=["unknown", "binding"])
def test_a_licence_that_is_unknown_or_binding_fails(monkeypatch, tmp_path, licence):
    monkeypatch.setattr(materials, "FILE", tmp_path / "bom.json")
    monkeypatch.setattr(materials, "parts", lambda _: [materials.Part("odd", "1", licence, ())])
    assert materials.main() == 1
