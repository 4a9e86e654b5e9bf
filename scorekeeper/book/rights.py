"""What a link to a book may write: each fact takes a role, and an undo or a redo the right of the fact it touches."""

from scorekeeper.book import facts
from scorekeeper.book.facts import BookFact
from scorekeeper.book.fold import Book
from scorekeeper.ledger.roles import OWNER, BookLink, allows


def least_role(fact: BookFact) -> str | None:
    """Return the role that a link must have at least to write a fact; `None` where no link to a book is enough.

    A match is put into a book, or taken out, by those who own the match.
    """
    match fact:
        case facts.MatchAdded() | facts.MatchRemoved():
            return None
        case facts.BookRenamed() | facts.PersonRenamed() | facts.PeopleJoined() | facts.PersonParted():
            return OWNER
        case facts.PlayerAssigned() | facts.NameDeleted() | facts.NameRestored():
            return OWNER
        case facts.Undone() | facts.Redone():
            return OWNER
    raise TypeError(f"{fact!r} is no fact of a book.")


def may_write(book: Book, link: BookLink, fact: BookFact) -> bool:
    """Return whether a link to a book may write a fact."""
    return all(
        (least := least_role(it)) is not None and allows(link.role, least) for it in (fact, _touched(book, fact)) if it
    )


def _touched(book: Book, fact: BookFact) -> BookFact | None:
    """Return what an undo undoes, or a redo restores."""
    match fact:
        case facts.Undone(target=target):
            return book.fact(target)
        case facts.Redone(target=target):
            undo = book.fact(target)
            return book.fact(undo.target) if isinstance(undo, facts.Undone) else None
        case _:
            return None
