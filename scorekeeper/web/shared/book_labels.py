"""What a book is called on a page: by its name, or as yours."""

from collections import Counter
from collections.abc import Sequence

from scorekeeper.services.books import BookAccess


def book_label(access: BookAccess) -> str:
    """Return what a book is called on this phone."""
    return access.book.name or "Your book"


def book_labels(books: Sequence[BookAccess]) -> list[str]:
    """Return what several books are called, in their order, no two of them the same."""
    labels = [book_label(access) for access in books]
    found, numbers = Counter(labels), Counter[str]()
    unique = []
    for label in labels:
        numbers[label] += 1
        unique.append(label if found[label] == 1 else f"{label} {numbers[label]}")
    return unique
