"""The essentials of a ruleset on a small card: what players look up in the middle of a hand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import OneCard
from scorekeeper.rules.cards import RANK_NAMES, OffTrump, Trump
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.open_questions import open_questions
from scorekeeper.sheets.parts import BLANK, Figure, OpenQuestion, Rule, Section, TrumpPicture
from scorekeeper.sheets.rule_sheet import rule_sheet
from scorekeeper.sheets.trump_picture import OTHER, TRUMP

_SHOWN_ABOVE = frozenset({"players.seats", "players.deck", "players.jokers", "deal.cards", "deal.six"})
"""Rules that the figures at the head or the row of trumps say already."""
_GIVE_WAY = (
    "deal.offer",
    "trump.bunch",
    "trump.nine",
    "play.under",
    "play.exposed",
    "count.gift_three",
    "count.below_zero",
    "deal.left",
    "count.no_smudge",
    "bid.no_double_moon",
    "bid.no_moon",
    "bid.no_smudge",
    "play.smudge_lost",
    "play.end",
    "deal.cut",
    "bid.order",
    "win.defending",
    "bid.smudge_needs",
    "bid.moon_missing",
    "players.joker_order",
    "play.trick",
    "deal.misdeal",
    "play.shown",
    "play.throw_in",
    "trump.run",
    "trump.rest",
    "trump.share_the_wealth",
    "deal.face_down",
    "play.out",
    "trump.fair_game",
    "count.missing",
    "play.renege",
    "trump.name",
    "count.made",
    "trump.burn_points",
    "play.fish",
    "bid.top_is_moon",
    "deal.next",
    "play.lead",
    "play.follow",
)
"""Rules that may be left out where a card has no room for all, the first to go at the front."""


@dataclass(frozen=True, slots=True)
class PocketCard:
    """A small card, with the same sections as the rule sheet."""

    title: str
    glance: tuple[Figure, ...]
    trumps: TrumpPicture
    caption: str
    """Which suit is trump in the picture, and what its cards of another suit are."""
    sections: tuple[Section, ...]
    questions: tuple[OpenQuestion, ...]
    fingerprint: str
    has_readings: bool
    """Whether a rule on it rests on a reading, and is marked so."""
    gives_way: tuple[str, ...]
    """The ids of the rules that may be left out, the first to go at the front."""


def pocket_card(ruleset: Ruleset, base: Ruleset | None = None) -> PocketCard:
    """Return the card for a ruleset; what differs from `base` is marked."""
    sheet = rule_sheet(ruleset, base)
    sections = tuple(_sections(ruleset, sheet.sections))
    rules = [rule for section in sections for rule in (*section.intro, *section.rules)]
    bids = [row for section in sections for row in section.bids]
    blanks = {option for rule in rules if BLANK in rule.text for option in rule.origin.open}
    return PocketCard(
        title=sheet.title,
        # A target has its blank in the rule of who wins.
        glance=sheet.glance[:-1] if "target" in blanks else sheet.glance,
        trumps=sheet.trumps,
        caption=_caption(ruleset),
        sections=sections,
        questions=open_questions(ruleset, rules, bids),
        fingerprint=sheet.fingerprint,
        has_readings=any(it.mark == "reading" for section in sections for it in section.all_rules),
        gives_way=tuple(_gives_way(rules)),
    )


def _sections(ruleset: Ruleset, sections: tuple[Section, ...]) -> Iterator[Section]:
    """Yield the sections without what stands elsewhere on the card; those that are empty then are left out."""
    # The question with its boxes stands for an answer that is still to be agreed.
    said = _SHOWN_ABOVE | {f"players.{award_id}" for award_id in ruleset.in_play}
    asked = [option for option in ruleset.open_options if not QUESTIONS[option].is_number]
    said |= {f"{section.id}.{option}" for section in sections for option in asked}
    for section in sections:
        kept = replace(
            section,
            intro=tuple(rule for rule in section.intro if rule.id not in said),
            rules=tuple(rule for rule in section.rules if rule.id not in said),
        )
        if not kept.is_empty:
            yield kept


def _caption(ruleset: Ruleset) -> str:
    named = phrases.listed(f"{card} is the {name}" for card, name in _named_cards(ruleset))
    return f"Here spades are trump{'; ' if named else ''}{named}."


def _named_cards(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the cards of the picture that have a name of their own: "J♣" and "Off Jack"."""
    for award_id, award in ruleset.in_play.items():
        match ruleset.kinds[award_id]:
            case OneCard(OffTrump(rank)):
                yield f"{rank}{OTHER}", award.name
            case OneCard(Trump(rank)) if award.name.lower() != RANK_NAMES[rank]:
                yield f"{rank}{TRUMP}", award.name


def _gives_way(rules: list[Rule]) -> Iterator[str]:
    """Yield the ids of what may be left out; what the house changed goes last."""
    marked = {rule.id for rule in rules if rule.mark in ("house", "open")}
    present = {rule.id for rule in rules}
    yield from (rule_id for rule_id in _GIVE_WAY if rule_id in present - marked)
    yield from (rule_id for rule_id in _GIVE_WAY if rule_id in marked)
