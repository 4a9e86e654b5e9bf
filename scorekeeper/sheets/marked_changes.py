"""A rule that says something else than the book does is marked, whatever answer of the house it follows from."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from scorekeeper.sheets.parts import BidRow, Origin, Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter

_Said = tuple[str, ...]
_Part = TypeVar("_Part", Rule, BidRow)


def mark_changes(sections: Iterable[Section], book: Iterable[Section], writer: SheetWriter) -> tuple[Section, ...]:
    """Return the sections with every rule marked that the book does not have, or has in other words."""
    in_book: dict[str, _Said] = {}
    for section in book:
        in_book |= {row.id: _row(row) for row in section.bids}
        for rule in (*section.intro, *section.rules):
            in_book |= dict.fromkeys((rule.id, *rule.also), (rule.text,))
    return tuple(
        replace(
            section,
            intro=_marked(section.intro, in_book, writer),
            bids=_marked(section.bids, in_book, writer),
            rules=_marked(section.rules, in_book, writer),
        )
        for section in sections
    )


def _marked(parts: Sequence[_Part], in_book: dict[str, _Said], writer: SheetWriter) -> tuple[_Part, ...]:
    return tuple(
        part
        if part.origin.house or part.origin.agreed or _said(part) == in_book.get(part.id)
        else replace(part, origin=_because_of_all(part.origin, writer))
        for part in parts
    )


def _because_of_all(origin: Origin, writer: SheetWriter) -> Origin:
    """Return the origin of a rule that follows from what the house changed, all taken together."""
    left_open = writer.base.open_options
    return replace(
        origin,
        house=tuple(name for name in writer.changed if name not in left_open),
        agreed=tuple(name for name in writer.changed if name in left_open),
    )


def _said(part: Rule | BidRow) -> _Said:
    return (part.text,) if isinstance(part, Rule) else _row(part)


def _row(row: BidRow) -> _Said:
    return row.bid, row.needs, row.made, row.cost
