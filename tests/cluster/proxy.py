"""nginx from Debian, set up by docs/club.md."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scorekeeper.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "club.md"
FLOOR = "/floor"
"""What nginx answers by itself."""
_NEEDED = "client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;"


_MOST = 16_000
"""Connections, which are files as well."""


def find_nginx() -> str | None:
    """Return where nginx is, which lies where only root looks."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def config_of(page: str, port: int, server: int) -> str:
    """Return the configuration of the page on these ports, and without its certificate."""
    [recipe] = re.findall(r"^```\n(upstream pitch .*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    plain = re.sub(r"^ *ssl_.*\n", "", recipe, flags=re.MULTILINE)
    plain = plain.replace("127.0.0.1:8000", f"127.0.0.1:{server}").replace("443 ssl", f"127.0.0.1:{port}")
    plain = plain.replace("location / {", f"location = {FLOOR} {{ return 204; }}\n    location / {{")
    user = "user root;" if os.geteuid() == 0 else ""
    events = f"worker_rlimit_nofile {_MOST}; events {{ worker_connections {_MOST}; }}"
    return f"{user} pid nginx.pid; error_log error.log; {events} http {{ access_log off; {_NEEDED}\n{plain} }}"


@contextmanager
def running_proxy(folder: Path, port: int, server: int) -> Iterator[int]:
    """Run nginx on a port, before a server on another, and yield its process."""
    nginx = find_nginx()
    assert nginx
    (folder / "nginx.conf").write_text(config_of(PAGE.read_text(encoding="utf-8"), port, server))
    command = [nginx, "-p", str(folder), "-c", "nginx.conf", "-g", "daemon off;"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)
