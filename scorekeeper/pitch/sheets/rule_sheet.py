"""The rules of a table, numbered and in the order in which they are needed, for the web page and the printed sheet."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from scorekeeper.pitch.rules.codes import fingerprint
from scorekeeper.pitch.rules.library import SOURCES
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.sources import Citation, cite
from scorekeeper.pitch.sheets.house_frame import arguments, house_frame, mark_changes
from scorekeeper.pitch.sheets.parts import (
    Argument,
    Figure,
    HouseFrame,
    Rule,
    Section,
    SectionId,
    SheetWriter,
    TrumpPicture,
    WorkedHand,
    has_readings,
)
from scorekeeper.pitch.sheets.sections_before_play import bid_rules, deal_rules, draws_cards, players_rules, trump_rules
from scorekeeper.pitch.sheets.sections_of_play import count_rules, play_rules, win_rules
from scorekeeper.pitch.sheets.sheet_head import aim, key_figures, tally, trump_picture
from scorekeeper.pitch.sheets.worked_hands import spare_hand, worked_hands

_SECTIONS: tuple[tuple[SectionId, str, Callable[[SheetWriter], Iterator[Rule]]], ...] = (
    ("players", "Players and cards", players_rules),
    ("deal", "Deal", deal_rules),
    ("bid", "Bid", bid_rules),
    ("trump", "Trump and draw", trump_rules),
    ("play", "Play", play_rules),
    ("count", "Count", count_rules),
    ("win", "Win", win_rules),
    ("argue", "Where tables argue", lambda _: iter(())),  # its rules are all in the data
)
HOUSE = len(_SECTIONS) + 1
"""The number of the section after those with rules."""
_CHARACTERS_IN_A_LINE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSheet:
    """The rules of a table."""

    title: str
    also: str
    """Other names of the game, as many as fit in a line."""
    based_on: str
    """The name of the variant that a house made these rules from; empty where they are the variant itself."""
    aim: str
    """What the game is about, in one sentence."""
    glance: tuple[Figure, ...]
    trumps: TrumpPicture
    sections: tuple[Section, ...]
    """Those of the game, in reading order."""
    hands: tuple[WorkedHand, ...]
    """The usual one first, then one for the odd rule."""
    spare_hand: WorkedHand | None
    """One more, for a page that has room for it."""
    tally: tuple[str, ...]
    """The heads of a card to keep score on; those of the sides are empty."""
    arguments: tuple[Argument, ...]
    disputes: Section
    """What tables argue about and no rule of the game answers; where the sources are silent it is up to the table."""
    house: HouseFrame
    sources: tuple[Citation, ...]
    """The documents that the rules come from, the foremost first."""
    fingerprint: str

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in order."""
        return _rules_of((*self.sections, self.disputes))

    @property
    def has_disputes(self) -> bool:
        """Whether there is anything that tables argue about."""
        return bool(self.arguments or self.disputes.all_rules)

    @property
    def has_readings(self) -> bool:
        """Whether a rule or something to choose rests on a reading, and is marked so."""
        return has_readings(self.rules) or self.house.has_readings


def rule_sheet(ruleset: Ruleset, base: Ruleset | None = None) -> RuleSheet:
    """Return the sheet for a ruleset; what differs from `base`, the book's version of it, is marked."""
    base = base or ruleset
    writer = SheetWriter(ruleset, base)
    sections = _write_sections(writer)
    if writer.changed:
        sections = mark_changes(sections, _write_sections(SheetWriter(base, base)), writer)
    *of_the_game, disputes = _numbered(sections)
    return RuleSheet(
        title=ruleset.name,
        also=_other_names(ruleset),
        based_on=base.name if ruleset.name != base.name else "",
        aim=aim(ruleset),
        glance=key_figures(writer),
        trumps=trump_picture(writer),
        sections=tuple(of_the_game),
        hands=(hands := worked_hands(ruleset)),
        spare_hand=spare_hand(ruleset, hands),
        tally=tally(ruleset),
        arguments=arguments(writer, _rules_of(of_the_game)),
        disputes=disputes,
        house=house_frame(writer),
        sources=cite(base.source, SOURCES),
        fingerprint=fingerprint(ruleset),
    )


def numbered_rules(ruleset: Ruleset, base: Ruleset) -> tuple[Rule, ...]:
    """Return every rule of a sheet with its number, without the marks of the house."""
    return _rules_of(_numbered(_write_sections(SheetWriter(ruleset, base))))


def _write_sections(writer: SheetWriter) -> tuple[Section, ...]:
    sections: list[Section] = []
    for section_id, title, rules in _SECTIONS:
        ids = {rule_id for rule in _rules_of(sections) for rule_id in (rule.id, *rule.also)}
        title = "Trump" if section_id == "trump" and not draws_cards(writer.ruleset) else title
        sections.append(Section(section_id, title, writer.with_own(section_id, rules(writer), ids)))
    return tuple(sections)


def _rules_of(sections: Iterable[Section]) -> tuple[Rule, ...]:
    return tuple(rule for section in sections for rule in section.all_rules)


def _numbered(sections: Iterable[Section]) -> Iterator[Section]:
    for number, section in enumerate(sections, 1):
        rules = (replace(rule, number=f"{number}.{position}") for position, rule in enumerate(section.all_rules, 1))
        yield replace(section, number=number, all_rules=tuple(rules))


def _other_names(ruleset: Ruleset) -> str:
    names = list(ruleset.also)
    while names and len(", ".join(names)) > _CHARACTERS_IN_A_LINE:
        names.pop()
    return ", ".join(names)
