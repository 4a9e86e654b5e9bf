"""The new-match form: names round the table, the first dealer, and what the table agreed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.rules.finding import seats as seat_counts
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import value_of, word_of
from scorekeeper.rules.schema import Ruleset, Table

MARKS = 12
"""As many sides as wear markers of their own."""

HOUSE_FIELD, SEAT_FIELD, SIDE_FIELD, MARK_FIELD = "house-", "seat-", "side-", "mark-"
PARTNERS, ALONE = "partners", "alone"
USUAL_SIDES = ("Us", "Them")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDraft:
    """What has been typed and tapped so far."""

    seats: int
    names: tuple[str, ...]
    """One for each seat, clockwise; empty where nothing was typed."""
    side_names: tuple[str, ...]
    dealer: int = 0
    """The seat that deals first, from 0; −1 where nobody was tapped."""
    seating: str = PARTNERS
    """Whether a table that can be seated either way plays with partners or alone."""
    house: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    marks: tuple[int, ...] = ()
    """The markers that the sides wore last time, in their order."""

    @property
    def is_unnamed(self) -> bool:
        """Whether the table does not care who sits where."""
        return not any(self.names)


def both_ways(table: Table, seats: int) -> bool:
    """Tell whether so many may play with partners or alone."""
    return seats in table.partners and table.fewest <= seats <= table.most


def with_partners(table: Table, draft: TableDraft) -> bool:
    """Tell whether this table plays with partners."""
    if both_ways(table, draft.seats):
        return draft.seating == PARTNERS
    return draft.seats in table.partners


def fresh(ruleset: Ruleset, seats: int | None = None) -> TableDraft:
    """Begin with an empty table of the usual size."""
    counts = seat_counts(ruleset.table)
    chosen = seats if seats in counts else 4 if 4 in counts else counts[0]
    first = ALONE if ruleset.table.most and not ruleset.table.open else PARTNERS
    sides = ruleset.table.partners.get(chosen, 0)
    names = USUAL_SIDES if sides == len(USUAL_SIDES) else ("",) * sides
    return TableDraft(seats=chosen, names=("",) * chosen, side_names=names, seating=first)


def from_form(ruleset: Ruleset, form: Mapping[str, str]) -> TableDraft:
    """Read what was posted; chairs that were not there yet are empty."""
    asked = _number(form.get("seats", "")) or _number(form.get("chairs", ""))
    empty = fresh(ruleset, asked)
    side_names = tuple(_tidy(form.get(f"{SIDE_FIELD}{i}", usual)) for i, usual in enumerate(empty.side_names))
    dealer = _number(form.get("dealer", ""))
    return replace(
        empty,
        names=tuple(_tidy(form.get(f"{SEAT_FIELD}{i}", "")) for i in range(empty.seats)),
        side_names=side_names,
        dealer=dealer if dealer is not None and dealer < empty.seats else 0,
        seating=ALONE if form.get("seating") == ALONE else PARTNERS if "seating" in form else empty.seating,
        house={
            name.removeprefix(HOUSE_FIELD): value
            for name, value in form.items()
            if name.startswith(HOUSE_FIELD) and value
        },
        title=_tidy(form.get("title", "")),
        marks=_marks(form),
    )


def _marks(form: Mapping[str, str]) -> tuple[int, ...]:
    told = [form[name] for i in range(MARKS) if (name := f"{MARK_FIELD}{i}") in form]
    return tuple(_number(mark) or 0 for mark in told)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


def house_of(ruleset: Ruleset, draft: TableDraft) -> dict[str, Any]:
    """Give the answers that differ from the book's."""
    house = {}
    for name, word in draft.house.items():
        known = options().get(name)
        if known is None or word_of(ruleset.answer(name)) != word:
            house[name] = value_of(word)
    return house


def players_and_sides(
    ruleset: Ruleset, draft: TableDraft
) -> tuple[tuple[str, ...] | None, tuple[tuple[str, tuple[str, ...]], ...] | None]:
    """Give who sits where, as a match begins with it."""
    if not with_partners(ruleset.table, draft):
        return draft.names, None
    number = ruleset.table.partners[draft.seats]
    teams = [() if draft.is_unnamed else draft.names[i::number] for i in range(number)]
    if not draft.is_unnamed and not any(draft.side_names) and not both_ways(ruleset.table, draft.seats):
        return draft.names, None
    named = tuple(
        (name or " & ".join(team) or f"Side {i}", tuple(team))
        for i, (name, team) in enumerate(zip(draft.side_names, teams, strict=True), 1)
    )
    return (None if draft.is_unnamed else draft.names), named


def first_dealer(ruleset: Ruleset, draft: TableDraft) -> str | None:
    """Name who deals first: a player, or a side where nobody said who sits where."""
    if draft.dealer < 0:
        return None
    if not draft.is_unnamed:
        return draft.names[draft.dealer] or None
    _, sides = players_and_sides(ruleset, draft)
    return sides[draft.dealer % len(sides)][0] if sides else None
