"""The rules of a table on one page, for the web page and the printed sheet."""

from dataclasses import dataclass

from scorekeeper.rules import phrases
from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sources import Citation, cite
from scorekeeper.sheets.bidding_section import bidding_section
from scorekeeper.sheets.deal_and_play_sections import deal_section, play_section
from scorekeeper.sheets.house_frame import house_frame
from scorekeeper.sheets.key_figures import key_figures
from scorekeeper.sheets.parts import Figure, HouseFrame, Line, Section, TrumpFace
from scorekeeper.sheets.points_section import points_section
from scorekeeper.sheets.scoring_section import scoring_section
from scorekeeper.sheets.sheet_writer import SheetWriter
from scorekeeper.sheets.trump_row import trump_notes, trump_row
from scorekeeper.sheets.winning_section import winning_section
from scorekeeper.sheets.worked_hands import worked_example

_CHARACTERS_IN_A_LINE = 50


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """The rules of a table on one page."""

    title: str
    also: str
    """Other names of the game, as many as fit in a line."""
    summary: str
    glance: tuple[Figure, ...]
    trumps: tuple[TrumpFace, ...]
    trump_notes: tuple[Line, ...]
    sections: tuple[Section, ...]
    """In reading order."""
    winning: Section
    house: HouseFrame
    source: Citation | None
    """The document that the rules come from, where there is one."""
    fingerprint: str

    @property
    def columns(self) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
        """The sections in two columns of about the same height."""
        heights = [section.height for section in self.sections]
        cuts = range(1, max(len(heights), 2))
        cut = min(cuts, key=lambda at: max(sum(heights[:at]), sum(heights[at:])))
        return self.sections[:cut], self.sections[cut:]


def rule_sheet(ruleset: Ruleset, base: Ruleset | None = None) -> RuleSheet:
    """Return the sheet for a ruleset; what differs from `base`, the book's version of it, is marked."""
    base = base or ruleset
    writer = SheetWriter(ruleset, base)
    sections = (
        bidding_section(writer),
        deal_section(writer),
        play_section(writer),
        points_section(writer),
        scoring_section(writer, worked_example(ruleset)),
        Section("Note", lines=tuple(Line(note) for note in ruleset.notes)),
    )
    return RuleSheet(
        title=ruleset.name,
        also=_other_names(ruleset),
        summary=phrases.sentence(ruleset.summary),
        glance=key_figures(writer),
        trumps=trump_row(writer),
        trump_notes=tuple(trump_notes(writer)),
        sections=tuple(section for section in sections if not section.is_empty),
        winning=winning_section(writer),
        house=house_frame(writer),
        source=cite(base.source),
        fingerprint=fingerprint(ruleset),
    )


def _other_names(ruleset: Ruleset) -> str:
    names = list(ruleset.also)
    while names and len(", ".join(names)) > _CHARACTERS_IN_A_LINE:
        names.pop()
    return ", ".join(names)
