"""Which Pitch do you play: the questions and the list that find a game to play, to read, to print or to change.

They stand at the address of whatever the game is found for.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flask import Response, request
from werkzeug.datastructures import MultiDict

from scorekeeper.extensions import db
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules.codes import encode, encode_shortened
from scorekeeper.rules.finder import (
    SEATINGS,
    TELLING_OPTIONS,
    Candidate,
    Fit,
    GameDescription,
    ScoringCard,
    find,
    find_fits,
    read_description,
    scoring_cards,
    seating_words,
    telling_questions,
)
from scorekeeper.rules.house_rules import resolve, with_answers
from scorekeeper.rules.phrases import number, several
from scorekeeper.rules.questions import QUESTIONS, word_of
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.match_list import matches_by_variant
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, wants_fragment
from scorekeeper.web.shared.widgets import Choice, QuestionView, labeled_question

TEMPLATE = "find_game/show.html"
BLOCKS = ("clear", "total", "fits", "found", "others", "bottom_bar")
PLAYERS_FIELD, SEATING_FIELD, CARDS_FIELD, TARGET_FIELD, OTHER_FIELD = "players", "seating", "cards", "target", "other"
NAME_FIELD, ANSWERED_FIELD = "q", "answered"
RULE_PREFIX = "rule-"
ABOUT = "Find the Pitch that you play by how many you are, your cards and your bids, and start keeping score."
USUAL_PLAYERS = 4
_LONGEST_NAME = 60
Purpose = Literal["play", "change", "read", "print", "settle"]
"""What a game is looked for."""
_SEATING_LABELS = dict(zip(SEATINGS, ("partners", "each alone", "bidder calls a partner"), strict=True))
_SHOWN_CARDS, _MOST_FOUND = 11, 8
_NEAR = 3
"""By how many differences a game still comes close."""
_OFTEN = 3
"""How many games go to a target that is offered; any other can be typed."""


def show_finder(purpose: Purpose, template: str = TEMPLATE, *, about: str = ABOUT, **values: Any) -> Response:
    """Show the games that fit what the address says, by a template that extends the finder's, or by that one.

    A search may find the page as one `about` something, unless it shows what somebody said.
    """
    found = read_finder(purpose)
    return render_page(
        # The parts are the same on each page, and a template does not know the blocks that it inherits.
        TEMPLATE if wants_fragment() else template,
        block=BLOCKS,
        finder=found,
        description="" if found.described.is_anything else about,
        **values,
    )


def read_finder(purpose: Purpose) -> "Finder":
    """Return every game, those first that fit what the address says; to change rules, only those of the book."""
    variants, played = library(), matches_by_variant(db.session, device())
    games = [Candidate(ruleset=it, listing=variants.listings[it.id], matches=played.get(it.id, 0)) for it in variants]
    cards = scoring_cards(games)
    if purpose != "change":
        games = [*_own_games(), *games]
    described, name = read_answers(request.args), request.args.get(NAME_FIELD, "")[:_LONGEST_NAME].strip()
    fits = find_fits(games, described, cards)
    by_game = {id(fit.game): fit for fit in fits}
    found = tuple(by_game[id(game)] for game in find(games, name)[:_MOST_FOUND])
    return Finder(purpose=purpose, described=described, cards=cards, fits=fits, name=name, found=found)


def read_answers(query: MultiDict[str, str]) -> GameDescription:
    """Return what an address says of the game; four at the table where it says nothing at all."""
    is_answered = bool(query.get(ANSWERED_FIELD))
    return read_description(
        players=query.get(PLAYERS_FIELD, None if is_answered else USUAL_PLAYERS, type=int),
        seating=query.get(SEATING_FIELD, ""),
        cards=query.getlist(CARDS_FIELD),
        target=query.get(OTHER_FIELD, type=int) or query.get(TARGET_FIELD, type=int),
        answers={name: word for name in TELLING_OPTIONS if (word := query.get(f"{RULE_PREFIX}{name}"))},
    )


def _own_games() -> Iterator[Candidate]:
    """Yield the rules of this phone's own that can be played."""
    variants = library()
    for house in houses_of_device(db.session, device()):
        rules = house.last.rules
        ruleset, _ = resolve(rules, variants)
        if ruleset and not house.last.is_retired:
            yield Candidate(ruleset=ruleset, listing=variants.listings[rules.variant], house_rules=rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """The questions, and the games in the order in which they fit."""

    purpose: Purpose
    described: GameDescription
    """What the address says of the game."""
    cards: tuple[ScoringCard, ...]
    """All that may score, to be ticked."""
    fits: tuple[Fit, ...]
    """Every game, the best fit first."""
    name: str
    """What is searched for."""
    found: tuple[Fit, ...]

    @property
    def seat_counts(self) -> QuestionView:
        """How many play."""
        counts = sorted({count for ruleset in library() for count in ruleset.table.player_counts})
        labels = {str(count): str(count) for count in counts}
        return labeled_question(PLAYERS_FIELD, "At the table", labels, str(self.described.players or ""))

    @property
    def seatings(self) -> QuestionView:
        """Who plays with whom."""
        return labeled_question(SEATING_FIELD, "Who plays with whom?", _SEATING_LABELS, self.described.seating)

    @property
    def shown_cards(self) -> int:
        """How many cards are offered at once: the commonest, and up to the last one that is ticked."""
        chosen = (i for i, card in enumerate(self.cards, 1) if card.name in self.described.cards)
        return max((_SHOWN_CARDS, *chosen))

    @property
    def targets(self) -> Sequence[int]:
        """The points that several games are played to."""
        ends = Counter(it.winning.target or it.winning.count_down_from for it in library())
        return sorted(end for end, games_to in ends.items() if end and games_to >= _OFTEN)

    @property
    def telling(self) -> Iterator[QuestionView]:
        """What tells apart the games that fit, in the words of the best fit."""
        ruleset = self.fits[0].game.ruleset
        for option, answers in telling_questions(self.fits, self.described).items():
            question, chosen = QUESTIONS[option], self.described.options.get(option)
            choices = (
                Choice(value=word_of(it), label=question.label(it, ruleset), is_chosen=it == chosen) for it in answers
            )
            yield QuestionView(field=f"{RULE_PREFIX}{option}", question=question.ask(ruleset), choices=tuple(choices))

    @property
    def heading(self) -> str:
        """What the games in the list have in common."""
        if self.described.is_anything:
            return "Best fits"
        return f"Most played by {number(self.described.players)}" if self.described.players else "Most played"

    @property
    def count(self) -> str:
        """How many games fit: "1 fits, 3 come close"; empty where nothing was said."""
        if not self.described.is_anything:
            return ""
        exact = sum(fit.is_exact for fit in self.fits)
        near = sum(not fit.is_exact and fit.distance <= _NEAR for fit in self.fits)
        words = [f"{exact} {'fits' if exact == 1 else 'fit'}"] if exact else []
        words += [f"{near} {'comes' if near == 1 else 'come'} close"] if near else []
        return ", ".join(words)

    @property
    def is_far(self) -> bool:
        """Whether no game comes close."""
        return self.described.is_anything and self.fits[0].distance > _NEAR

    @property
    def best_line(self) -> str:
        """What the best fit is: "four points, partners, to 21"."""
        ruleset = self.fits[0].game.ruleset
        points = several(ruleset.points_per_hand, "point")
        return f"{points}, {seating_words(ruleset.table)}, {goal_words(ruleset)}"

    def kind(self, fit: Fit) -> Literal["plain", "exact", "changed", "other"]:
        """Return how a game fits what was said; plain where nothing was said."""
        if not fit.is_fit:
            return "other"
        if not self.described.is_anything:
            return "plain"
        return "exact" if fit.is_exact else "changed"

    def answers(self, fit: Fit, prefix: str = "") -> dict[str, str]:
        """Return the house answers that make a game what was said, by option, as the fields of an address."""
        return {f"{prefix}{name}": word_of(value) for name, value in fit.house.items()}

    def own_code(self, fit: Fit) -> str | None:
        """Return a house's own rules as a code; `None` for a game of the book."""
        return encode(fit.game.house_rules) if fit.game.house_rules else None

    def said_code(self, fit: Fit) -> str:
        """Return a house's own rules with the answers that make them what was said; empty for a game of the book."""
        own = fit.game.house_rules
        return encode_shortened(with_answers(own, fit.house, library())[0]) if own else ""
