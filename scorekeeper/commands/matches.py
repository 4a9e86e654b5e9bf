"""`scorekeeper matches`: list every match with its link, so that a lost one is found."""

from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.pages import add_page, print_place
from scorekeeper.commands.terminal import print_text

DOES = "List every match with its link."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "matches",
        help=DOES,
        description=f"{DOES} Each link is the owner's: whoever has it can do everything there, add phones, and "
        "remove them. The address is the one that phones use, or SCOREKEEPER_PUBLIC_URL.",
    )
    add_page(parser, "matches")
    parser.add_argument("--deleted", action="store_true", help="also deleted matches")


def run(args: Namespace) -> int:
    """Print two lines for each match, the latest last."""
    from scorekeeper.commands.database import opened
    from scorekeeper.network import base_url
    from scorekeeper.services.match_list import latest_matches

    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        found, pages = latest_matches(session, args.page)
        listed = [item for item in found if args.deleted or not item.log.is_deleted]
        for item in listed:
            print_text(f"{described(item)}\n  {base}/matches/{item.link.code}/")
        if not found:
            print_text("There are no matches yet." if args.page == 1 else "There are not so many matches.")
        print_place("matches", args.page, pages)
    return 0


def described(item: Any) -> str:
    """Return when a match was, who played, and how it stands."""
    when = item.setup.played_on or item.written_at.date().isoformat()
    title = f"{item.title}: " if item.title else ""
    if item.match is None:
        return f"{when}  {title}can’t be scored by its rules; export it to see why"
    scores = ", ".join(f"{item.match.name(side)} {score}" for side, score in item.match.counted.scores.items())
    status = "deleted" if item.log.is_deleted else item.match.status.replace("_", " ")
    return f"{when}  {title}{scores} ({status})"
