"""A score sheet to fill in by hand: the columns that a ruleset needs, and the rules that a scorer looks up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.bidding_section import bidding_section
from scorekeeper.sheets.parts import BidRow, Line
from scorekeeper.sheets.scoring_section import scoring_section
from scorekeeper.sheets.sheet_writer import SheetWriter
from scorekeeper.sheets.winning_section import winning_section

Holds = Literal["number", "person", "bid", "award", "points", "mark"]
"""What is written in a column, which decides its width."""


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
    """How many sides or players keep a score, at the largest table."""
    scores_head: str
    ends: tuple[str, ...]
    """What is written below the last hand, for each score."""
    awards: str
    """What each award scores, for a pad without a column for each: "High 1, Low 1"."""
    bids: tuple[BidRow, ...]
    rules: tuple[Line, ...]
    fingerprint: str


def score_pad(ruleset: Ruleset, base: Ruleset | None = None) -> ScorePad:
    """Return the pad for a ruleset."""
    writer = SheetWriter(ruleset, base or ruleset)
    rules = (*scoring_section(writer).lines, *winning_section(writer).lines)
    awards = [PadColumn(award.name, "award", str(award.points)) for award in ruleset.in_play.values()]
    return ScorePad(
        title=ruleset.name,
        columns=tuple(_columns(ruleset, awards)),
        short=tuple(_columns(ruleset, [PadColumn("Points", "points")] if ruleset.bidding.auction else [])),
        scores=max([*ruleset.table.partners.values(), ruleset.table.most]),
        scores_head=_scores_head(ruleset),
        ends=tuple(_ends(ruleset)),
        awards=", ".join(f"{award.head} {award.worth}" for award in awards),
        bids=bidding_section(writer).bids,
        rules=tuple(line for line in rules if not line.is_optional),
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


def _scores_head(ruleset: Ruleset) -> str:
    kept = "Paid so far" if ruleset.money.settles == "hand" else "Totals"
    start = ruleset.winning.count_down_from
    return f"{kept}, from {start} down" if start else kept


def _ends(ruleset: Ruleset) -> Iterator[str]:
    """Yield what is written at the end, where that is more than the score."""
    money = ruleset.money
    if ruleset.winning.set_limit or money.set_stake_cents or "set_stake_cents" in ruleset.open_options:
        yield "Times set"
    if ruleset.moon.moon == "money" and money.settles != "hand":
        yield "Paid for moons"
    if money.settles == "average":
        yield "Above or below the average"
    if ruleset.pays and money.settles != "hand":
        yield "Gets or pays"
