"""`scorekeeper doctor`: what is fine with this installation, and what to do."""

from argparse import Namespace
from typing import Any

from scorekeeper.commands.refused import Refused

DOES = "Check this installation: the database, its backups, the disk, the clock, printing and the address."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    description = f"{DOES} Each line is ok or says what to do. Nothing is changed. Exit status 1 if there is anything."
    commands.add_parser("doctor", help=DOES, description=description)


def run(_args: Namespace) -> int:
    """Print what each check finds; raises `Refused` where a setting is wrong."""
    from scorekeeper.app import create_app
    from scorekeeper.commands.terminal import print_text
    from scorekeeper.config import BadSetting, read_settings
    from scorekeeper.serving.doctor import examine

    to_do = 0
    try:
        for found in examine(create_app(), read_settings()):
            print_text(f"{'to do' if found.to_do else 'ok':5}  {found.about}: {found.says}")
            if found.to_do:
                to_do += 1
                print_text(f"       {found.to_do}")
    except BadSetting as fault:
        raise Refused(str(fault)) from fault
    print_text(f"To do: {to_do}." if to_do else "Everything is fine.")
    return 1 if to_do else 0
