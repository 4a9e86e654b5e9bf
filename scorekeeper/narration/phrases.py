"""Numbers, names and bids as they are said at the table."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from scorekeeper.engine.hand import TAKE_SET, Bid, Call, SideId
from scorekeeper.engine.seats import Seats
from scorekeeper.ledger.setup import SPOKEN
from scorekeeper.rules.phrases import listed

Key = TypeVar("Key")
Value = TypeVar("Value")
MINUS = "−"
SUIT_SIGNS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_SHAPES = ("circle", "square", "triangle", "cross", "hexagon", "shield")
Names = Mapping[str, str]
"""Display names, by the ids of seats and sides."""


class _IdsAsNames(dict[str, str]):
    def __missing__(self, who: str) -> str:
        return who


IDS_AS_NAMES: Names = _IdsAsNames()
"""The names in a record from a file, where everybody's name is the id as well."""


def names_over_ids(names: Names) -> Names:
    """Return names of which those that are not given are the ids, as in a record in which somebody sat in."""
    return _IdsAsNames(names) if names else IDS_AS_NAMES


def signed(number: int) -> str:
    """Return a change of score with its sign.

    >>> [signed(number) for number in (3, 0, -5)]
    ['+3', '0', '−5']
    """
    return f"+{number}" if number > 0 else score_text(number)


def score_text(number: int) -> str:
    """Return a number with a real minus sign.

    >>> score_text(-5)
    '−5'
    """
    return f"{MINUS}{-number}" if number < 0 else str(number)


def joined(*parts: str) -> str:
    """Return the parts that are not empty, with a space between them."""
    return " ".join(filter(None, parts))


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return together what has the same key, in the order in which it came.

    >>> grouped([(3, "Ann"), (0, "Bea"), (3, "Cal")])
    {3: ['Ann', 'Cal'], 0: ['Bea']}
    """
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def before_number(name: str) -> str:
    """Return a name before a number: "Us" 19, but "Seat 3:" 19.

    >>> [before_number(name) for name in ("Us", "Seat 3")]
    ['Us', 'Seat 3:']
    """
    return f"{name}:" if is_numbered(name) else name


def is_numbered(name: str) -> bool:
    """Return whether a name ends in a number, as that of a seat in which nobody has one."""
    return name[-1:].isdigit() or name in {*SPOKEN["sides"]}


def scores_text(scores: Mapping[SideId, int], names: Names) -> str:
    """Return everybody's score: "Us 19, Them −2"."""
    return ", ".join(f"{before_number(names[side])} {score_text(score)}" for side, score in scores.items())


def changes_text(deltas: Mapping[SideId, int], names: Names) -> str:
    """Return everybody's change of score: "Us +4, Them 0"."""
    return ", ".join(f"{names[side]} {signed(points)}" for side, points in deltas.items())


def sits_in_words(newcomers: Names) -> str:
    """Return who sits in for whom, by the names of those who left.

    >>> sits_in_words({"Cal": "Eva"})
    'Eva sits in for Cal'
    """
    return ", and ".join(f"{newcomer} sits in for {leaver}" for leaver, newcomer in newcomers.items())


def named(who: Iterable[str], names: Names) -> list[str]:
    """Return the names of several people or sides."""
    return [names[one] for one in who]


def opponents(sides: Iterable[SideId], names: Names) -> str:
    """Return who plays whom: "Ann & Cal v. Bea & Dan"; where more than two sides play, who plays.

    >>> opponents(("Ann", "Bea", "Cal"), IDS_AS_NAMES)
    'Ann, Bea and Cal'
    """
    found = named(sides, names)
    return " v. ".join(found) if len(found) == 2 else listed(found)


def bid_word(bid: Bid | None) -> str:
    """Return a bid as the table says it."""
    return str(bid).replace("_", " ")


def call_word(call: Call) -> str:
    """Return a call as the table says it."""
    return "go set" if call == TAKE_SET else bid_word(call)


def marker_name(marker: int) -> str:
    """Return what a side's marker is called: "square", "outlined circle"."""
    name = _SHAPES[(marker - 1) % len(_SHAPES)]
    return name if marker <= len(_SHAPES) else f"outlined {name}"


def hands_played(number: int) -> str:
    """Return how many hands are behind, in words.

    >>> [hands_played(number) for number in (1, 3)]
    ['1 hand is played', '3 hands are played']
    """
    return f"{number} hand is played" if number == 1 else f"{number} hands are played"


def verb(seats: Seats, sides: Sequence[SideId], plural: str, singular: str) -> str:
    """Return the form of a verb that fits: Us win, Ann wins. A side of one seat alone is one person."""
    is_one = len(sides) == 1 and len(seats.side(sides[0]).seats) == 1
    return singular if is_one else plural


_SINGULARS = {
    "have": "has",
    "are": "is",
    "were": "was",
    "do": "does",
    "reach": "reaches",
    "win": "wins",
    "lead": "leads",
}
_PLURALS = {singular: plural for plural, singular in _SINGULARS.items()} | {
    f"{plural}s": plural for plural in ("bid", "deal", "get", "owe", "pay")
}
_PRONOUNS = dict(zip(SPOKEN["we"], (("we", "us", "our", "ours"), ("they", "them", "their", "theirs")), strict=True))
_NUMBERED = dict(zip(SPOKEN["sides"], ("Side 1", "Side 2"), strict=True))
UNNAMED = "".join(SPOKEN.values())
"""The names of sides that nobody named, letter by letter."""
_UNNAMED = re.compile(
    r"(?:(?P<start>(?:^|[\n>.?!:“\"(])\s*)|(?P<object>\b(?:to|for|of|with|by|from|than|before|makes|let|pays?)\s)"
    rf"|(?P<and>and ))?(?P<side>[{UNNAMED}])(?P<own>’s)?(?P<next> [a-z]+)?"
)
_AND_HAVE = re.compile(rf"([{SPOKEN['sides']}] bid [^.;<]*, and )have\b")
"""A verb of the same side, further on: "Side 1 bid 4, made it, and has 11"."""


def spoken(text: str) -> str:
    """Return a text with the words for sides that nobody named: "We win", "the rest to us", "Side 2 has 19".

    >>> we, they = SPOKEN["we"]
    >>> spoken(f"{we} bids 3, made it and have 21; {they} have 22. The rest to {they}. Low was {we}’s")
    'We bid 3, made it and have 21; they have 22. The rest to them. Low was ours'
    >>> spoken(f"{SPOKEN['sides'][1]} have 22")
    'Side 2 has 22'
    >>> spoken(f"{SPOKEN['sides'][0]} bid 4, took 4, made it, and have 11.")
    'Side 1 bid 4, took 4, made it, and has 11.'
    """
    if not any(letter in text for letter in UNNAMED):
        return text
    return _UNNAMED.sub(_said, _AND_HAVE.sub(r"\1has", text))


def _said(found: re.Match[str]) -> str:
    side, own, after = found["side"], found["own"] or "", found["next"] or ""
    before, word = found["start"] or found["object"] or found["and"] or "", after.strip()
    if side in _NUMBERED:
        is_alone = found["and"] is None
        return f"{before}{_NUMBERED[side]}{own}{after and ' '}{_SINGULARS.get(word, word) if is_alone else word}"
    subject, as_object, our, ours = _PRONOUNS[side]
    said = (our if word in ("deal", "phone") else ours) if own else as_object if found["object"] else subject
    if found["start"] is not None or (said == subject and not word):
        said = said.capitalize()
    return f"{before}{said}{after and ' '}{_PLURALS.get(word, word)}"


def pronoun(name: str) -> str:
    """Return the word for a side that nobody named, as an object; empty for any other.

    >>> [pronoun(name) for name in (*SPOKEN["we"], "Ann")]
    ['us', 'them', '']
    """
    return spoken(f"to {name}").removeprefix("to ") if name in UNNAMED else ""
