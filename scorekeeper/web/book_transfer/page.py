"""What the pages show on which a book is backed up and restored."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from scorekeeper.narration.dates import DateStyle
from scorekeeper.services.book_file import Conflict, Look
from scorekeeper.services.book_import import FILE, HERE
from scorekeeper.services.books import BookAccess
from scorekeeper.web.shared.places import book_label
from scorekeeper.web.shared.reader import plain_day
from scorekeeper.web.shared.widgets import Choice, FaultsView, FaultView, QuestionView

NOTHING = "Nothing was imported"
CHOICE = "counts-"
"""How the name of a field begins that says which match counts; its uid follows."""
LONGEST_FILE_NAME = 80
SLOWER_THAN_LOOKING = 4
"""How much longer it takes to import a file than to look at it."""
_LONG = 5.0
"""Seconds after which people begin to wonder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookTransferPage:
    """Template book_transfer/show.html."""

    code: str
    label: str
    is_owner: bool
    done: tuple[str, ...] = ()
    """What was imported just now, in sentences."""
    faults: FaultsView | None = None
    """Why nothing was imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookLine:
    """How many matches of a file are of one kind."""

    label: str
    small: str
    """"Nov 1 to Nov 19", "left as they are"."""
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPage:
    """Template book_transfer/look.html."""

    code: str
    """Of the book's link; empty for a book that is not here yet."""
    label: str
    file_name: str
    """"miller.pitch-book.gz"."""
    digest: str
    """By which the form that imports knows the file."""
    other_book: str
    """What another book is called whose matches come into this one; empty where it is this one's file."""
    lines: tuple[LookLine, ...]
    questions: tuple[QuestionView, ...]
    """Which one counts, for each match that was changed in both places."""
    button: str
    """"Import 3 matches"; empty where there is nothing to import."""
    wait: str
    """How long the import takes; empty where that is soon over."""
    faults: FaultsView | None = None


def book_transfer_page(access: BookAccess, done: Mapping[str, int], *, fault: str = "") -> BookTransferPage:
    """Return the page for backing up and restoring a book."""
    return BookTransferPage(
        code=access.code,
        label=book_label(access),
        is_owner=access.link.is_owner,
        done=_done(done),
        faults=faults_of(fault) if fault else None,
    )


def _done(done: Mapping[str, int]) -> tuple[str, ...]:
    if not done:
        return ()
    new, continued, kept = (done.get(name, 0) for name in ("new", "continued", "kept"))
    said = [f"{matches(new)} imported." if new or not continued else ""]
    said.append(f"{matches(continued)} updated." if continued else "")
    if kept:
        said.append(f"Of {matches(kept)} changed in both places, the other one is on the home page, outside this list.")
    return tuple(sentence for sentence in said if sentence)


def matches(number: int) -> str:
    """Return so many matches in words: "one match" begins no sentence, "1 match" does."""
    return f"{number:,} match{'' if number == 1 else 'es'}"


def faults_of(fault: str) -> FaultsView:
    """Return the red notice that nothing was imported, and why."""
    return FaultsView(heading=NOTHING, items=(FaultView(text=fault),))


def look_page(
    look: Look,
    access: BookAccess | None,
    *,
    file_name: str,
    digest: str,
    seconds: float,
    dates: DateStyle,
    chosen: Mapping[str, str] | None = None,
    fault: str = "",
) -> LookPage:
    """Return the page that says what a file would change, before anything is written; looking took some `seconds`."""
    label = book_label(access) if access else look.name
    return LookPage(
        code=access.code if access else "",
        label=label,
        file_name=file_name,
        digest=digest,
        other_book="" if look.is_same_book else look.name or "another list",
        lines=tuple(_lines(look, dates)),
        questions=tuple(_question(item, (chosen or {}).get(item.uid, HERE), dates) for item in look.conflicts),
        button=_button(look),
        wait=waiting(seconds * SLOWER_THAN_LOOKING) if look.changes_anything else "",
        faults=faults_of(fault) if fault else None,
    )


def _lines(look: Look, dates: DateStyle) -> list[LookLine]:
    days = [plain_day(day, dates) for day in dict.fromkeys((look.first_day, look.last_day)) if day]
    names = ", ".join(_where(item) for item in look.conflicts[:3])
    lines = [
        LookLine(label="New matches", small=" to ".join(days), number=look.new),
        LookLine(label="With more hands in the file", small="updated", number=look.more_there),
        LookLine(label="Here already", small="left as they are", number=look.same + look.more_here),
        LookLine(label="In another list here", small="left as they are", number=look.elsewhere),
        LookLine(label="Changed in both places", small=names, number=len(look.conflicts)),
        LookLine(label="Changes of names and people", small="added to those here", number=look.told),
    ]
    always = ("New matches", "Here already")
    return [line for line in lines if line.number or line.label in always]


def _where(item: Conflict) -> str:
    return f"{item.name}, hand {item.hand}" if item.hand else item.name


def _question(item: Conflict, chosen: str, dates: DateStyle) -> QuestionView:
    day = f" of {plain_day(item.day, dates)}" if item.day else ""
    where = f" in hand {item.hand}" if item.hand else ""
    answers = ((HERE, "the one here"), (FILE, "the one in the file"))
    return QuestionView(
        field=f"{CHOICE}{item.uid}",
        question=f"{item.name}{day} differs{where}. Which one counts?",
        choices=tuple(Choice(value=value, label=label, is_chosen=value == chosen) for value, label in answers),
    )


def _button(look: Look) -> str:
    if look.new:
        return f"Import {matches(look.new)}"
    return "Import the changes" if look.changes_anything else ""


def waiting(seconds: float) -> str:
    """Return how long an import takes, rounded up: "about 20 seconds", "about 2 minutes"."""
    if seconds < _LONG:
        return ""
    how_long = f"{ceil(seconds / 10) * 10} seconds" if seconds <= 50 else "a minute"
    if seconds > 60:
        how_long = f"{ceil(seconds / 60)} minutes"
    return f"The import takes about {how_long}. Leave this page open until it says what was imported."
