"""nginx with the project's own configuration, before replicas on this machine."""

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.server import ROOT, free_port, started

MISSING = "no nginx (Debian: apt-get install nginx-light)"
_REPLICA = re.compile(r"^( *server )\w+:8501( .*)$\n", flags=re.MULTILINE)


def is_there() -> bool:
    return shutil.which("nginx") is not None


@contextlib.contextmanager
def proxied(folder: Path, replicas: Sequence[str]) -> Iterator[str]:
    """The address of an nginx before replicas with these addresses. folder: an empty one, for nginx's files.

    RuntimeError: nginx is not installed.
    """
    if not is_there():
        raise RuntimeError(MISSING)
    port = free_port()
    (folder / "nginx.conf").write_text(_configured(folder, port, replicas))
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr", "-g", "daemon off;"]
    address = f"http://127.0.0.1:{port}"
    with (folder / "log").open("wb") as log, started(command, address, "/_stcore/health", folder, log) as proxy:
        yield proxy.address


def _configured(folder: Path, port: int, replicas: Sequence[str]) -> str:
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    before, after = _REPLICA.findall(text)[0]
    lines = "".join(f"{before}{replica.removeprefix('http://')}{after}\n" for replica in replicas)
    text = re.sub(r"^    upstream \w+ {\n", lambda found: found[0] + lines, _REPLICA.sub("", text), flags=re.MULTILINE)
    text = text.replace("listen 8080", f"listen 127.0.0.1:{port}")
    if os.geteuid() == 0:
        # Otherwise root's nginx starts its workers as another user, who may have no access to the folder.
        text = "user root;\n" + text
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text = text.replace("http {", f"http {{\n    {kind}_temp_path {folder}/{kind};", 1)
    return text
