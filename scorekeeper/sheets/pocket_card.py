"""The essentials of a ruleset on a small card: what players look up in the middle of a hand."""

from dataclasses import dataclass

from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.bidding_section import bidding_section
from scorekeeper.sheets.deal_and_play_sections import play_section
from scorekeeper.sheets.house_frame import house_frame
from scorekeeper.sheets.key_figures import key_figures
from scorekeeper.sheets.parts import Figure, Line, OpenQuestion, Section, TrumpFace
from scorekeeper.sheets.points_section import points_section
from scorekeeper.sheets.scoring_section import scoring_section
from scorekeeper.sheets.sheet_writer import SheetWriter
from scorekeeper.sheets.trump_row import trump_notes, trump_row
from scorekeeper.sheets.winning_section import winning_section


@dataclass(frozen=True, slots=True)
class PocketCard:
    """A small card, with the same sections as the rule sheet."""

    title: str
    glance: tuple[Figure, ...]
    trumps: tuple[TrumpFace, ...]
    trump_notes: tuple[Line, ...]
    points: Section
    bidding: Section
    scoring: Section
    winning: Section
    play: Section
    """For a card with room to spare."""
    questions: tuple[OpenQuestion, ...]
    fingerprint: str


def pocket_card(ruleset: Ruleset, base: Ruleset | None = None) -> PocketCard:
    """Return the card for a ruleset; what differs from `base` is marked."""
    writer = SheetWriter(ruleset, base or ruleset)
    return PocketCard(
        title=ruleset.name,
        glance=key_figures(writer),
        trumps=trump_row(writer),
        trump_notes=tuple(trump_notes(writer)),
        points=points_section(writer),
        bidding=bidding_section(writer),
        scoring=scoring_section(writer),
        winning=winning_section(writer),
        play=play_section(writer),
        questions=house_frame(writer).questions,
        fingerprint=fingerprint(ruleset),
    )
