"""Names into ids and back: what is stored does not change when somebody is renamed."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.engine.hand import BIDDERS, DEFENDERS

_WHO = ("dealer", "bidder", "partner")
_KEYED_BY_WHO = ("points", "card_points")
_OF_THE_HAND = (BIDDERS, DEFENDERS)


class UnknownWho(Exception):
    """Somebody in a hand does not sit at the table; `field` says where."""

    def __init__(self, field: str, who: object) -> None:
        super().__init__(f"Nobody called {who} sits at this table.")
        self.field = field


def hand_with(hand: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Give a hand with everybody in it called as `words` says; raises `UnknownWho`.

    What has not the shape of a hand is left as it is: the engine says what is wrong with it.
    """
    changed = dict(hand)
    for field in _WHO:
        if isinstance(hand.get(field), str):
            changed[field] = _word(words, field, hand[field])
    for field in _KEYED_BY_WHO:
        if isinstance(hand.get(field), Mapping):
            changed[field] = _keyed(words, field, hand[field])
    if isinstance(hand.get("taken"), Mapping):
        changed["taken"] = {
            award: _word(words, f"taken.{award}", who) if isinstance(who, str) else who
            for award, who in hand["taken"].items()
        }
    if isinstance(hand.get("auction"), list | tuple):
        changed["auction"] = [_call(words, i, call) for i, call in enumerate(hand["auction"])]
    return changed


def start_with(start: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    """Give what was carried over, with the sides called as `words` says."""
    return {key: _keyed(words, key, value) if isinstance(value, Mapping) else value for key, value in start.items()}


def _word(words: Mapping[str, str], field: str, who: str) -> str:
    if who in _OF_THE_HAND:
        return who
    try:
        return words[who]
    except KeyError:
        raise UnknownWho(field, who) from None


def _keyed(words: Mapping[str, str], field: str, numbers: Mapping[str, Any]) -> dict[str, Any]:
    return {_word(words, f"{field}.{who}", who): number for who, number in numbers.items()}


def _call(words: Mapping[str, str], place: int, call: Any) -> Any:
    if isinstance(call, list | tuple) and call and isinstance(call[0], str):
        return [_word(words, f"auction.{place}.0", call[0]), *call[1:]]
    return call


def field_with(field: str, words: Mapping[str, str]) -> str:
    """Give the path of a fault with everybody in it called as `words` says."""
    head, dot, who = field.partition(".")
    return f"{head}.{words.get(who, who)}" if dot and head in _KEYED_BY_WHO else field
