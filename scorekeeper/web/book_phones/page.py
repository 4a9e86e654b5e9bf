"""What the page shows that asks whose phone joins a book."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.ledger.roles import SCORER, BookInvitation


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinBookPage:
    """Template join/book.html."""

    code: str
    """Of the invitation."""
    label: str
    """The book's name; empty where it has none."""
    may_score: bool
    holder: str
    """As it was typed."""
    people: tuple[str, ...]
    fault: str
    name_length: ClassVar = NAME_LENGTH


def join_book_page(
    name: str, invitation: BookInvitation, *, holder: str = "", people: Sequence[str] = (), fault: str = ""
) -> JoinBookPage:
    """Return the page that asks whose phone joins the book called `name`."""
    return JoinBookPage(
        code=invitation.code,
        label=name,
        may_score=invitation.role == SCORER,
        holder=holder,
        people=tuple(people),
        fault=fault,
    )
