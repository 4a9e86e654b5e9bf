"""The small sheets: a pocket card to look up a rule during a hand, and a score pad to fill in by hand."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import RANK_NAMES, OffTrump, OneTrump, Trump
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.sheets.house_frame import blank_options, open_questions
from scorekeeper.pitch.sheets.parts import BidRow, Figure, OpenQuestion, Rule, Section, has_interpretations
from scorekeeper.pitch.sheets.rule_sheet import OFF_SUIT_SIGN, TRUMP_SIGN, RuleSheet, rule_sheet

_RULE_IDS_SHOWN_ABOVE = frozenset({"players.seats", "players.deck", "players.jokers", "deal.cards", "deal.six"})
"""The ids of the rules that the pocket card shows in its head, rather than in a section."""


@dataclass(frozen=True, slots=True)
class PocketCard:
    """A small card to look up a rule during a hand. The rules on disputes are on the rule sheet alone."""

    sheet: RuleSheet
    glance: tuple[Figure, ...]
    """The figures at the head of the card."""
    caption: str
    """The sentence below the row of trumps: "Here spades are trump; J♣ is the Off Jack."."""
    sections: tuple[Section, ...]
    questions: tuple[OpenQuestion, ...]
    """The questions still to be answered, except a number that has a blank in a rule to write it on."""
    has_interpretations: bool
    """Whether a rule on the card is an interpretation."""
    dispensable_rule_ids: tuple[str, ...]
    """The ids of the rules to leave out if room is short, in the order of leaving them out."""


def pocket_card(ruleset: Ruleset, base: Ruleset | None = None) -> PocketCard:
    """Return the pocket card of a ruleset; differences from `base`, its published version, are marked."""
    sheet = rule_sheet(ruleset, base)
    sections = tuple(_card_sections(ruleset, sheet.sections))
    rules = [rule for section in sections for rule in section.all_rules]
    special_names = phrases.join_words(_special_name_clauses(ruleset))
    return PocketCard(
        sheet=sheet,
        # A target has its blank in the rule of who wins.
        glance=sheet.glance[:-1] if "target" in blank_options(rules) else sheet.glance,
        caption=f"Here spades are trump{'; ' if special_names else ''}{special_names}.",
        sections=sections,
        questions=open_questions(ruleset, rules),
        has_interpretations=has_interpretations(rules),
        dispensable_rule_ids=tuple(_removal_order(rules, (base or ruleset).sheet.gives_way)),
    )


def _card_sections(ruleset: Ruleset, sections: tuple[Section, ...]) -> Iterator[Section]:
    """Yield the sections for the pocket card, without the rules that it shows elsewhere, and without empty sections."""
    # A rule still to be agreed is shown as its question with boxes.
    rule_ids_elsewhere = _RULE_IDS_SHOWN_ABOVE | {f"players.{award_id}" for award_id in ruleset.in_play}
    options_with_boxes = [option for option in ruleset.open_options if not QUESTIONS[option].is_number]
    for section in sections:
        left_out_ids = rule_ids_elsewhere.union(f"{section.id}.{option}" for option in options_with_boxes)
        if remaining_rules := tuple(rule for rule in section.all_rules if rule.id not in left_out_ids):
            yield replace(section, all_rules=remaining_rules)


def _special_name_clauses(ruleset: Ruleset) -> Iterator[str]:
    """Yield a clause for each trump with a special name, with spades as trumps: "J♣ is the Off Jack"."""
    for award_id, award in ruleset.in_play.items():
        match ruleset.kinds[award_id]:
            case OneTrump(OffTrump(rank)):
                yield f"{rank}{OFF_SUIT_SIGN} is the {award.name}"
            case OneTrump(Trump(rank)) if award.name.lower() != RANK_NAMES[rank]:
                yield f"{rank}{TRUMP_SIGN} is the {award.name}"


def _removal_order(rules: Iterable[Rule], ids: Sequence[str]) -> list[str]:
    """Return the ids of `rules` to leave out, in the order of `ids`; house rules and open rules are last."""
    is_kept_longest_by_id = {rule.id: rule.mark in ("house", "open") for rule in rules}
    return sorted(
        (rule_id for rule_id in ids if rule_id in is_kept_longest_by_id), key=is_kept_longest_by_id.__getitem__
    )


_BID_WORTH_RULE_IDS = ("bid.moon_wins", "bid.top_is_moon", "bid.double_loss_on_overtake")
"""The ids of the rules on bidding that the score pad shows, besides the table of bids."""
_DISPENSABLE_PAD_RULE_IDS = frozenset(
    {"win.before", "bid.top_is_moon", "bid.moon_wins", "count.made", "count.both_high", "win.defending", "win.settle"}
)
"""The ids of the rules that the score pad may leave out if room is short: seldom needed, or clear from the bids."""
_LEFT_OUT_COUNT_RULE_IDS = ("count.game_tie", "count.missing", "count.no_smudge", "count.below_zero")
"""The ids of rules on counting that the score pad leaves out."""

ColumnContent = Literal["number", "person", "bid", "award", "points", "mark"]
"""What players write in a column, which decides its width. A `mark` says whether the bid was made or set."""


@dataclass(frozen=True, slots=True)
class PadColumn:
    """A column of the score pad to write in."""

    head: str
    content: ColumnContent
    worth: str = ""
    """The points of the award that the column is for; empty for another column."""


@dataclass(frozen=True, slots=True)
class ScorePad:
    """A blank score sheet to fill in by hand, with the rules on bids, scoring and winning."""

    sheet: RuleSheet
    columns: tuple[PadColumn, ...]
    """The columns for a hand, with a column for each award."""
    short_columns: tuple[PadColumn, ...]
    """The columns for a hand where room is short, with one for all points or none, instead of one for each award."""
    max_scores: int
    """The greatest number of sides, or of players who play alone."""
    scores_head: str
    """The heading above all scores: "Totals", "Paid so far"."""
    end_row_heads: tuple[str, ...]
    """The heads of the rows below the last hand, "Times set"; each row has a box for each score."""
    award_points: str
    """The points of all awards, which `short_columns` do not show: "High 1, Low 1"."""
    bids: tuple[BidRow, ...]
    rules: tuple[Rule, ...]
    dispensable_rule_ids: frozenset[str]
    """The ids of the rules to leave out if room is short."""
    questions: tuple[OpenQuestion, ...]
    """The questions still to be answered, except a number that has a blank in a rule to write it on."""
    has_interpretations: bool
    """Whether a rule on the pad is an interpretation."""


def score_pad(ruleset: Ruleset, base: Ruleset | None = None) -> ScorePad:
    """Return the score pad of a ruleset; differences from `base`, its published version, are marked."""
    sheet = rule_sheet(ruleset, base)
    sections = {section.id: section for section in sheet.sections}
    bids = sections["bid"].bids
    left_out_ids = {*_LEFT_OUT_COUNT_RULE_IDS, *(f"count.{award_id}" for award_id in ruleset.awards)}
    rules = (
        *(rule for rule in sections["bid"].rules if rule.id in _BID_WORTH_RULE_IDS),
        *(rule for rule in sections["count"].rules if rule.id not in left_out_ids),
        *sections["win"].rules,
    )
    award_columns = [
        PadColumn(ruleset.awards[award_id].name, "award", str(ruleset.worth(award_id)))
        for award_id in ruleset.award_rows
    ]
    return ScorePad(
        sheet=sheet,
        columns=tuple(_hand_columns(ruleset, award_columns)),
        short_columns=tuple(_hand_columns(ruleset, [PadColumn("Points", "points")] if ruleset.has_bidding else [])),
        max_scores=ruleset.table.max_sides,
        scores_head=_scores_head(ruleset),
        end_row_heads=tuple(_end_row_heads(ruleset)),
        award_points=", ".join(f"{award.head} {award.worth}" for award in award_columns),
        bids=bids,
        rules=rules,
        dispensable_rule_ids=frozenset(
            rule.id for rule in rules if rule.id in _DISPENSABLE_PAD_RULE_IDS and rule.mark not in ("house", "open")
        ),
        questions=open_questions(ruleset, (*rules, *bids)),
        has_interpretations=has_interpretations((*rules, *bids)),
    )


def _hand_columns(ruleset: Ruleset, points_columns: list[PadColumn]) -> Iterator[PadColumn]:
    """Yield the columns for a hand, in order; `points_columns` are the columns for the points taken."""
    yield PadColumn("No.", "number")
    yield PadColumn("Dealer", "person")
    if ruleset.has_bidding:
        yield PadColumn("Bidder", "person")
        if ruleset.table.called:
            yield PadColumn("Partner", "person")
        yield PadColumn("Bid", "bid")
    yield from points_columns
    if ruleset.has_bidding:
        yield PadColumn("Made or set", "mark")


def _scores_head(ruleset: Ruleset) -> str:
    """Return the heading above all scores: "Paid so far", "Totals, from 11 down"."""
    head = "Paid so far" if ruleset.pays_by_hand else "Totals"
    start_score = ruleset.winning.count_down_from
    return f"{head}, from {start_score} down" if start_score else head


def _end_row_heads(ruleset: Ruleset) -> Iterator[str]:
    """Yield the heads of the rows below the last hand: "Times set", "Gets or pays"."""
    money = ruleset.money
    if ruleset.winning.set_limit or money.set_stake_cents or "set_stake_cents" in ruleset.open_options:
        yield "Times set"
    if ruleset.moon.moon == "money" and money.settles != "hand":
        yield "Paid for moons"
    if money.settles == "average":
        yield "Above or below the average"
    if ruleset.is_for_money and money.settles != "hand":
        yield "Gets or pays"
