"""What the files of a screen cost: `python -m benchmarks.takeaway`.

Bytes and milliseconds of each file of the walkthrough, at its default, at the largest settings that benchmarks.latency
moves a slider at, and at the largest d_k and d_v on top of them, on one thread; then the time to run the script.
"""

import contextlib
import io
import logging
import time
from dataclasses import replace

import torch

from pages.shell.exports.downloads import FILES, made
from pages.shell.runs.run import run
from pages.shell.state.config import Config

TEXT = "\n".join(" ".join(f"w{sentence}{token}" for token in range(64)) for sentence in range(8))
LARGEST = Config(preset="random", d_model="512", heads=16, text=TEXT, dropout=0.1)
SCREENS = {
    "default": Config(),
    "random": Config(preset="random"),
    "largest": LARGEST,
    "largest, d_k = d_v = 512": replace(LARGEST, d_k="512", d_v="512", bias=True),
}


def report(config: Config) -> None:
    shown = run(config)
    for kind, file in FILES.items():
        started = time.perf_counter()
        content = file.make(shown, "en", "")
        taken = time.perf_counter() - started
        size = len(content.encode() if isinstance(content, str) else content)
        print(f"  {kind:<10} {size:14,} bytes {1e3 * taken:10.1f} ms")
    code = compile(made("script", config, "en"), "script.py", "exec")
    started = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, {})
    print(f"  running the script {1e3 * (time.perf_counter() - started):25.1f} ms")


def main() -> None:
    # Streamlit's caches remark that no browser is there.
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    for name, config in SCREENS.items():
        print(name)
        report(config)


if __name__ == "__main__":
    main()
