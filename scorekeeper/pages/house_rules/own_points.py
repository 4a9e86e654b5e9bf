"""The editor's part for points of a family's own: a name, a card, who scores it and what it is worth, as typed."""

from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from scorekeeper.pitch.rules.awards import OWN_AWARDS, AwardId, parse_trump, trump_name
from scorekeeper.pitch.rules.faults import Fault, is_printable, is_visible
from scorekeeper.pitch.rules.options import (
    LOW,
    OWN_CARDS,
    OWN_NAME_LENGTH,
    POINTS_OF_AWARD,
    options,
    own_answer,
    read_own_award,
    without_article,
)
from scorekeeper.pitch.rules.questions import QUESTIONS, value_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.web.widgets import Choice


@dataclass(frozen=True, slots=True)
class OwnPoint:
    """A point of the family's own, as its fields have it."""

    award_id: AwardId
    name: str = ""
    card: str = ""
    won: str = "captured"
    points: str = "1"

    @classmethod
    def posted(cls, award_id: AwardId, posted: Mapping[str, str]) -> "OwnPoint":
        """Return the point that was posted."""
        typed = {field: " ".join(posted.get(f"{award_id}-{field}", "").split()) for field in _FIELDS}
        return cls(award_id, **typed | {"name": without_article(typed["name"])})

    @classmethod
    def answered(cls, award_id: AwardId, answer: object) -> "OwnPoint":
        """Return the point that an answer makes; an empty one where it makes none."""
        with suppress(ValueError):
            if award := read_own_award(answer):
                return cls(award_id, award.name, award.card, award.won, str(award.points))
        return cls(award_id)

    @property
    def answer(self) -> str | None:
        """The answer that makes it; `None` while it is none."""
        with suppress(ValueError):
            return own_answer(read_own_award(f"{value_of(self.points)} {self.won} {self.card}: {self.name}")) or None
        return None

    @property
    def fields(self) -> dict[str, str]:
        """The value of each of its fields, by the field's name."""
        return {f"{self.award_id}-{field}": getattr(self, field) for field in _FIELDS}

    def faults(self, *, is_complete: bool) -> Iterator[Fault]:
        """Yield its faults; what is still missing is one only where the point is meant to be complete."""
        if not (self.name or self.card):
            return
        name, card, won, points = self.fields
        if not is_visible(self.name):
            if is_complete:
                yield Fault(name, "bad_name", "Give this point a name, or clear its card.")
        elif len(self.name) > OWN_NAME_LENGTH:
            yield Fault(name, "too_long", f"The name has {len(self.name)} letters; {OWN_NAME_LENGTH} fit.")
        elif not is_printable(self.name):
            yield Fault(name, "unprintable", "There are characters in the name that cannot be shown.")
        if self.card not in OWN_CARDS and (self.card or is_complete):
            yield Fault(card, "unknown_card", "Choose the card that scores it.")
        if self.won not in options()[LOW].choices:
            yield Fault(won, "bad_value", "Choose who scores it.")
        lowest, highest = POINTS_OF_AWARD
        worth = value_of(self.points)
        if not (isinstance(worth, int) and lowest <= worth <= highest):
            yield Fault(points, "bad_value", f"Its points are a number from {lowest} to {highest}.")

    def cards(self, base: Ruleset) -> tuple[Choice, ...]:
        """Return the cards to choose from, each of the deck as a trump and as the other of its color."""
        ranks = base.cards.deck_ranks
        cards = [card for card in OWN_CARDS if card.removeprefix("off ") in ranks or card == self.card]
        labels = {card: trump_name(parse_trump(card)).removeprefix("the ") for card in cards}
        return tuple(
            Choice(value=card, label=label, is_chosen=card == self.card) for card, label in ({"": "–"} | labels).items()
        )

    def ways(self, base: Ruleset) -> tuple[Choice, ...]:
        """Return who may score it, in the words of Low, which is won in the same ways."""
        ways, asked = options()[LOW].choices, QUESTIONS[LOW]
        return tuple(Choice(value=way, label=asked.label(way, base), is_chosen=way == self.won) for way in ways)


@dataclass(frozen=True, slots=True)
class OwnPointView:
    """A point of the family's own, as the editor shows it."""

    award_id: AwardId
    name: str
    points: str
    cards: tuple[Choice, ...]
    ways: tuple[Choice, ...]
    """Who may score it."""
    has_fault: bool


def own_point_view(point: OwnPoint, base: Ruleset, faulty: Container[str]) -> OwnPointView:
    """Return a point as the editor shows it, given the fields with a fault."""
    has_fault = any(field in faulty for field in point.fields)
    return OwnPointView(point.award_id, point.name, point.points, point.cards(base), point.ways(base), has_fault)


_FIELDS = ("name", "card", "won", "points")


def read_own_points(posted: Mapping[str, str], answers: dict[str, object]) -> tuple[OwnPoint, ...]:
    """Return the points that were posted, and put into the answers what they make; an empty name deletes one."""
    shown = []
    for award_id in OWN_AWARDS:
        if f"{award_id}-name" not in posted:
            continue
        was_there = answers.pop(award_id, None) is not None
        point = OwnPoint.posted(award_id, posted)
        if (was_there and not point.name) or posted.get("undo") == award_id:
            point = OwnPoint(award_id)
        if point.answer:
            answers[award_id] = point.answer
        shown.append(point)
    return tuple(shown)


def own_points(answers: Mapping[str, object]) -> tuple[OwnPoint, ...]:
    """Return the points that answers make, and an empty one to fill in where there is room for it."""
    made = [award for award in OWN_AWARDS if award in answers]
    free = [award for award in OWN_AWARDS if award not in answers][:1]
    return tuple(OwnPoint.answered(award, answers.get(award)) for award in sorted((*made, *free)))
