"""Look up known vulnerabilities of the dependencies, as part of `make audit`. Exit status 1 if there is one.

pip-audit skips packages that it cannot look up, and still succeeds. This script counts them, so that a network without
the advisories is not mistaken for a clean result.
"""

import json
import subprocess
import sys
from typing import Any


def audited() -> list[dict[str, Any]]:
    """Each package of this environment with its `vulns`, or with a `skip_reason`."""
    command = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        raise SystemExit(f"pip-audit gave no answer:\n{done.stderr}") from None
    return packages


def report(packages: list[dict[str, Any]]) -> str:
    """One line for each vulnerability, and how many packages were looked up."""
    lines = [
        f"{one['name']} {one['version']}: {found['id']},"
        f" fixed in {', '.join(found['fix_versions']) or 'no version yet'}"
        for one in packages
        for found in one.get("vulns", ())
    ]
    skipped = sum("skip_reason" in one for one in packages)
    found = f"{len(lines)} known vulnerabilities in {len(packages) - skipped} packages"
    missing = f"; {skipped} packages could not be looked up, so nothing is known of them" if skipped else ""
    return "\n".join([*lines, found + missing])


def main() -> int:
    packages = audited()
    print(report(packages))
    return int(any(one.get("vulns") for one in packages))


if __name__ == "__main__":
    sys.exit(main())
