"""The dependencies of the app, with their licences: part of `make audit`.

Exit status 1 if a licence is unknown, or does not allow distributing the app under MIT. Writes `bom.json`, a bill of
materials in CycloneDX 1.6: the packages of requirements.txt and everything that they need, as installed. The packages
of requirements-models.txt are included where they are installed.
"""

import json
import re
import sys
from collections import Counter
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "bom.json"
# Contents of licence fields that name no licence.
_EMPTY = {"", "UNKNOWN", "Dual License", "License :: OSI Approved"}


@dataclass(frozen=True)
class Part:
    """An installed distribution; needs: the names of its dependencies."""

    name: str
    version: str
    licence: str
    needs: tuple[str, ...]


def named(file: Path) -> list[str]:
    """The packages in a file of requirements that this machine needs."""
    lines = (line.partition(" #")[0].split(" \\")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    asked = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return [one.name for one in asked if one.marker is None or one.marker.evaluate()]


def parts(names: list[str]) -> list[Part]:
    """The packages and all their dependencies. PackageNotFoundError: one of the named packages is not installed."""
    found: dict[str, Part] = {}
    open_ = list(names)
    while open_:
        name = canonicalize_name(open_.pop())
        if name in found:
            continue
        try:
            one = distribution(name)
        except PackageNotFoundError:
            if name in map(canonicalize_name, names):
                raise
            # A CUDA dependency of torch, on a machine without CUDA.
            continue
        needs = tuple(sorted(_needs(one)))
        found[name] = Part(name, one.version, licence(one), needs)
        open_ += needs
    here = {name: found[name] for name in sorted(found)}
    return [Part(p.name, p.version, p.licence, tuple(n for n in p.needs if n in here)) for p in here.values()]


def _needs(one: Distribution) -> set[str]:
    asked = map(Requirement, one.requires or ())
    return {canonicalize_name(r.name) for r in asked if r.marker is None or r.marker.evaluate({"extra": ""})}


def licence(one: Distribution) -> str:
    """The licence in the metadata of a distribution: an expression, else a short text, else its classifiers."""
    if expression := one.metadata.get("License-Expression"):
        return str(expression)
    text = str(one.metadata.get("License") or "").strip()
    if text not in _EMPTY and "\n" not in text and len(text) < 60:
        return text
    classified = [
        line.rpartition(" :: ")[2]
        for line in one.metadata.get_all("Classifier") or ()
        if line.startswith("License") and line not in _EMPTY
    ]
    return " or ".join(classified)


def bill(made_of: list[Part]) -> dict[str, object]:
    """The bill of materials in the format of CycloneDX."""
    version = re.findall(r'__version__ = "(.+)"', (ROOT / "attention" / "__init__.py").read_text(encoding="utf-8"))[0]
    whole = {"type": "application", "bom-ref": "app", "name": "attention-step-by-step", "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": whole | {"licenses": [{"license": {"id": "MIT"}}]}},
        "components": [
            {
                "type": "library",
                "bom-ref": one.name,
                "name": one.name,
                "version": one.version,
                "purl": f"pkg:pypi/{one.name}@{one.version}",
                "licenses": [{"license": {"name": one.licence}}] if one.licence else [],
            }
            for one in made_of
        ],
        "dependencies": [{"ref": one.name, "dependsOn": list(one.needs)} for one in made_of],
    }


def main() -> int:
    names = named(ROOT / "requirements.txt")
    try:
        made_of = parts([*names, *named(ROOT / "requirements-models.txt")])
    except PackageNotFoundError:
        made_of = parts(names)
    FILE.write_text(json.dumps(bill(made_of), indent=1) + "\n", encoding="utf-8")
    for text, count in Counter(one.licence or "unknown" for one in made_of).most_common():
        print(f"{count:3} {text}: {', '.join(one.name for one in made_of if (one.licence or 'unknown') == text)}")
    unknown = [one.name for one in made_of if not one.licence]
    binding = [one.name for one in made_of if "GPL" in one.licence]
    print(f"{len(made_of)} packages in {FILE.name}; without a stated licence: {', '.join(unknown) or 'none'};")
    print(f"under a licence that binds the software that uses them: {', '.join(binding) or 'none'}")
    return int(bool(unknown or binding))


if __name__ == "__main__":
    sys.exit(main())
