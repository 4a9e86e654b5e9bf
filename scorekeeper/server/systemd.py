"""The systemd unit that starts the server at boot: who runs it, and all that it may not touch."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scorekeeper.system import give_to, name_of_user

NAME = "scorekeeper.service"
UNIT_FILE = Path("/etc/systemd/system") / NAME
IS_RUNNING = Path("/run/systemd/system")
"""There where systemd has started this system."""
ROOT = 0
SETTINGS_FILE = "service.env"
"""Of the unit, in the instance folder: anyone can read a unit, and an address of a database may have a password."""

_UNIT = """\
# Starts Scorekeeper at boot. Written by `scorekeeper service`, which writes it again.
[Unit]
Description=Scorekeeper, a score sheet for the card game Pitch
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
User={user}
EnvironmentFile=-{settings_file}
Environment={instance_setting}
Environment=XDG_CACHE_HOME=/var/cache/scorekeeper
ExecStart={command} serve --migrate
Restart=on-failure
RestartSec=5
TimeoutStopSec=20
MemoryMax=768M
TasksMax=128
UMask=0077

# It writes into its instance folder and a cache of fonts, and nowhere else.
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths={instance}
CacheDirectory=scorekeeper
CacheDirectoryMode=0700
PrivateTmp=yes
PrivateDevices=yes

# It gains no rights, and looks at nothing of the system beside it.
NoNewPrivileges=yes
CapabilityBoundingSet={capabilities}
AmbientCapabilities={capabilities}
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""


class NoService(Exception):
    """The server cannot be made a service here; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Service:
    """A unit, and the settings that it reads from a file of its own."""

    user: str
    unit: str
    settings_file: Path
    settings: str
    """What the file says; empty where no setting was made."""


def service(instance: Path, port: int, environ: Mapping[str, str]) -> Service:
    """Return the unit of an installation, with the settings that were made; raises `NoService`.

    Whoever owns the instance folder runs it, which in a checkout is whoever made the checkout.
    """
    instance.mkdir(parents=True, exist_ok=True)
    owner = instance.stat().st_uid
    if owner == ROOT:
        raise NoService(
            f"{instance} belongs to root, and the server never runs as root. Give it to another user: "
            f"sudo chown -R NAME {instance}."
        )
    user = name_of_user(owner)
    # Not resolved: the link in a virtual environment is what finds the packages in it. Only here is a $ a variable.
    command = f"{_word(sys.executable).replace('$', '$$')} -m scorekeeper"
    settings_file = instance / SETTINGS_FILE
    return Service(
        user,
        _UNIT.format(
            user=user,
            settings_file=_percent(str(settings_file)),
            instance_setting=_word(f"SCOREKEEPER_INSTANCE={instance}"),
            command=command,
            instance=_word(str(instance)),
            capabilities="CAP_NET_BIND_SERVICE" if 0 < port < 1024 else "",
        ),
        settings_file,
        "".join(
            f"{name}={_quoted(value)}\n"
            for name, value in sorted(environ.items())
            if name.startswith("SCOREKEEPER_") and name != "SCOREKEEPER_INSTANCE" and value
        ),
    )


def has_systemd() -> bool:
    """Return whether systemd starts the services of this system."""
    return IS_RUNNING.is_dir()


def keep_settings(made: Service) -> None:
    """Write the settings where only the owner, and systemd, can read them; leave them where none was made now."""
    if not made.settings:
        return
    fresh = made.settings_file.with_name(f"{made.settings_file.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(made.settings)
    owner = made.settings_file.parent.stat()
    give_to(owner, fresh)
    fresh.replace(made.settings_file)


def _word(text: str) -> str:
    """Return a word of a unit."""
    return _percent(_quoted(text))


def _percent(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(text: str) -> str:
    if not text.isprintable():
        raise NoService(f"{text!r} has a letter that systemd cannot read. Rename it.")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
