"""What the page shows that moves a match to another book, or keeps it out; and the question before one starts."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.ledger.derive_match import Match
from scorekeeper.services.book_matches import Moved
from scorekeeper.services.books import BookAccess
from scorekeeper.services.own_book import NO_BOOK
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.places import book_labels
from scorekeeper.web.shared.widgets import Choice, QuestionView

FIELD = "book"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchBookPage:
    """Template match_book/show.html."""

    code: str
    match_title: str
    question: QuestionView
    is_elsewhere: bool
    """Whether the match is in a book that this phone cannot open."""
    moved: Moved | None
    """What was done just now, and can be undone."""
    refusal: str


def book_question(books: Sequence[BookAccess], chosen: str | None) -> QuestionView:
    """Return the question of which book a match goes to: by the code of a link, or none; `None` is not known here."""
    labels = book_labels(books)
    choices = (
        Choice(value=access.code, label=label, is_chosen=access.code == chosen)
        for access, label in zip(books, labels, strict=True)
    )
    none = Choice(value=NO_BOOK, label="none", is_chosen=chosen == NO_BOOK)
    return QuestionView(field=FIELD, question="Keep this match in", choices=(*choices, none))


def match_book_page(
    match: Match,
    books: Sequence[BookAccess],
    book_id: int | None,
    *,
    moved: Moved | None = None,
    refusal: str = "",
) -> MatchBookPage:
    """Return the page of a match that is in the book `book_id`, for a phone that may put it into `books`."""
    code = next((access.code for access in books if access.id == book_id), None)
    return MatchBookPage(
        code=match.code,
        match_title=match_title(match),
        question=book_question(books, NO_BOOK if book_id is None else code),
        is_elsewhere=book_id is not None and code is None,
        moved=moved,
        refusal=refusal,
    )
