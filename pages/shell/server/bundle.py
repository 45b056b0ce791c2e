"""Serve the browser's scripts and styles as one file each, or the sources while the bundle is out of date.

`make bundle` writes the bundle. After a change of a source the browser gets the sources, module by module, until the
next `make bundle`: nothing old is ever sent, and a browser's debugger shows the source.
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.staticfiles import StaticFiles

COMPONENT = Path(__file__).resolve().parent.parent / "component"
SOURCES, BUNDLE = COMPONENT / "browser", COMPONENT / "bundle"
# The sources that import all others.
ENTRIES = ("mounts.js", "alone.js", "styles.css")
_KINDS = frozenset((".js", ".css"))


def signature() -> str:
    """The first line that a bundle of the present sources has."""
    digest = hashlib.sha256()
    for path in sorted(path for path in SOURCES.iterdir() if path.suffix in _KINDS):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return f"/* make bundle: {digest.hexdigest()[:16]} */"


@cache
def is_current() -> bool:
    """Whether the bundle was made of the present sources; this process looks once."""
    wanted = signature().encode()
    files = [BUNDLE / name for name in ENTRIES]
    return all(file.is_file() and file.read_bytes().startswith(wanted) for file in files)


class Scripts(StaticFiles):
    """Static files: only the scripts and styles of the folder."""

    def __init__(self) -> None:
        super().__init__(directory=SOURCES)
        self._bundle = StaticFiles(directory=BUNDLE, check_dir=False)

    def lookup_path(self, path: str):  # type: ignore[no-untyped-def]
        if path in ENTRIES and is_current():
            return self._bundle.lookup_path(path)
        return super().lookup_path(path) if Path(path).suffix in _KINDS else ("", None)
