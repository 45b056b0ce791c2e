"""Build the wheel, install it in an empty environment, and use it there: `make package`.

The environment uses the dependencies of the one that runs this script, since downloading torch again would take long.
"""

import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def wheel(folder: Path) -> Path:
    """The wheel of this checkout, built by the hatchling that is installed."""
    _pip("wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder))
    (built,) = folder.glob("*.whl")
    return built


def environment(folder: Path, built: Path) -> Path:
    """The Python of an environment in which nothing is installed but the wheel."""
    venv.create(folder)
    python = folder / "bin" / "python"
    _pip("--python", str(python), "install", "--no-deps", "--no-index", str(built))
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        built = wheel(Path(folder))
        print(f"{built.name}: {built.stat().st_size / 1e6:.2f} MB", flush=True)
        python = environment(Path(folder) / "environment", built)
        # -I keeps this checkout and PYTHONPATH off the path.
        script = (ROOT / "deploy" / "installed.py").read_text(encoding="utf-8")
        return subprocess.run([python, "-I", "-c", script], cwd=folder, check=False).returncode


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
