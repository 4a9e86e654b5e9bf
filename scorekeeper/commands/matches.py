"""`scorekeeper matches`: list the matches with their links, page by page, so that a lost one is found."""

from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.paging import add_paging, print_older
from scorekeeper.commands.terminal import print_text

DOES = "List the matches with their links, the last begun first."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "matches",
        help=DOES,
        description=f"{DOES} Each link is the owner's: whoever has it can do everything there, add phones, and "
        "remove them. The address is the one that phones use, or SCOREKEEPER_PUBLIC_URL.",
    )
    parser.add_argument("--deleted", action="store_true", help="also deleted matches")
    add_paging(parser)


def run(args: Namespace) -> int:
    """Print two lines for each match of the page."""
    from scorekeeper.commands.database import opened
    from scorekeeper.services.match_list import latest_matches
    from scorekeeper.serving.network import base_url

    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        page = latest_matches(session, args.limit, args.before)
        shown = [item for item in page.listed if args.deleted or not item.log.is_deleted]
        for item in shown:
            print_text(f"{described(item)}\n  {base}/matches/{item.link.code}/")
        if not shown:
            print_text(
                "All of these are deleted; --deleted lists them." if page.listed else "There are no matches here."
            )
        print_older("matches --deleted" if args.deleted else "matches", page.older, args.limit)
    return 0


def described(item: Any) -> str:
    """Return when a match was, who played, and how it stands."""
    from scorekeeper.narration.payments import standing_text

    when = item.setup.played_on or item.written_at.date().isoformat()
    title = f"{item.title}: " if item.title else ""
    if item.match is None:
        return f"{when}  {title}can’t be scored by its rules; export it to see why"
    scores = standing_text(item.match.counted, item.match.names)
    status = "deleted" if item.log.is_deleted else item.match.status.replace("_", " ")
    return f"{when}  {title}{scores} ({status})"
