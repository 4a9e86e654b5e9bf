"""What a correction changed in a hand, in words: the old beside the new."""

from collections.abc import Iterator, Mapping
from typing import Any

from scorekeeper.engine.words import bid_word, plain

Hand = Mapping[str, Any]

_PLAIN = {"bid": "bid", "trump": "trump", "called": "called card", "thrown_in": "thrown in", "house_on": "date"}
_WHO = {"dealer": "dealer", "bidder": "bidder", "partner": "partner"}
_YES_OR_NO = {"all_tricks": "every trick", "overtook_pitch": "led card overtaken"}
_COUNTS = {"points": "points", "card_points": "card points"}
_SILENT = {"auction": "the calls", "note": "the note", "house": "the rules"}
"""Too long to be told: only that they changed."""
_OF_THE_HAND = {"bidders": "the bidders", "defenders": "the others"}


def changed_words(before: Hand, after: Hand, names: Mapping[str, str], awards: Mapping[str, str]) -> str:
    """Tell what is otherwise: "bid 3 → 4, Low Us → Them"; `awards` are their names by id."""
    return ", ".join(_changes(before, after, {**_OF_THE_HAND, **names}, awards))


def _changes(before: Hand, after: Hand, names: Mapping[str, str], awards: Mapping[str, str]) -> Iterator[str]:
    for field, label in (*_WHO.items(), *_PLAIN.items(), *_YES_OR_NO.items()):
        if before.get(field) != after.get(field):
            yield f"{label} {_word(field, before, names)} → {_word(field, after, names)}"
    old, new = before.get("taken") or {}, after.get("taken") or {}
    for award in dict.fromkeys((*old, *new)):
        if old.get(award) != new.get(award):
            yield f"{awards.get(award, award)} {_taker(old, award, names)} → {_taker(new, award, names)}"
    for field, label in _COUNTS.items():
        old, new = before.get(field) or {}, after.get(field) or {}
        for who in dict.fromkeys((*old, *new)):
            if old.get(who) != new.get(who):
                yield f"{label} of {names.get(who, who)} {_count(old, who)} → {_count(new, who)}"
    yield from (label for field, label in _SILENT.items() if before.get(field) != after.get(field))


def _word(field: str, hand: Hand, names: Mapping[str, str]) -> str:
    value = hand.get(field)
    if field == "partner" and field in hand and value is None:
        return "alone"
    if value is None:
        return "not said"
    if field in _WHO:
        return names.get(value, value)
    if field in _YES_OR_NO:
        return "yes" if value else "no"
    return bid_word(value)


def _taker(taken: Hand, award: str, names: Mapping[str, str]) -> str:
    if award not in taken:
        return "not said"
    return names.get(taken[award], taken[award]) if taken[award] else "nobody"


def _count(counts: Hand, who: str) -> str:
    return plain(counts[who]) if who in counts else "not said"
