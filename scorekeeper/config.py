"""The settings of an installation, read from the environment when an app is made."""

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from time import sleep
from typing import TypeVar
from urllib.parse import urlsplit

from scorekeeper import OperatorError
from scorekeeper.operating_system import create_private_file
from scorekeeper.paths import instance_folder

T = TypeVar("T")

DATABASE_FILE = "scorekeeper.sqlite3"
"""The default name of the file of the SQLite database; it is in the instance folder."""
SECRET_KEY_FILE_NAME = "secret-key"
"""The name of the file of the secret key in the instance folder. It is not read if the setting `secret_key` is set."""
MAX_BODY_BYTES = 8 * 1024 * 1024
"""The most bytes in a request's body: enough for the file of a book of many years."""
MAX_FORM_BYTES = 128 * 1024
"""The most bytes in a form without a file; a form with a hand has less than 4 kB."""
MAX_REQUEST_FIELDS = 1000
"""The most fields in a request, with those of its form and of its query counted together.

The longest form has fields for each match that was changed both here and in an imported book's file.
"""


MAX_SECRET_KEY_READS = 50
"""How often a starting process reads the file of the secret key while another process may still be writing it."""
_NUMBER_PATTERN = re.compile(r"[0-9]{1,6}")
"""Matches the text of a setting that is a whole number of up to six digits: "100"."""
MIN_DAYS_KEPT, MAX_DAYS_KEPT = 30, 36_500
"""The limits of `Settings.keep_unused`, unless it is 0."""


class BadSetting(OperatorError):
    """A setting or the file of the secret key is invalid, or cannot be used here.

    The message names it, and says what to do.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of an installation: the values of the SCOREKEEPER_… variables, or their defaults."""

    instance: Path
    """The folder of the database and the secret key."""
    host: str
    """The host name or IP address to listen on."""
    port: int
    database_url: str
    public_url: str
    """The URL at which phones reach the server through a proxy: "https://pitch.example". Empty without a proxy."""
    names: tuple[str, ...]
    """Further host names at which the server answers if it has no public URL: ("pitch.lan",)."""
    club: bool
    """Whether the club is part of the app: nights, money, figures, book files, and hosting for many."""
    mdns: bool
    """Whether the server announces a name for itself by multicast DNS: "pitch.local"."""
    in_container: bool
    """Whether the server runs in a container, whose IP address phones cannot open."""
    metrics_port: int
    """The local port for the first process's Prometheus metrics, or 0 for no metrics.

    Each further process of the server takes the next port.
    """
    log: bool
    """Whether the server writes a line for each request to standard output."""
    matches_an_hour: int
    """The most matches that one network may begin within an hour; 0 for no limit."""
    prints_an_hour: int
    """The most sheets that one network may print within an hour; 0 for no limit."""
    imports_an_hour: int
    """The most files that one network, or one phone, may import within an hour; 0 for the default limits."""
    keep_unused: int
    """The days without use after which matches, books and nights are removed; 0 to keep all."""
    contact: str
    """The email address or the URL of a page for reports of content to remove; empty for none."""
    secret_key: str
    """The key that signs cookies; empty to use the key in the instance folder."""
    proxies: tuple[IPv4Network | IPv6Network, ...]
    """The networks of the proxies whose forwarding headers are trusted."""


def read_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that the environment variables set. An empty variable counts as not set.

    Raises `BadSetting`.
    """

    def read(variable: str, parse: Callable[[str, str], T], default: str = "") -> T:
        """Return what `parse` makes of the text of a variable, or of `default` if the variable is not set."""
        return parse(variable, environ.get(variable) or default)

    instance = instance_folder(environ)
    settings = Settings(
        instance=instance,
        host=environ.get("SCOREKEEPER_HOST") or "0.0.0.0",
        port=read("SCOREKEEPER_PORT", _parse_port, "8000"),
        database_url=read("SCOREKEEPER_DATABASE_URL", _parse_database_url, f"sqlite:///{instance / DATABASE_FILE}"),
        public_url=read("SCOREKEEPER_PUBLIC_URL", _parse_public_url),
        names=read("SCOREKEEPER_NAMES", _parse_names),
        club=read("SCOREKEEPER_CLUB", _parse_on_or_off, "on"),
        mdns=read("SCOREKEEPER_MDNS", _parse_on_or_off, "on"),
        in_container=read("SCOREKEEPER_CONTAINER", _parse_on_or_off, "off"),
        metrics_port=read("SCOREKEEPER_METRICS_PORT", _parse_metrics_port, "0"),
        log=read("SCOREKEEPER_LOG", _parse_on_or_off, "off"),
        matches_an_hour=read("SCOREKEEPER_MATCHES_AN_HOUR", _parse_count, "0"),
        prints_an_hour=read("SCOREKEEPER_PRINTS_AN_HOUR", _parse_count, "0"),
        imports_an_hour=read("SCOREKEEPER_IMPORTS_AN_HOUR", _parse_count, "0"),
        keep_unused=read("SCOREKEEPER_KEEP_UNUSED", _parse_days_kept),
        contact=read("SCOREKEEPER_CONTACT", _parse_contact),
        secret_key=read("SCOREKEEPER_SECRET_KEY", _parse_secret_key),
        proxies=read("SCOREKEEPER_PROXY", _parse_proxies, "127.0.0.0/8, ::1"),
    )
    club_value_by_variable = {
        "SCOREKEEPER_METRICS_PORT": settings.metrics_port,
        "SCOREKEEPER_KEEP_UNUSED": settings.keep_unused,
    }
    if not settings.club and (name := next((name for name, value in club_value_by_variable.items() if value), "")):
        raise BadSetting(f"SCOREKEEPER_CLUB is off, and {name} needs it. Leave one of the two out.")
    return settings


def flask_config(settings: Settings) -> dict[str, object]:
    """Return the configuration of the app: every setting, and the keys of Flask and its extensions.

    A setting has its name in capitals as its key: "PORT". Without the setting `secret_key`, the secret key is that of
    the instance folder. Raises `BadSetting`.
    """
    setting_by_key = {name.upper(): value for name, value in asdict(settings).items()}
    # A database server may restart while the app runs on.
    engine_options = {"url": settings.database_url, "pool_pre_ping": not settings.database_url.startswith("sqlite:")}
    return setting_by_key | {
        "MDNS": settings.mdns and not settings.in_container,
        "SECRET_KEY": settings.secret_key or load_or_create_secret_key(settings.instance),
        "SQLALCHEMY_ENGINES": {"default": engine_options},
        "SESSION_COOKIE_NAME": "scorekeeper",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        # A browser drops a secure cookie on the plain http of a kitchen's Wi-Fi.
        "SESSION_COOKIE_SECURE": settings.public_url.startswith("https://"),
        "SESSION_REFRESH_EACH_REQUEST": False,
        "PERMANENT_SESSION_LIFETIME": timedelta(days=400),
        "MAX_CONTENT_LENGTH": MAX_BODY_BYTES,
        "MAX_FORM_MEMORY_SIZE": MAX_FORM_BYTES,
        "MAX_FORM_PARTS": MAX_REQUEST_FIELDS,
    }


def load_or_create_secret_key(instance: Path) -> str:
    """Return the secret key in the file of the folder `instance`. A missing file is made, with a new key.

    Raises `BadSetting` if the key is invalid, or if the file cannot be read or written.
    """
    key_file = instance / SECRET_KEY_FILE_NAME
    try:
        instance.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not key_file.exists():
            _write_secret_key(key_file)
        for _ in range(MAX_SECRET_KEY_READS):
            if len(key := key_file.read_text(encoding="ascii").strip()) >= 32:
                return key
            sleep(0.01)  # another process may be writing it
    except OSError as error:
        raise BadSetting(f"{key_file} cannot be read or written: {error.strerror}. Check its rights.") from error
    except UnicodeDecodeError as error:
        raise BadSetting(f"{key_file} is no secret key. Remove it, and a new one is made.") from error
    raise BadSetting(f"{key_file} is too short for a secret key. Remove it, and a new one is made.")


def _write_secret_key(key_file: Path) -> None:
    """Write a new secret key to `key_file`. If another process has just made the file, its key stays."""
    try:
        with create_private_file(key_file) as file:
            file.write(f"{secrets.token_hex(32)}\n".encode("ascii"))
    except FileExistsError:
        pass
    except BaseException:  # a full disk must leave no partial key
        key_file.unlink(missing_ok=True)
        raise


def _parse_port(variable: str, text: str) -> int:
    if _NUMBER_PATTERN.fullmatch(text) and int(text) <= 65535:
        return int(text)
    raise BadSetting(f"{variable} is {text!r}. Set it to a number up to 65535.")


def _parse_metrics_port(variable: str, text: str) -> int:
    """Parse the port for metrics, or 0 for no metrics; raises `BadSetting`.

    Metrics need the package prometheus-client.
    """
    port = _parse_port(variable, text)
    if port and find_spec("prometheus_client") is None:
        raise BadSetting(
            f"{variable} needs a package that is missing. Install it where Scorekeeper is: "
            "pip install prometheus-client."
        )
    return port


def _parse_count(variable: str, text: str) -> int:
    """Parse a whole number from 0 to 999,999; raises `BadSetting`."""
    if _NUMBER_PATTERN.fullmatch(text):
        return int(text)
    raise BadSetting(f"{variable} is {text!r}. Set it to a number, such as 100.")


def _parse_days_kept(variable: str, text: str) -> int:
    """Parse a number of days from `MIN_DAYS_KEPT` to `MAX_DAYS_KEPT`, or an empty text as 0; raises `BadSetting`."""
    days = _parse_count(variable, text or "0")
    if text and not MIN_DAYS_KEPT <= days <= MAX_DAYS_KEPT:
        raise BadSetting(
            f"{variable} is {days}. Set it to {MIN_DAYS_KEPT} to {MAX_DAYS_KEPT} days, or to nothing, which keeps all."
        )
    return days


def _parse_on_or_off(variable: str, text: str) -> bool:
    if text in ("on", "off"):
        return text == "on"
    raise BadSetting(f"{variable} is {text!r}. Set it to on or off.")


def _parse_secret_key(variable: str, text: str) -> str:
    # The system passes bytes that are no text as surrogates.
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadSetting(f"{variable} is no text. Set it to letters and digits, the more the better.")
    return text


def _parse_database_url(variable: str, text: str) -> str:
    """Return the URL of a SQLite or PostgreSQL database as SQLAlchemy needs it; raises `BadSetting`.

    It is also raised if the driver of PostgreSQL is not installed.
    """
    scheme, separator, rest = text.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest.strip("/") and not rest.endswith(":memory:"):
        return text
    if separator and scheme in ("postgres", "postgresql", "postgresql+psycopg") and _has_valid_host_and_port(text):
        if find_spec("psycopg") is None:
            raise BadSetting(
                "A package for PostgreSQL is missing. Install it where Scorekeeper is: pip install 'psycopg[binary]'."
            )
        return f"postgresql+psycopg://{rest}"
    raise BadSetting(
        f"{variable} is no address of a database. Set it to sqlite:///file or postgresql://user@host/name."
    )


def _has_valid_host_and_port(url: str) -> bool:
    """Return whether a URL has no invalid host and no invalid port; either may be missing."""
    try:
        (urlsplit(url).hostname or "").encode("idna")
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _parse_public_url(variable: str, text: str) -> str:
    """Return the public URL of the server without a slash at the end; raises `BadSetting`.

    An empty text stays empty.
    """
    if not text:
        return ""
    url_parts = urlsplit(text if _has_valid_host_and_port(text) else "")
    if url_parts.scheme not in ("http", "https") or not url_parts.hostname or url_parts.query or url_parts.fragment:
        raise BadSetting(f"{variable} is {text!r}. Set it to an address such as https://pitch.example.")
    return text.rstrip("/")


def _parse_contact(variable: str, text: str) -> str:
    has_address_form = re.fullmatch(r"[^\s@:/?#&%]+@[\w.-]+|https?://[^\s/]\S*", text)
    if not text or (has_address_form and _has_valid_host_and_port(text)):
        return text
    raise BadSetting(
        f"{variable} is {text!r}. Set it to an email address, or to that of a page: https://club.example/contact."
    )


def _parse_names(variable: str, text: str) -> tuple[str, ...]:
    """Return the host names in a text such as "Pitch.lan., pitch": ("pitch.lan", "pitch"). Raises `BadSetting`."""
    host_names = tuple(part.strip().rstrip(".").lower() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"[\w.-]+", host_name) for host_name in host_names):
        raise BadSetting(f"{variable} is {text!r}. Set it to names with commas between, such as pitch.example.")
    return host_names


def _parse_proxies(variable: str, text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks in a text such as "127.0.0.0/8, ::1"; raises `BadSetting`."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(","))
    except ValueError:
        raise BadSetting(
            f"{variable} is {text!r}. Set it to addresses or networks with commas between, such as 172.18.0.2."
        ) from None
