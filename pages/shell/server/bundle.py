"""Scripts and styles of the browser as one file each, where they are those of the sources; else the sources themselves.

`make bundle` writes them. Whoever changes a source gets it from then on as it stands, module by module, until the next
`make bundle`: nothing that is old is ever sent, and what is looked at in a browser's debugger is the source.
"""

import hashlib
from functools import cache
from pathlib import Path

from starlette.staticfiles import StaticFiles

COMPONENT = Path(__file__).resolve().parent.parent / "component"
SOURCES, BUNDLE = COMPONENT / "browser", COMPONENT / "bundle"
# The sources that bring all others with them.
ENTRIES = ("mounts.js", "alone.js", "styles.css")
_KINDS = frozenset((".js", ".css"))


def signature() -> str:
    """The first line of a bundle of the sources as they are."""
    digest = hashlib.sha256()
    for path in sorted(path for path in SOURCES.iterdir() if path.suffix in _KINDS):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return f"/* make bundle: {digest.hexdigest()[:16]} */"


@cache
def is_current() -> bool:
    """Whether the bundle is that of the sources, as this process found them."""
    wanted = signature().encode()
    files = [BUNDLE / name for name in ENTRIES]
    return all(file.is_file() and file.read_bytes().startswith(wanted) for file in files)


class Scripts(StaticFiles):
    """Static files: scripts and styles, and nothing else that stands beside them."""

    def __init__(self) -> None:
        super().__init__(directory=SOURCES)
        self._bundle = StaticFiles(directory=BUNDLE, check_dir=False)

    def lookup_path(self, path: str):  # type: ignore[no-untyped-def]
        if path in ENTRIES and is_current():
            return self._bundle.lookup_path(path)
        return super().lookup_path(path) if Path(path).suffix in _KINDS else ("", None)
