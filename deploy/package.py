"""Build the wheel, install it in an empty environment, and use it there: `make package`.

The dependencies of the wheel include torch, so they are not downloaded again, but lent by the environment that runs
this.
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
    """The Python of an environment that has nothing of its own but the wheel."""
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
        # -I: neither this checkout nor anything that the shell names is on its path.
        script = (ROOT / "deploy" / "installed.py").read_text(encoding="utf-8")
        return subprocess.run([python, "-I", "-c", script], cwd=folder, check=False).returncode


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], check=True)


if __name__ == "__main__":
    sys.exit(main())
