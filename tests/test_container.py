"""What a container is built from, and how it is started; nothing is built here, since that takes a network."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from copy import copy
from itertools import pairwise
from typing import Any

import pytest
import yaml
from flask import Flask

from scorekeeper.commands.installation import serve_command
from scorekeeper.config import read_settings
from scorekeeper.paths import CHECKOUT
from tests.common.apps import serving
from tests.server.test_serve import free_port
from tests.test_run import settings_read

FILES = ("Containerfile", "compose.yaml", "Caddyfile", ".dockerignore")
TEXTS = {name: (CHECKOUT / name).read_text(encoding="utf-8") for name in FILES}
BUILD, _, IMAGE = (TEXTS["Containerfile"].replace("\\\n", "")).rpartition("\nFROM ")
COPIED = [name for line in re.findall(r"^COPY (?!--)(.+) \S+$", BUILD, flags=re.MULTILINE) for name in line.split()]
SERVICES: Mapping[str, Any] = yaml.safe_load(TEXTS["compose.yaml"])["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "scorekeeper"}


def value(text: str, **given: str) -> str:
    """Return a value of the compose file, with what is given or else the default in place of each variable."""
    return re.sub(r"\$\{(\w+):-(.*?)\}", lambda found: given.get(found[1], found[2]), text)


def test_everything_that_is_copied_is_there_and_nothing_else_is_sent() -> None:
    first, *others = [line for line in TEXTS[".dockerignore"].splitlines() if not line.startswith("#")]

    assert not [name for name in COPIED if not (CHECKOUT / name).exists()]
    assert first == "*"
    assert sorted(others) == sorted([*(f"!{name}" for name in COPIED), "**/__pycache__"])


@pytest.mark.parametrize("name", FILES)
def test_no_file_names_a_place_to_install_from_or_a_setting_that_is_not_there(name: str) -> None:
    assert not re.search(r"https?://|index-url|extra-index|sources\.list", TEXTS[name])
    assert set(re.findall(r"SCOREKEEPER_[A-Z_]+", TEXTS[name])) <= settings_read()


def test_what_runs_is_no_root_and_has_nothing_that_builds() -> None:
    assert re.search(r"^USER 1000:1000$", IMAGE, flags=re.MULTILINE)
    assert "pip" not in IMAGE
    assert "install -y" not in IMAGE
    assert re.search(r"SCOREKEEPER_INSTANCE=(\S+)", IMAGE)[1] == re.search(r"^VOLUME (\S+)$", IMAGE, re.MULTILINE)[1]  # type: ignore[index]


def commands() -> Iterator[list[str]]:
    """Return the command of the image, and that of each service with one of its own."""
    yield json.loads(re.search(r"^CMD (.*)$", IMAGE, flags=re.MULTILINE)[1])  # type: ignore[index]
    for service in OURS.values():
        if "command" in service:
            yield [value(word) for word in service["command"]]


def test_every_command_is_one_of_ours() -> None:
    for name, *options in commands():
        assert name == "serve"
        # A copy: the command would keep the help option that it has outside of `scorekeeper`.
        assert copy(serve_command).make_context(name, options).params["migrates"]


def test_one_service_needs_no_profile_and_each_of_ours_writes_only_where_it_may() -> None:
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["scorekeeper"]
    for service in OURS.values():
        assert (service["read_only"], service["tmpfs"], service["volumes"]) == (True, ["/tmp"], ["data:/data"])
    assert "ports" not in SERVICES["club"]


def test_each_of_ours_takes_the_settings_of_a_public_server_that_do_something_in_a_container() -> None:
    hosting = (CHECKOUT / "docs" / "hosting.md").read_text(encoding="utf-8")
    public = {*re.findall(r"^(SCOREKEEPER_\w+)=", hosting, flags=re.MULTILINE)}
    taken = public - {"SCOREKEEPER_HOST", "SCOREKEEPER_METRICS_PORT"} | {"SCOREKEEPER_LOG"}

    assert len(taken) == 7
    for service in OURS.values():
        assert {name: f"${{{name}:-}}" for name in taken}.items() <= service["environment"].items()


@pytest.mark.parametrize("given", [{}, {"SCOREKEEPER_PUBLIC_URL": "https://pitch.example", "POSTGRES_PASSWORD": "x"}])
@pytest.mark.parametrize("name", OURS)
def test_the_settings_of_a_service_can_be_read(name: str, given: dict[str, str]) -> None:
    environ = {setting: value(text, **given) for setting, text in OURS[name]["environment"].items()}

    settings = read_settings(environ)

    assert settings.public_url == given.get("SCOREKEEPER_PUBLIC_URL", "")
    assert settings.database_url.startswith("postgresql" if name == "club" else "sqlite")


def test_caddy_logs_no_path_and_asks_again_as_the_pages_say() -> None:
    documented = "".join((CHECKOUT / "docs" / name).read_text(encoding="utf-8") for name in ("hosting.md", "club.md"))
    of_logs, of_site = (block.split() for block in re.split(r"\n\n(?=\{\$)", TEXTS["Caddyfile"].partition("\n")[2]))

    assert {("request>uri", "delete"), ("request>headers", "delete"), ("resp_headers", "delete")} <= {
        *pairwise(of_logs)
    }
    assert " ".join(of_logs) in " ".join(documented.split())
    assert " ".join(of_site[1:]).replace("club:", "127.0.0.1:") in " ".join(documented.split())


def health(port: int) -> int:
    """Run the health check of the image, and return its exit status."""
    python, *words = json.loads(re.search(r"^HEALTHCHECK .*? CMD (.*)$", IMAGE, flags=re.MULTILINE)[1])  # type: ignore[index]
    assert python == "python3"
    environ = {"SCOREKEEPER_PORT": str(port)}
    return subprocess.run([sys.executable, *words], env=environ, stderr=subprocess.DEVNULL, check=False).returncode


@pytest.mark.parametrize("status", [200, 503])
def test_the_image_is_well_as_long_as_the_server_says_so(status: int) -> None:
    app = Flask("well or not")
    app.add_url_rule("/healthz", view_func=lambda: ("", status))

    with serving(app) as url:
        assert health(int(url.rpartition(":")[2])) == (status != 200)


def test_the_image_is_not_well_where_nobody_answers() -> None:
    assert health(free_port()) == 1
