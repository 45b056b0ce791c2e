"""The build: a name for the sources of this process, which is the same for two replicas of one version."""

import hashlib
from functools import cache
from pathlib import Path

import attention

# `pages` and the package stand side by side in a checkout, and apart in an installation.
FOLDERS = (Path(attention.__file__).parent, Path(__file__).resolve().parents[2])
# The kinds of files that decide what is on the screen: code, styles, texts, and the weights that ship with the app.
_KINDS = frozenset((".py", ".js", ".css", ".toml", ".npz"))


@cache
def build() -> str:
    """The name of the build, made at the first call."""
    return hashed(FOLDERS)


def hashed(folders: tuple[Path, ...]) -> str:
    """A short hash over the names and the contents of the sources of folders."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _KINDS):
            content = path.read_bytes()
            # The length separates files: otherwise text could move from one file to the next without another hash.
            digest.update(f"{path.relative_to(folder).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:12]
