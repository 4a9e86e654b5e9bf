"""A score sheet to fill in by hand: the columns that a ruleset needs, and the rules that a scorer looks up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.open_questions import open_questions
from scorekeeper.sheets.parts import BidRow, OpenQuestion, Rule
from scorekeeper.sheets.rule_sheet import rule_sheet

_WORTH_OF_BIDS = ("bid.moon_wins", "bid.top_is_moon", "bid.double_loss_on_overtake")
"""Rules of the bidding that a scorer looks up."""
_SPARE = frozenset({"bid.top_is_moon", "count.made", "count.both_high", "win.defending", "win.settle"})
"""Rules that the line of the bids implies, or that seldom matter."""
_LEFT_OUT = ("count.game_tie", "count.missing", "count.no_smudge", "count.below_zero")
"""Rules of counting that a scorer does without; so are those of who scores an award."""

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
    rules: tuple[Rule, ...]
    spare: frozenset[str]
    """The ids of those that give way where there is room for few hands."""
    questions: tuple[OpenQuestion, ...]
    """What is still to be agreed and has no blank in the rules."""
    has_readings: bool
    """Whether a rule on it rests on a reading, and is marked so."""
    fingerprint: str


def score_pad(ruleset: Ruleset, base: Ruleset | None = None) -> ScorePad:
    """Return the pad for a ruleset."""
    sections = {section.id: section for section in rule_sheet(ruleset, base).sections}
    bids = sections["bid"].bids
    rules = (
        *(rule for rule in sections["bid"].rules if rule.id in _WORTH_OF_BIDS),
        *(rule for rule in sections["count"].rules if not _is_left_out(ruleset, rule)),
        *sections["win"].rules,
    )
    awards = [PadColumn(award.name, "award", str(award.points)) for award in ruleset.in_play.values()]
    return ScorePad(
        title=ruleset.name,
        columns=tuple(_columns(ruleset, awards)),
        short=tuple(_columns(ruleset, [PadColumn("Points", "points")] if ruleset.bidding.auction else [])),
        scores=max([*ruleset.table.partners.values(), ruleset.table.most]),
        scores_head=_scores_head(ruleset),
        ends=tuple(_ends(ruleset)),
        awards=", ".join(f"{award.head} {award.worth}" for award in awards),
        bids=bids,
        rules=rules,
        spare=frozenset(rule.id for rule in rules if rule.id in _SPARE and rule.mark not in ("house", "open")),
        questions=open_questions(ruleset, rules, bids),
        has_readings=any(mark == "reading" for mark in (*(it.mark for it in rules), *(it.mark for it in bids))),
        fingerprint=fingerprint(ruleset),
    )


def _is_left_out(ruleset: Ruleset, rule: Rule) -> bool:
    return rule.id in _LEFT_OUT or rule.id.removeprefix("count.") in ruleset.awards


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
