"""Whose phone this is: asked when a phone joins a match, and whenever it changes hands."""

from flask import request

from scorekeeper.ledger.derive_match import Match
from scorekeeper.web.shared.match_views import side_view_of
from scorekeeper.web.shared.widgets import Choice, QuestionView

FIELD = "seat"
NOBODY = "nobody"
"""A phone that is no player's: it only watches, or lies in the middle of the table."""


def seat_question(match: Match, seat: str | None, *, nobody: str) -> QuestionView:
    """Return the question of who holds this phone, now the `seat`; `nobody` is the label of the other answer."""
    # Where nobody said who sits where, a phone is a side's.
    seats = tuple(it.id for it in match.setup.seats) or tuple(side.id for side in match.setup.sides)
    people = (
        Choice(value=who, label=match.names[who], side=side_view_of(match, who), is_chosen=who == seat) for who in seats
    )
    return QuestionView(
        field=FIELD,
        question="Whose phone is this?",
        choices=(*people, Choice(value=NOBODY, label=nobody, is_chosen=seat is None)),
    )


def posted_seat() -> str | None:
    """Return who holds the phone by the form that was posted; `None` where no player does."""
    seat = request.form.get(FIELD, "")
    return None if seat == NOBODY else seat
