"""`scorekeeper service`: start the server at boot, with systemd."""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.refused import Refused
from scorekeeper.commands.terminal import print_text
from scorekeeper.config import BadSetting, Settings, read_settings
from scorekeeper.serving.network import is_listening
from scorekeeper.serving.systemd import NAME, UNIT_FILE, NoService, Service, has_systemd, keep_settings, service

DOES = "Start the server at boot, with systemd."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "service",
        help=DOES,
        description=f"{DOES} It prints the unit, asks, and installs and starts it. The server runs as whoever owns the "
        "instance folder, never as root, and with the settings that are made when this command is run.",
    )
    parser.add_argument("--print", action="store_true", help="only print the unit")
    parser.add_argument("--yes", action="store_true", help="install it without asking")


def run(args: Namespace) -> int:
    """Print the unit, and install it where that is wanted; raises `Refused`."""
    try:
        settings = read_settings()
        made = service(settings.instance, settings.port, os.environ)
        if args.print:
            print_text(made.unit.rstrip("\n"))
            return 0
        if not has_systemd():
            raise Refused(
                "systemd does not start the services of this computer, so there is nothing to install. Have it run "
                "scorekeeper serve --migrate at boot in its own way. --print shows the unit."
            )
        print_text(made.unit)
        if made.settings:
            print_text(f"Your settings go into {made.settings_file}, which others cannot read.\n")
        if not args.yes and not _agrees():
            print_text("Nothing was changed.")
            return 0
        _install(made, settings)
    except (BadSetting, NoService) as fault:
        raise Refused(str(fault)) from fault
    except OSError as error:
        raise Refused(f"{error.filename or UNIT_FILE} cannot be written: {error.strerror}.") from error
    print_text(
        f"The server runs now and at every boot, as {made.user}.\n"
        f"  Its log: journalctl -u {NAME}\n"
        f"  To end that: sudo systemctl disable --now {NAME}"
    )
    return 0


def _agrees() -> bool:
    try:
        answer = input(f"Install this as {UNIT_FILE}, and start it now and at every boot? [y/N] ")
    except EOFError:
        print_text("")
        return False
    return answer.strip().lower() in ("y", "yes")


def _install(made: Service, settings: Settings) -> None:
    if os.geteuid() != 0 and not shutil.which("sudo"):
        raise Refused(f"there is no sudo here. As root, write what --print prints to {UNIT_FILE} and enable it.")
    is_ours = subprocess.run(["systemctl", "is-active", "--quiet", NAME], check=False).returncode == 0
    if not is_ours and is_listening(settings.port):
        raise Refused(f"something answers on port {settings.port} already. Stop it, then run this again.")
    keep_settings(made)
    _as_root("tee", str(UNIT_FILE), text=made.unit)
    _as_root("systemctl", "daemon-reload")
    _as_root("systemctl", "enable", NAME)
    _as_root("systemctl", "restart", NAME)


def _as_root(*words: str, text: str = "") -> None:
    sys.stdout.flush()
    command = [*words] if os.geteuid() == 0 else ["sudo", *words]
    done = subprocess.run(command, input=text, text=True, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise Refused(f"{' '.join(command)} failed, so the server does not start at boot yet.")
