"""`scorekeeper matches`: every match with its link, so that a lost one is found again."""

from argparse import ArgumentParser, Namespace
from typing import Any

DOES = "List every match with its link."


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser: ArgumentParser = commands.add_parser(
        "matches",
        help=DOES,
        description=f"{DOES} Each is its owner's: whoever has it may do everything there, let phones in, and end their "
        "links. The address is the one that phones use, or SCOREKEEPER_PUBLIC_URL.",
    )
    parser.add_argument("--deleted", action="store_true", help="also those that were thrown away")


def run(args: Namespace) -> int:
    """Print one block of lines for each match, the latest last."""
    from scorekeeper.commands.database import opened
    from scorekeeper.lan import base_url
    from scorekeeper.services.devices import every_match

    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        matches = [match for match in every_match(session) if args.deleted or not match.is_deleted]
        for match in matches:
            print(f"{described(match)}\n  {base}/matches/{match.link.code}/")
        if not matches:
            print("There is no match yet.")
    return 0


def described(match: Any) -> str:
    """Name a match by when, who, and how it stands."""
    when = match.match.played_on or match.written_at.date().isoformat()
    title = f"{match.title}: " if match.title else ""
    if match.loaded is None:
        return f"{when}  {title}cannot be scored by these rules; export it to see why"
    scores = ", ".join(f"{name} {score}" for name, score in match.loaded.counted.scores.items())
    status = "thrown away" if match.is_deleted else match.loaded.status.replace("_", " ")
    return f"{when}  {title}{scores} ({status})"
