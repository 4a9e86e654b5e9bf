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
"""The default name of the SQLite database in the instance folder."""
SECRET_KEY_FILE = "secret-key"
"""The file in the instance folder with the secret key, unless a setting gives the key."""
MAX_BODY_BYTES = 8 * 1024 * 1024
"""The largest allowed body of a request; the largest upload is a book of many years."""
MAX_FORM_BYTES = 128 * 1024
"""The largest allowed form without a file; a hand takes less than 4 kB."""
MAX_REQUEST_FIELDS = 1000
"""The most fields of a form and a query together.

The longest form asks about each match changed both here and in a book's file.
"""


MAX_KEY_READS = 50
"""How often a start reads a key that another process may still be writing."""
_NUMBER_PATTERN = re.compile(r"[0-9]{1,6}")
"""Matches a setting that is a number, such as of matches or days."""
MIN_DAYS_KEPT, MAX_DAYS_KEPT = 30, 36_500
"""The limits of the setting for the days after which unused data is removed."""


class BadSetting(OperatorError):
    """A setting or the key file is invalid, or unusable here; the message names it and says what to do."""


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
    """The URL at which phones reach the server through a proxy; empty without one."""
    names: tuple[str, ...]
    """Further host names at which the server answers, if it has no public URL."""
    club: bool
    """Whether the club is enabled: nights, money, figures, book files, and hosting for many."""
    mdns: bool
    """Whether the server announces its name by multicast DNS."""
    in_container: bool
    """Whether the server runs in a container, whose IP address phones cannot open."""
    metrics_port: int
    """The local port for the first process's Prometheus metrics; the others take the next ports. 0 for none."""
    log: bool
    """Whether each request is logged."""
    matches_an_hour: int
    """The most matches that one network may begin within an hour; 0 for no limit."""
    prints_an_hour: int
    """The most sheets that one network may print within an hour; 0 for no limit."""
    imports_an_hour: int
    """The most files that one network, or one phone, may import within an hour; 0 for the default limits."""
    keep_unused: int
    """Days without use after which data is removed; 0 to keep it."""
    contact: str
    """The email address or the URL of a page for reports of content to remove; empty for none."""
    secret_key: str
    """The key that signs cookies; empty to use the key in the instance folder."""
    proxies: tuple[IPv4Network | IPv6Network, ...]
    """The networks of the proxies whose forwarding headers are trusted."""


def read_settings(environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings from environment variables; an empty one counts as not set.

    Raises `BadSetting`.
    """

    def read(name: str, parse: Callable[[str, str], T], default: str = "") -> T:
        """Return the value of a variable, or its default, as `parse` reads it."""
        return parse(name, environ.get(name) or default)

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
    values_that_need_club = {
        "SCOREKEEPER_METRICS_PORT": settings.metrics_port,
        "SCOREKEEPER_KEEP_UNUSED": settings.keep_unused,
    }
    if not settings.club and (name := next((name for name, value in values_that_need_club.items() if value), "")):
        raise BadSetting(f"SCOREKEEPER_CLUB is off, and {name} needs it. Leave one of the two out.")
    return settings


def flask_config(settings: Settings) -> dict[str, object]:
    """Return Flask's configuration: each setting by its name in capitals, and the keys of Flask and its extensions.

    The secret key is read from the instance folder, or made there, unless a setting gives it. Raises `BadSetting`.
    """
    setting_values = {name.upper(): value for name, value in asdict(settings).items()}
    # A database server may restart while the app runs on.
    engine_options = {"url": settings.database_url, "pool_pre_ping": not settings.database_url.startswith("sqlite:")}
    return setting_values | {
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
    """Return the secret key in the instance folder; it is made if missing.

    Raises `BadSetting` if the key cannot be read or written, or is invalid.
    """
    key_file = instance / SECRET_KEY_FILE
    try:
        instance.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not key_file.exists():
            _write_secret_key(key_file)
        for _ in range(MAX_KEY_READS):
            if len(key := key_file.read_text(encoding="ascii").strip()) >= 32:
                return key
            sleep(0.01)  # another process may be writing it
    except OSError as fault:
        raise BadSetting(f"{key_file} cannot be read or written: {fault.strerror}. Check its rights.") from fault
    except UnicodeDecodeError as fault:
        raise BadSetting(f"{key_file} is no secret key. Remove it, and a new one is made.") from fault
    raise BadSetting(f"{key_file} is too short for a secret key. Remove it, and a new one is made.")


def _write_secret_key(key_file: Path) -> None:
    """Create a file with a new key; does nothing if another process has just created it."""
    try:
        with create_private_file(key_file) as file:
            file.write(f"{secrets.token_hex(32)}\n".encode("ascii"))
    except FileExistsError:
        pass
    except BaseException:  # a full disk must leave no partial key
        key_file.unlink(missing_ok=True)
        raise


def _parse_port(name: str, text: str) -> int:
    if _NUMBER_PATTERN.fullmatch(text) and int(text) <= 65535:
        return int(text)
    raise BadSetting(f"{name} is {text!r}. Set it to a number up to 65535.")


def _parse_metrics_port(name: str, text: str) -> int:
    """Parse a port, or 0 for none; raises `BadSetting`.

    Any other port than 0 needs the package for metrics.
    """
    port = _parse_port(name, text)
    if port and find_spec("prometheus_client") is None:
        raise BadSetting(
            f"{name} needs a package that is missing. Install it where Scorekeeper is: pip install prometheus-client."
        )
    return port


def _parse_count(name: str, text: str) -> int:
    """Parse a whole number from 0 to 999,999; raises `BadSetting`."""
    if _NUMBER_PATTERN.fullmatch(text):
        return int(text)
    raise BadSetting(f"{name} is {text!r}. Set it to a number, such as 100.")


def _parse_days_kept(name: str, text: str) -> int:
    """Parse a number of days, or an empty text as 0; raises `BadSetting`."""
    days = _parse_count(name, text or "0")
    if text and not MIN_DAYS_KEPT <= days <= MAX_DAYS_KEPT:
        raise BadSetting(
            f"{name} is {days}. Set it to {MIN_DAYS_KEPT} to {MAX_DAYS_KEPT} days, or to nothing, which keeps all."
        )
    return days


def _parse_on_or_off(name: str, text: str) -> bool:
    if text in ("on", "off"):
        return text == "on"
    raise BadSetting(f"{name} is {text!r}. Set it to on or off.")


def _parse_secret_key(name: str, text: str) -> str:
    # The system passes bytes that are no text as surrogates.
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise BadSetting(f"{name} is no text. Set it to letters and digits, the more the better.")
    return text


def _parse_database_url(name: str, text: str) -> str:
    """Return the URL of a database for SQLAlchemy, SQLite or PostgreSQL; raises `BadSetting`.

    PostgreSQL needs its driver.
    """
    scheme, colon, rest = text.partition("://")
    if scheme == "sqlite" and rest.startswith("/") and rest.strip("/") and not rest.endswith(":memory:"):
        return text
    if colon and scheme in ("postgres", "postgresql", "postgresql+psycopg") and _has_valid_host_and_port(text):
        if find_spec("psycopg") is None:
            raise BadSetting(
                "A package for PostgreSQL is missing. Install it where Scorekeeper is: pip install 'psycopg[binary]'."
            )
        return f"postgresql+psycopg://{rest}"
    raise BadSetting(f"{name} is no address of a database. Set it to sqlite:///file or postgresql://user@host/name.")


def _has_valid_host_and_port(url: str) -> bool:
    """Return whether the host and the port of a URL are each valid or missing."""
    try:
        (urlsplit(url).hostname or "").encode("idna")
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _parse_public_url(name: str, text: str) -> str:
    """Parse the server's public URL, or an empty text; raises `BadSetting`.

    The result has no slash at the end.
    """
    if not text:
        return ""
    parts = urlsplit(text if _has_valid_host_and_port(text) else "")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise BadSetting(f"{name} is {text!r}. Set it to an address such as https://pitch.example.")
    return text.rstrip("/")


def _parse_contact(name: str, text: str) -> str:
    is_address = re.fullmatch(r"[^\s@:/?#&%]+@[\w.-]+|https?://[^\s/]\S*", text)
    if not text or (is_address and _has_valid_host_and_port(text)):
        return text
    raise BadSetting(
        f"{name} is {text!r}. Set it to an email address, or to that of a page: https://club.example/contact."
    )


def _parse_names(name: str, text: str) -> tuple[str, ...]:
    """Parse host names separated by commas, into lower case without a dot at the end; raises `BadSetting`."""
    names = tuple(part.strip().rstrip(".").lower() for part in text.split(",") if part.strip())
    if not all(re.fullmatch(r"[\w.-]+", each) for each in names):
        raise BadSetting(f"{name} is {text!r}. Set it to names with commas between, such as pitch.example.")
    return names


def _parse_proxies(name: str, text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Parse IP addresses and networks separated by commas; raises `BadSetting`."""
    try:
        return tuple(ip_network(part.strip()) for part in text.split(","))
    except ValueError:
        raise BadSetting(
            f"{name} is {text!r}. Set it to addresses or networks with commas between, such as 172.18.0.2."
        ) from None
