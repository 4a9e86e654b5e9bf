"""A match at Grandma's of ten hands of Colorado Ten Point, of which the sixth has points only."""

from typing import Any

AWARDS = "ace jack off_jack high_joker low_joker ten trey deuce".split()
NEARLY_ALL = "ace jack off_jack high_joker low_joker ten trey"
HANDS: tuple[tuple[str, int, str, str, str], ...] = (
    ("Ann", 5, "spades", "ace jack high_joker low_joker ten", "off_jack"),
    ("Bea", 6, "clubs", "ace jack", "off_jack"),
    ("Ann", 7, "hearts", "ace jack off_jack high_joker trey", ""),
    ("Bea", 6, "diamonds", "ace jack deuce", ""),
    ("Cal", 6, "spades", "ace jack off_jack high_joker ten", ""),
    ("Dan", 5, "hearts", "", ""),
    ("Ann", 8, "clubs", NEARLY_ALL, ""),
    ("Cal", 5, "spades", "ace jack off_jack trey", ""),
    ("Ann", 8, "diamonds", NEARLY_ALL, ""),
    ("Cal", 6, "hearts", "ace jack off_jack trey", ""),
)
"""Who bid what in which suit, what Ann and Cal took, and what nobody did; Bea and Dan took the rest."""
BY_POINTS = 6


def thursday(hands: int = len(HANDS), *, names: tuple[str, str] = ("Us", "Them"), **more: Any) -> dict[str, Any]:
    """Return the record of the match, or of its first hands."""
    us, them = names
    told = [_hand(place, *hand, names) for place, hand in enumerate(HANDS[:hands], 1)]
    sides = [{"name": us, "players": ["Ann", "Cal"]}, {"name": them, "players": ["Bea", "Dan"]}]
    record = {"format": "pitch-record/1", "variant": "colorado-ten-point", "sides": sides, "hands": told}
    return {**record, "title": "Thursday at Grandma’s", **more}


def _hand(
    place: int, bidder: str, bid: int, trump: str, ours: str, nobodys: str, names: tuple[str, str]
) -> dict[str, Any]:
    us, them = names
    hand: dict[str, Any] = {"bidder": bidder, "bid": bid, "trump": trump}
    if place == BY_POINTS:
        return {**hand, "points": {us: 2, them: 8}}
    taken = {award: us if award in ours.split() else None if award in nobodys.split() else them for award in AWARDS}
    return {**hand, "taken": taken}
