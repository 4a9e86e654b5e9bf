"""`scorekeeper verify`: whether every match still scores as when it ended."""

from argparse import Namespace
from typing import Any

DOES = "Check that every match still scores as when it ended."


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    commands.add_parser(
        "verify",
        help=DOES,
        description=f"{DOES} Each is replayed from its hands, and one that comes to something else is named with its "
        "link. Nothing is changed. Exit status 1 where there is one.",
    )


def run(_args: Namespace) -> int:
    """Print every match that scores otherwise, and how many were replayed."""
    from scorekeeper.commands.database import opened
    from scorekeeper.commands.terminal import print_text
    from scorekeeper.services.endings import look_up_open_endings, replay_all
    from scorekeeper.serving.network import base_url

    replayed = ended = different = 0
    with opened() as (app, session):
        base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
        look_up_open_endings(session)
        for item in replay_all(session):
            replayed += 1
            ended += item.then is not None
            if not item.scores_the_same:
                different += 1
                print_text(f"{described(item)}\n  {base}/matches/{item.link.code}/")
    if different:
        print_text(f"No longer as when they ended: {different} of {replayed} matches.")
        return 1
    print_text(f"Every match scores as when it ended: {replayed} in all, {ended} of them ended.")
    return 0


def described(item: Any) -> str:
    """Return when a match was, how it stands today, and how it had ended."""
    when = item.setup.played_on or item.setup.created_at.date().isoformat()
    if item.match is None:
        return f"{when}  {item.setup.title or 'A match'} can’t be scored any more: {item.fault}"
    title = f"{item.match.title}: " if item.match.title else ""
    return f"{when}  {title}{_said(item.match, item.match.ending)} today; {_said(item.match, item.then)} when it ended"


def _said(match: Any, ending: Any) -> str:
    if ending is None:
        return "in progress"
    scores = ", ".join(f"{match.name(side)} {score}" for side, score in ending.scores.items())
    winners = " and ".join(match.name(side) for side in ending.winners)
    return f"{scores} ({f'won by {winners}' if winners else ending.status})"
