"""Write scripts and styles as one file each (`make bundle`), which the server sends while the sources are unchanged."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from pages.shell.server.bundle import BUNDLE, ENTRIES, SOURCES, signature  # noqa: E402

# es2022 is the oldest target with everything that the sources use.
OPTIONS = ("--bundle", "--minify", "--format=esm", "--charset=utf8", "--log-level=warning", "--target=es2022")


def write(folder: Path) -> None:
    """The bundle of the sources as they are. FileNotFoundError: `npm ci` has not been run."""
    first = signature()
    banners = [f"--banner:{kind}={first}" for kind in ("js", "css")]
    command = [str(ROOT / "node_modules" / ".bin" / "esbuild"), *ENTRIES, *OPTIONS, *banners, f"--outdir={folder}"]
    subprocess.run(command, cwd=SOURCES, check=True)


if __name__ == "__main__":
    write(BUNDLE)
