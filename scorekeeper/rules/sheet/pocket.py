"""The essentials of a ruleset, for a card in the pocket: what is asked in the middle of a hand."""

from dataclasses import dataclass

from scorekeeper.rules.digest import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.bidding import bidding
from scorekeeper.rules.sheet.glance import glance
from scorekeeper.rules.sheet.house import house
from scorekeeper.rules.sheet.play import play
from scorekeeper.rules.sheet.points import points
from scorekeeper.rules.sheet.scoring import scoring
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.trumps import trump_notes, trumps
from scorekeeper.rules.sheet.values import Figure, Line, OpenQuestion, Section, TrumpCard
from scorekeeper.rules.sheet.winning import winning


@dataclass(frozen=True, slots=True)
class PocketCard:
    """A small card; its sections are told in the same words as on the sheet."""

    title: str
    glance: tuple[Figure, ...]
    trumps: tuple[TrumpCard, ...]
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
    """Tell the essentials; what differs from `base` is marked."""
    telling = Telling(ruleset, base or ruleset)
    return PocketCard(
        title=ruleset.name,
        glance=glance(telling),
        trumps=trumps(telling),
        trump_notes=trump_notes(telling),
        points=points(telling),
        bidding=bidding(telling),
        scoring=scoring(telling, None),
        winning=winning(telling),
        play=play(telling),
        questions=house(telling).questions,
        fingerprint=fingerprint(ruleset),
    )
