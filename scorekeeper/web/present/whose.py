"""Whose phone is this: asked of one that comes in, and of one that changes hands."""

from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.parts import BarView, Choice, QuestionView, SideView
from scorekeeper.web.contexts.room import WhosePage
from scorekeeper.web.present.sides import side_views

FIELD = "seat"
NOBODY = "nobody"
"""A phone that is no player's: it only looks on, or lies in the middle of the table."""


def whose_page(
    match: LoadedMatch,
    bar: BarView,
    action: str,
    *,
    title: str,
    seat: str | None,
    go_label: str,
    nobody: str,
    note: str,
) -> WhosePage:
    """Fill the page: everybody at the table, and nobody."""
    return WhosePage(
        title=title,
        bar=bar,
        action=action,
        hidden=(),
        question=QuestionView(
            field=FIELD,
            question="Whose phone is this?",
            choices=(
                *(
                    Choice(value=who, label=match.names[who], side=_side(match, who), is_chosen=who == seat)
                    for who in _people(match)
                ),
                Choice(value=NOBODY, label=nobody, is_chosen=seat is None),
            ),
        ),
        go_label=go_label,
        note=note,
    )


def _people(match: LoadedMatch) -> tuple[str, ...]:
    """Give the ids of everybody at the table, or of the sides where nobody said who sits where."""
    return tuple(seat.id for seat in match.match.seats) or tuple(side.id for side in match.match.sides)


def _side(match: LoadedMatch, who: str) -> SideView | None:
    views, name = side_views(match), match.names[who]
    return views.get(name) or views.get(match.state.seats.side_of(name) or "")
