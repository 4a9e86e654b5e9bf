"""Settings come from the environment, what makes no sense is refused, and the key is made once and kept."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper import paths
from scorekeeper.app import create_app
from scorekeeper.config import BadSetting, load_or_create_secret_key, read_settings
from scorekeeper.database.engine import db
from scorekeeper.paths import CHECKOUT, instance_folder
from scorekeeper.server.network import base_url, lan_address


def test_without_settings_it_serves_the_whole_network() -> None:
    settings = read_settings({})

    assert (settings.host, settings.port, settings.public_url) == ("0.0.0.0", 8000, "")
    assert settings.database_url == f"sqlite:///{CHECKOUT / 'instance' / 'scorekeeper.sqlite3'}"


MADE = {
    "HOST": ("127.0.0.1", "127.0.0.1"),
    "PORT": ("9000", 9000),
    "DATABASE_URL": ("postgresql://club@db/pitch", "postgresql+psycopg://club@db/pitch"),
    "INSTANCE": ("/srv/pitch", Path("/srv/pitch")),
    "PUBLIC_URL": ("https://pitch.example/", "https://pitch.example"),
    "MDNS": ("off", False),
    "CLUB": ("on", True),
    "NAMES": ("Pitch.example., club.example,", ("pitch.example", "club.example")),
    "SECRET_KEY": ("k" * 40, "k" * 40),
    "METRICS_PORT": ("9150", 9150),
    "LOG": ("on", True),
    "CONTACT": ("host@club.example", "host@club.example"),
    "KEEP_UNUSED": ("90", 90),
    "MATCHES_AN_HOUR": ("100", 100),
    "PRINTS_AN_HOUR": ("60", 60),
    "IMPORTS_AN_HOUR": ("20", 20),
}


def test_every_setting_can_be_made() -> None:
    settings = read_settings({f"SCOREKEEPER_{name}": value for name, (value, _) in MADE.items()})

    assert {name: getattr(settings, name.lower()) for name in MADE} == {name: read for name, (_, read) in MADE.items()}


@pytest.mark.parametrize("name", [*MADE, "PROXY", "CONTAINER"])
def test_an_empty_variable_is_one_that_is_not_there(name: str) -> None:
    assert read_settings({f"SCOREKEEPER_{name}": ""}) == read_settings({})


WRONG = {
    "NAMES": "pitch.example:8000 https://pitch.example",
    "PORT": f"eight -1 70000 ² {'9' * 5000}",
    "DATABASE_URL": "mysql://db/pitch scorekeeper.sqlite3 sqlite:// sqlite:/// sqlite://// sqlite:///:memory:"
    f" sqlite://pitch.sqlite3 postgresql://{'x' * 70}/pitch postgresql://\udcff/pitch",
    "MDNS": "maybe",
    "LOG": "all",
    "CONTACT": "us javascript:alert(1) https://[ a@b.example?cc=c",
    "KEEP_UNUSED": "year 0 29 36501",
    "MATCHES_AN_HOUR": "many",
    "PRINTS_AN_HOUR": "-1",
    "IMPORTS_AN_HOUR": "1000000",
    "METRICS_PORT": "on 70000",
    "CONTAINER": "maybe",
    "PUBLIC_URL": "pitch.example ftp://pitch.example https://pitch.example?x=1 https://[ https://a:99999x https://:8000",
    "PROXY": "caddy 10.0.0.1/8",
    "SECRET_KEY": "no-UTF-8:\udcff",
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name].split()])
def test_a_setting_that_makes_no_sense_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"SCOREKEEPER_{name}"):
        read_settings({f"SCOREKEEPER_{name}": value})


def test_metrics_without_their_package_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.config.find_spec", lambda _name: None)

    assert read_settings({"SCOREKEEPER_METRICS_PORT": "0"}).metrics_port == 0
    with pytest.raises(BadSetting, match=r"pip install prometheus-client\."):
        read_settings({"SCOREKEEPER_METRICS_PORT": "9150"})


@pytest.mark.parametrize(
    "url", ["sqlite:///{}/x?timeout=soon", "postgresql://127.0.0.1/x?port=a", "postgresql://127.0.0.1/x?color=green"]
)
def test_an_option_that_no_database_has_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadSetting, match=r"Leave out what follows its “[?]”"):
        create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_DATABASE_URL": url.format(tmp_path)})


def test_an_option_that_postgresql_has_is_taken(tmp_path: Path) -> None:
    url = "postgresql://club@127.0.0.1:1/x?sslmode=prefer&connect_timeout=5"

    create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_DATABASE_URL": url})


@pytest.mark.parametrize("name", ["", "folder", "loop", os.devnull, "\udcff", "%00", "x" * 300, "d/" * 3000])
def test_what_is_no_file_is_no_database(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")

    with pytest.raises(BadSetting, match="Set SCOREKEEPER_DATABASE_URL to sqlite:///file"):
        create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_DATABASE_URL": f"sqlite:///{tmp_path / name}"})


def test_the_environment_is_read_when_an_app_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_PORT", "8123")

    app = create_app()

    assert app.config["PORT"] == 8123
    assert app.instance_path == str(tmp_path)


def test_an_installed_package_keeps_its_things_with_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "IS_INSTALLED", True)
    monkeypatch.setenv("HOME", "/home/ann")

    assert instance_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/scorekeeper")
    assert instance_folder({}) == Path("/home/ann/.local/share/scorekeeper")


def test_the_key_is_made_once_for_each_installation(tmp_path: Path) -> None:
    first, again, other = (load_or_create_secret_key(tmp_path / name) for name in ("new", "new", "other"))

    assert first == again != other
    assert len(first) == 64


def test_nobody_else_may_read_the_key(tmp_path: Path) -> None:
    load_or_create_secret_key(tmp_path)

    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


def test_all_that_start_at_once_get_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_or_create_secret_key, [tmp_path] * 32))

    assert len(keys) == 1


def test_a_key_cut_short_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("abc\n")

    with pytest.raises(BadSetting, match="too short"):
        load_or_create_secret_key(tmp_path)


def test_a_key_that_is_no_plain_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_bytes("ключ".encode() * 10)

    with pytest.raises(BadSetting, match=r"is no secret key\. Remove it"):
        load_or_create_secret_key(tmp_path)


def test_a_key_from_the_environment_is_not_written_down(tmp_path: Path) -> None:
    app = create_app({"SCOREKEEPER_INSTANCE": tmp_path / "new", "SCOREKEEPER_SECRET_KEY": "k" * 40})

    assert app.secret_key == "k" * 40
    assert not (tmp_path / "new" / "secret-key").exists()


@pytest.mark.parametrize(
    ("pragma", "value"), [("foreign_keys", 1), ("journal_mode", "wal"), ("synchronous", 2), ("busy_timeout", 5000)]
)
def test_a_file_database_loses_nothing(app: Flask, pragma: str, value: object) -> None:
    with app.app_context():
        assert db.session.execute(sa.text(f"PRAGMA {pragma}")).scalar() == value


@pytest.mark.parametrize(
    ("host", "port", "public_url", "address"),
    [
        ("192.168.1.5", 8000, "", "http://192.168.1.5:8000"),
        ("192.168.1.5", 80, "", "http://192.168.1.5"),
        ("fd00::5", 8000, "", "http://[fd00::5]:8000"),
        ("0.0.0.0", 8000, "https://pitch.example", "https://pitch.example"),
    ],
)
def test_phones_are_told_the_right_address(host: str, port: int, public_url: str, address: str) -> None:
    assert base_url(host, port, public_url) == address


def test_a_server_for_all_addresses_names_one() -> None:
    assert base_url("0.0.0.0", 8000) == f"http://{lan_address()}:8000"
