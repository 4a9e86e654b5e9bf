"""The figures of two disjoint lots of matches, added, as the laws of statistics want them."""

from collections.abc import Hashable, Mapping
from heapq import merge
from typing import TypeVar

from scorekeeper.club.figures.people import (
    Count,
    HeadToHead,
    Memories,
    PairFigures,
    PersonFigures,
    Ranked,
    YearFigures,
    total,
)

Key = TypeVar("Key", bound=Hashable)


def counts(one: Mapping[Key, Count], other: Mapping[Key, Count]) -> dict[Key, Count]:
    """Return two tables of counts as one."""
    return {key: total((one.get(key, Count()), other.get(key, Count()))) for key in {**one, **other}}


def persons(one: PersonFigures, other: PersonFigures) -> PersonFigures:
    """Return what one person has played in both lots."""
    return PersonFigures(
        person=one.person,
        matches=tuple(merge(one.matches, other.matches, key=lambda match: match.order)),
        hands=one.hands + other.hands,
        bids=counts(one.bids, other.bids),
        partners=counts(one.partners, other.partners),
        called=counts(one.called, other.called),
        rivals=counts(one.rivals, other.rivals),
    )


def pairs(one: PairFigures, other: PairFigures) -> PairFigures:
    """Return what the people of a side have done in both lots."""
    return PairFigures(
        team=one.team,
        matches=total((one.matches, other.matches)),
        bids=total((one.bids, other.bids)),
        moons=total((one.moons, other.moons)),
        points=total((one.points, other.points)),
        biggest=max(one.biggest, other.biggest),
    )


def heads(one: HeadToHead, other: HeadToHead) -> HeadToHead:
    """Return what two sides came to in both lots."""
    return HeadToHead(
        one=pairs(one.one, other.one),
        other=pairs(one.other, other.other),
        matches=tuple(merge(one.matches, other.matches, key=lambda match: match.order)),
        memories=memories(one.memories, other.memories),
    )


def years(one: YearFigures, other: YearFigures) -> YearFigures:
    """Return a year's figures of both lots."""
    return YearFigures(
        months=tuple(mine + theirs for mine, theirs in zip(one.months, other.months, strict=True)),
        last_day=max(one.last_day, other.last_day),
        hands=one.hands + other.hands,
        thrown_in=one.thrown_in + other.thrown_in,
        bids=counts(one.bids, other.bids),
        standings=counts(one.standings, other.standings),
        pairs=counts(one.pairs, other.pairs),
        rules={name: one.rules.get(name, 0) + other.rules.get(name, 0) for name in {**one.rules, **other.rules}},
        memories=memories(one.memories, other.memories),
    )


def memories(one: Memories, other: Memories) -> Memories:
    """Return what is remembered of both lots, of two alike the earlier one."""
    return Memories(
        comeback=_better(one.comeback, other.comeback, 1),
        closest=_better(one.closest, other.closest, -1),
        longest=_better(one.longest, other.longest, 1),
        sets=_better(one.sets, other.sets, 1),
        moons=tuple(sorted((*one.moons, *other.moons), key=lambda item: item[0].order)),
    )


def _better(one: Ranked | None, other: Ranked | None, sign: int) -> Ranked | None:
    both = [item for item in (one, other) if item]
    return min(both, key=lambda item: (-sign * item[0], item[1].order), default=None)
