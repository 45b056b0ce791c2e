"""`attention-app`: start the app that was installed with the package. Its arguments go to Streamlit."""

import importlib.util
import os
import sys
from pathlib import Path

# The folder of `streamlit_app.py`: of the checkout, and of the app in a wheel.
_HOME = Path(__file__).resolve().parents[3]


def main() -> None:
    """Become the server. SystemExit: Streamlit is not installed."""
    if importlib.util.find_spec("streamlit") is None:
        raise SystemExit("The app needs Streamlit: pip install 'attention-step-by-step[app]'")
    # The script is named by its path: Streamlit imports `pages` from its folder, and reads the settings there.
    command = [sys.executable, "-m", "streamlit", "run", str(_HOME / "streamlit_app.py"), *sys.argv[1:]]
    os.execv(sys.executable, command)
