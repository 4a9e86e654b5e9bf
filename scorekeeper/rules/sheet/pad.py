"""A score sheet to fill by hand: the columns that a ruleset needs, and the rules that its scorer asks for."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules import words
from scorekeeper.rules.digest import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.bidding import bidding
from scorekeeper.rules.sheet.scoring import scoring
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import BidRow, Line
from scorekeeper.rules.sheet.winning import winning

Holds = Literal["number", "person", "bid", "award", "points", "mark"]
"""What is written in a column; it takes room accordingly."""


@dataclass(frozen=True, slots=True)
class PadColumn:
    """A column to write in."""

    head: str
    holds: Holds
    worth: str = ""
    """What an award scores."""


@dataclass(frozen=True, slots=True)
class ScorePad:
    """A blank score sheet."""

    title: str
    columns: tuple[PadColumn, ...]
    """What happened in a hand, award by award."""
    short: tuple[PadColumn, ...]
    """The same in fewer columns, with the bidder's points instead of the awards."""
    scores: int
    """How many have a score of their own."""
    scores_head: str
    ends: tuple[str, ...]
    """What is worked out below the last hand, for each score."""
    awards: str
    """What each award scores, in a sentence for a pad that has no column for it: "High 1, Low 1"."""
    bids: tuple[BidRow, ...]
    rules: tuple[Line, ...]
    fingerprint: str


def score_pad(ruleset: Ruleset, base: Ruleset | None = None) -> ScorePad:
    """Tell what a pad for this ruleset needs."""
    telling = Telling(ruleset, base or ruleset)
    told = (*scoring(telling, None).lines, *winning(telling).lines)
    return ScorePad(
        title=ruleset.name,
        columns=tuple(_columns(ruleset, _awards(ruleset))),
        short=tuple(_columns(ruleset, [PadColumn("Points", "points")] if ruleset.bidding.auction else [])),
        scores=_scores(ruleset),
        scores_head=_scores_head(ruleset),
        ends=tuple(_ends(ruleset)),
        awards=", ".join(f"{award.name} {award.points}" for award in ruleset.in_play.values()),
        bids=bidding(telling).bids,
        rules=tuple(line for line in told if not line.is_spare),
        fingerprint=fingerprint(ruleset),
    )


def _columns(ruleset: Ruleset, taken: list[PadColumn]) -> Iterator[PadColumn]:
    yield PadColumn("No.", "number")
    yield PadColumn("Dealer", "person")
    if ruleset.bidding.auction:
        yield PadColumn("Bidder", "person")
        if ruleset.table.called:
            yield PadColumn("Partner", "person")
        yield PadColumn("Bid", "bid")
    yield from taken
    if ruleset.bidding.auction:
        yield PadColumn("Made or set", "mark")


def _awards(ruleset: Ruleset) -> list[PadColumn]:
    return [PadColumn(award.name, "award", str(award.points)) for award in ruleset.in_play.values()]


def _scores(ruleset: Ruleset) -> int:
    """Count the scores of the largest table."""
    table = ruleset.table
    return max([*table.partners.values(), table.most])


def _scores_head(ruleset: Ruleset) -> str:
    kept = "Paid so far" if ruleset.money.settles == "hand" else "Totals"
    start = ruleset.winning.count_down_from
    return f"{kept}, from {start} down" if start else kept


def _ends(ruleset: Ruleset) -> Iterator[str]:
    """Tell what is worked out at the end, where the score itself is not all."""
    money = ruleset.money
    if ruleset.winning.set_limit or money.set_stake_cents or "set_stake_cents" in ruleset.open_options:
        yield "Times set"
    if ruleset.moon.moon == "money" and money.settles != "hand":
        yield "Paid for moons"
    if money.settles == "average":
        yield "Above or below the average"
    if ruleset.pays and money.settles != "hand":
        yield words.sentence("gets or pays")
