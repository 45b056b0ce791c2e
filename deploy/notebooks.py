"""Execute the notebooks of docs/ and write their output into them, as part of `make docs`.

A cell prints its results as text, so a notebook runs without Jupyter, and a test can compare its output.
"""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs"


def executed(path: Path) -> dict[str, Any]:
    """The notebook of a file with the outputs of its code cells, run from the first to the last in one namespace."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for count, cell in enumerate(code, 1):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"{path.name}, cell {count}", "exec"), names)
        lines = printed.getvalue().splitlines(keepends=True)
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": lines}] if lines else []
        cell["execution_count"] = count
    return notebook


def main() -> int:
    for path in sorted(FOLDER.glob("*.ipynb")):
        text = json.dumps(executed(path), indent=1, ensure_ascii=False)
        path.write_text(f"{text}\n", encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
