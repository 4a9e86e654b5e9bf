"""Hands in the words of the table: `hand("Us bid 3 | Us high low jack | Them game", …)`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, Bid, Hand

NOBODY = "nobody"
ALONE: dict[str, dict[str, Any]] = {
    "misdeal": {"thrown_in": "misdeal"},
    "ran out": {"thrown_in": "ran_out"},
    "all passed": {"thrown_in": "all_passed"},
    "no calls": {"auction": ()},
    "over a pitch": {"overtook_pitch": True},
    "alone": {"partner": None, "alone": True},
}
"""Parts that stand by themselves."""
OF_THE_HAND = r"in (?P<trump>.*)|called (?P<called>.*)|with (?P<partner>.*)|bid (?P<bid>.*)"
OF_SOMEBODY = {
    r"(-?\d+) points?": "points",
    r"(-?\d+) card points?": "card_points",
    r"penalty (\d+)": "penalties",
    r"given (\d+)": "penalties_to",
    r"gives up (\w+)": "forfeits",
}
"""What follows a name, and is a number or a word for each."""
AS_WHO = {"deals": "dealer", "bids": "bidder", "first there": "first_there"}


@dataclass(slots=True)
class _Parser:
    ruleset: Ruleset
    names: Sequence[str]
    values: dict[str, Any] = field(default_factory=dict)

    def who(self, part: str) -> tuple[str, str]:
        """Split the longest name off the front."""
        known = sorted([*self.names, BIDDERS, DEFENDERS, NOBODY], key=len, reverse=True)
        name = next((name for name in known if part == name or part.startswith(f"{name} ")), None)
        assert name is not None, f"Who is that: {part!r}?"
        return name, part.removeprefix(name).strip()

    def parse(self, part: str) -> None:
        if part in ALONE:
            self.values |= ALONE[part]
        elif match := re.fullmatch(OF_THE_HAND, part):
            self.values |= {name: _bid(word) for name, word in match.groupdict().items() if word}
        elif part.startswith("calls "):
            calls = (self.who(call.strip()) for call in part.removeprefix("calls ").split(","))
            self.values["auction"] = tuple((who, _bid(call)) for who, call in calls)
        else:
            self.parse_of(*self.who(part))

    def parse_of(self, who: str, what: str) -> None:
        for pattern, name in OF_SOMEBODY.items():
            if match := re.fullmatch(pattern, what):
                self.values.setdefault(name, {})[who] = _bid(match[1])
                return
        if what in AS_WHO:
            self.values[AS_WHO[what]] = who
        elif what.startswith("bid "):
            self.bids(who, what.removeprefix("bid "))
        else:
            self.takes(None if who == NOBODY else who, what)

    def bids(self, who: str, what: str) -> None:
        match = re.fullmatch(
            r"(\w+)(?: with (.+?)| (alone))?(?:, (every trick|not every trick))?(, over a pitch)?", what
        )
        assert match, f"What bid is that: {what!r}?"
        self.values |= {"bidder": who, "bid": _bid(match[1])}
        if match[2] or match[3]:
            self.values |= {"partner": match[2], "alone": match[2] is None}
        if match[4]:
            self.values["all_tricks"] = match[4] == "every trick"
        if match[5]:
            self.values["overtook_pitch"] = True

    def takes(self, who: str | None, what: str) -> None:
        taken = self.values.setdefault("taken", {})
        if what == "the rest":
            taken |= {award_id: who for award_id in self.ruleset.in_play if award_id not in taken}
        else:
            awards = [award.replace("-", "_") for award in what.split()]
            taken |= dict.fromkeys(awards, who)
            if often := {award: awards.count(award) for award in awards if awards.count(award) > 1}:
                self.values["times"] = {**self.values.get("times", {}), **often}


def _bid(word: str) -> Bid:
    return int(word) if word.lstrip("-").isdigit() else word


def hand(text: str, ruleset: Ruleset, names: Sequence[str]) -> Hand:
    """Read a hand from table words, part by part."""
    parser = _Parser(ruleset, names)
    for part in text.split("|"):
        parser.parse(part.strip())
    return Hand(**parser.values)
