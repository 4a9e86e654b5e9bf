"""The logs of a proxy that is set up by docs/hosting.md: nothing in them opens a match."""

import os
import re
import subprocess
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from scorekeeper.paths import CHECKOUT
from tests.cluster.proxy import find_nginx
from tests.server.test_serve import PATIENCE, free_port

PAGE = CHECKOUT / "docs" / "hosting.md"
_FOLDERS = "client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;"


def config_of(page: str, folder: Path, port: int) -> str:
    """Return the configuration of the page, before a server that is not there."""
    [recipe] = re.findall(r"^```\n(log_format .*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    above, *inside = recipe.replace("/var/log/nginx", str(folder)).splitlines()
    server = "\n".join((f"listen 127.0.0.1:{port};", *inside, "location / { proxy_pass http://127.0.0.1:1; }"))
    user = "user root;" if os.geteuid() == 0 else ""
    return f"{user} pid nginx.pid; events {{}} http {{ {_FOLDERS}\n{above}\nserver {{ {server} }} }}"


def status_of(address: str) -> int:
    """Send a request as soon as somebody listens, and return the status of the response."""
    request = Request(address, headers={"Referer": "http://127.0.0.1/matches/secret-before/"})
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return int(urlopen(request, timeout=PATIENCE).status)
        except HTTPError as error:
            return error.code
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_nginx_logs_no_path_and_no_query_also_where_a_request_fails(tmp_path: Path) -> None:
    if not (nginx := find_nginx()):
        pytest.skip("nginx is missing")
    port = free_port()
    (tmp_path / "nginx.conf").write_text(config_of(PAGE.read_text(encoding="utf-8"), tmp_path, port))
    command = [nginx, "-p", str(tmp_path), "-c", "nginx.conf", "-e", str(tmp_path / "start.log"), "-g", "daemon off;"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        status = status_of(f"http://127.0.0.1:{port}/matches/secret-code/?key=secret-query")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)

    logs = {log.name: log.read_text() for log in tmp_path.glob("*.log")}
    assert status == 502
    assert " GET 502 " in logs["pitch.log"]
    assert [name for name, log in logs.items() if "secret" in log] == []
