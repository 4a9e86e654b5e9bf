"""Which Pitch do you play: the questions and the list that find a game to play, to read, to print or to change.

They stand at the address of whatever the game is found for.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Response, request
from werkzeug.datastructures import MultiDict

from scorekeeper.extensions import db
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules.codes import encode, encode_shortened
from scorekeeper.rules.comparison import Column, compare
from scorekeeper.rules.finder import (
    SEATING_WORDS,
    TELLING_OPTIONS,
    Candidate,
    Fit,
    GameDescription,
    ScoringCard,
    TellingQuestion,
    always_scored,
    asks_seating,
    equal_fits,
    find_fits,
    read_description,
    read_search,
    scored_also,
    scoring_cards,
    search,
    seatings,
    telling_questions,
    to_leave_out,
    ways_to_sit,
)
from scorekeeper.rules.house_rules import resolve, with_answers
from scorekeeper.rules.phrases import digits, listed, number, player_counts, sentence
from scorekeeper.rules.query import Part, Query
from scorekeeper.rules.questions import QUESTIONS, word_of
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.match_list import matches_by_variant
from scorekeeper.web.shared.context import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, wants_fragment
from scorekeeper.web.shared.widgets import Choice, QuestionView, labeled_question

TEMPLATE = "find_game/show.html"
BLOCKS = ("clear", "seats", "fits", "found", "bottom_bar")
PLAYERS_FIELD, SEATING_FIELD, CARDS_FIELD, ALSO_FIELD = "players", "seating", "cards", "also"
TARGET_FIELD, OTHER_FIELD, POINTS_FIELD, OTHER_POINTS_FIELD = "target", "other", "bid", "other-bid"
NAME_FIELD, WHICH_FIELD, GAME_FIELD = "q", "which", "game"
RULE_PREFIX = "rule-"
ABOUT = "Find the Pitch that you play by its name, your cards or your points, and start keeping score."
_NOTHING = "-"
"""What says that nothing else scores."""
USUAL_PLAYERS = 4
_LONGEST_NAME = 60
Purpose = Literal["play", "change", "read", "print", "settle"]
"""What a game is looked for."""
_SEATING_LABELS = {**SEATING_WORDS, "called": "bidder calls a partner"}
_IN_A_ROW, _SHOWN_CARDS, _MOST_SEATS, _MOST_FOUND, _MOST_NEAREST, _MOST_LISTED = 5, 9, 6, 8, 4, 6
_NEAR = 1
"""By how many differences a game still comes close."""
_TARGETS, _POINTS = 7, 5
"""How many chips there are for the points that win, and for those of a hand; any other number can be typed."""


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
        description="" if found.described.is_anything or found.name else about,
        **values,
    )


def read_finder(purpose: Purpose) -> "Finder":
    """Return every game, those first that fit what the address says; to change rules, only those of the book."""
    games = games_of_book()
    cards, always = scoring_cards(games), always_scored(games)
    if purpose != "change":
        games = [*_own_games(), *games]
    name = request.args.get(NAME_FIELD, "")[:_LONGEST_NAME].strip()
    query = read_search(name, library().phrasebook, games)
    found = search(games, query, cards, read_answers(request.args), USUAL_PLAYERS)
    described = replace(found.described, players=found.described.players or USUAL_PLAYERS)
    fits = find_fits(games, described, cards)
    return Finder(
        purpose=purpose,
        described=described,
        is_usual=found.described.players is None,
        is_asking=bool(request.args.get(WHICH_FIELD)),
        cards=tuple(card for card in cards if card.name not in always),
        always=always,
        fits=fits,
        questions=tuple(telling_questions(games, described, cards)),
        asks_seating=asks_seating(games, described.players),
        name=name,
        query=query,
        found=found.fits[:_MOST_FOUND] if query.is_anything else (),
        found_count=len(found.fits),
        nearest=(nearest := found.nearest[:_MOST_NEAREST] if query.is_anything else ()),
        left_out=tuple(to_leave_out(games, query, cards, read_answers(request.args))) if nearest else (),
    )


def games_of_book() -> list[Candidate]:
    """Return every game of the book, and how often this phone played it."""
    variants, played = library(), matches_by_variant(db.session, device())
    return [Candidate(ruleset=it, listing=variants.listings[it.id], matches=played.get(it.id, 0)) for it in variants]


def read_answers(query: MultiDict[str, str]) -> GameDescription:
    """Return what an address says of the game."""
    also = query.get(ALSO_FIELD)
    return read_description(
        players=query.get(PLAYERS_FIELD, type=int),
        seating=query.get(SEATING_FIELD, ""),
        cards=query.getlist(CARDS_FIELD),
        also=[name for name in also.split("|") if name != _NOTHING] if also else None,
        target=query.get(OTHER_FIELD, type=int) or query.get(TARGET_FIELD, type=int),
        points=query.get(OTHER_POINTS_FIELD, type=int) or query.get(POINTS_FIELD, type=int),
        answers={name: word for name in TELLING_OPTIONS if (word := query.get(f"{RULE_PREFIX}{name}"))},
    )


def _own_games() -> Iterator[Candidate]:
    """Yield the rules of this phone's own that can be played, then those that whoever runs the server put there."""
    variants = library()
    own = [house.last.rules for house in houses_of_device(db.session, device()) if not house.last.is_retired]
    for rules in (*own, *(it for it in variants.houses if it not in own)):
        ruleset, _ = resolve(rules, variants)
        if ruleset:
            yield Candidate(ruleset=ruleset, listing=variants.listings[rules.variant], house_rules=rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """The questions, and the games in the order in which they fit."""

    purpose: Purpose
    described: GameDescription
    """What the address says of the game."""
    is_usual: bool
    """Whether nobody said how many play."""
    is_asking: bool
    """Whether the question that tells games apart was asked for."""
    cards: tuple[ScoringCard, ...]
    """All that scores in some games and not in others, to be ticked."""
    always: Sequence[str]
    """What scores in every game."""
    fits: tuple[Fit, ...]
    """Every game, the best fit first."""
    questions: tuple[TellingQuestion, ...]
    """What tells apart games that fit alike: what was answered, and the next one."""
    asks_seating: bool
    name: str
    """What is searched for."""
    query: Query
    found: tuple[Fit, ...]
    """The first games that are what is searched for, or can be set to it."""
    found_count: int
    """How many there are."""
    nearest: tuple[Fit, ...]
    """Where there are none, those that come nearest."""
    left_out: tuple[Part, ...]
    """Without any of these some game is all that is searched for."""

    @property
    def seat_counts(self) -> list[int]:
        """How many may play, few first."""
        return sorted({count for ruleset in library() for count in ruleset.table.player_counts})

    @property
    def shown_seats(self) -> int:
        """How many of these are offered at once: the usual ones, or all where another one is chosen."""
        most = len([count for count in self.seat_counts if count <= _MOST_SEATS])
        return most if (self.described.players or 0) <= _MOST_SEATS else len(self.seat_counts)

    @property
    def seatings(self) -> QuestionView:
        """Who plays with whom, where that tells games for so many apart."""
        ways = ways_to_sit((fit.game for fit in self.fits), self.described.players)
        labels = {way: label for way, label in _SEATING_LABELS.items() if way in ways}
        return labeled_question(SEATING_FIELD, "Who plays with whom?", labels, self.described.seating)

    @property
    def shown_cards(self) -> int:
        """How many cards are offered at once: the commonest, and up to the last one that is ticked."""
        chosen = (i for i, card in enumerate(self.cards, 1) if card.name in self.described.cards)
        shown = max((_SHOWN_CARDS, *chosen))
        return shown + -(shown + 1) % _IN_A_ROW  # the last row is full, with the chip that shows the others

    @property
    def targets(self) -> Sequence[int]:
        """The points that most games are played to."""
        ends = Counter(it.winning.target or it.winning.count_down_from for it in library())
        del ends[None]
        return sorted(end for end, _ in ends.most_common(_TARGETS) if end)

    @property
    def points(self) -> Sequence[int]:
        """The points that a hand has in most games."""
        return sorted(points for points, _ in Counter(it.points_per_hand for it in library()).most_common(_POINTS))

    @property
    def equal(self) -> Sequence[Fit]:
        """The games that fit alike, where it takes a question to tell which one is meant."""
        return equal_fits(self.fits, self.described)

    @property
    def telling(self) -> Iterator[QuestionView]:
        """What tells apart the games that fit, in the words of the best fit."""
        ruleset = self.fits[0].game.ruleset
        for question in self.questions:
            chosen = question.answer_in(self.described)
            if question.about == "also":
                labels = {_NOTHING if not it else "|".join(sorted(it)): it for it in question.answers}
                common = frozenset.intersection(*question.answers)
                choices = [
                    Choice(value=value, label=self._listed(it - common), is_chosen=it == chosen)
                    for value, it in labels.items()
                ]
                yield QuestionView(field=ALSO_FIELD, question="What else scores?", choices=tuple(choices))
            elif question.about == "points":
                numbers = {str(it): str(it) for it in sorted(question.answers)}
                yield labeled_question(POINTS_FIELD, "How many points are in a hand?", numbers, str(chosen))
            elif question.about == "seating":
                ways = {way: _SEATING_LABELS[way] for way in question.answers}
                yield labeled_question(SEATING_FIELD, "Who plays with whom?", ways, chosen)
            else:
                asked, field = QUESTIONS[question.about], f"{RULE_PREFIX}{question.about}"
                choices = [
                    Choice(value=word_of(it), label=asked.label(it, ruleset), is_chosen=it == chosen)
                    for it in question.answers
                ]
                yield QuestionView(field=field, question=asked.ask(ruleset), choices=tuple(choices))

    def _listed(self, names: Iterable[str]) -> str:
        """Return cards in their usual order: "Ten and Off Ace"."""
        wanted = set(names)
        return listed([card.name for card in self.cards if card.name in wanted]) or "nothing else"

    @property
    def said(self) -> str:
        """What was said, in one line: "4 players · Off Jack · Jokers · to 52"."""
        said = self.described
        words = [digits(said.players or USUAL_PLAYERS, "player")]
        words += [_SEATING_LABELS[said.seating]] if said.seating and self.asks_seating else []
        words += [card.name for card in self.cards if card.name in said.cards]
        words += [f"to {said.target}"] if said.target else []
        words += [f"bids up to {said.points}"] if said.points else []
        return " · ".join(words)

    @property
    def has_answers(self) -> bool:
        """Whether there is anything to clear."""
        return self.described.is_anything or bool(self.name) or not self.is_usual

    @property
    def asks_which(self) -> bool:
        """Whether several games fit alike, and the question that tells them apart was not asked for yet."""
        return len(self.equal) > 1 and not (self.is_asking or self.found) and bool(self.questions)

    @property
    def which_address(self) -> str:
        """Where that question is asked."""
        query = MultiDict(request.args)
        query[WHICH_FIELD] = "yes"
        return f"{request.path}?{urlencode(list(query.items(multi=True)))}#fits"

    @property
    def columns(self) -> Sequence[Column]:
        """What differs among the games that were found."""
        return compare(self.found)

    @property
    def chosen(self) -> Fit | None:
        """The game that was tapped among those that were found."""
        return next((fit for fit in self.found if self.key(fit) == request.args.get(GAME_FIELD)), None)

    def key(self, fit: Fit) -> str:
        """Return what tells a game from the others that were found."""
        return self.own_code(fit) or fit.game.ruleset.id

    def terms(self, fit: Fit) -> str:
        """Return what a game that was found is played to, and how it is set: "to 52 instead of 42"."""
        ruleset = fit.game.ruleset
        said = [] if any(it.startswith("to ") for it in fit.changes) else [self._goal(fit)]
        counts = {it.game.ruleset.points_per_hand for it in self.found}
        points = [digits(ruleset.points_per_hand, "point")] if len(counts) > 1 and "points" not in self._about else []
        players = [] if self._seats(fit) else [f"{player_counts(ruleset.table)} players"]
        ways = {self._together(it) for it in self.found}
        seating = [self._together(fit)] if len(ways) > 1 else []
        return ", ".join(filter(None, (*players, *seating, *points, *fit.changes, *said)))

    def _together(self, fit: Fit) -> str:
        """Return who plays with whom, where nobody does: most games are for partners."""
        return "each alone" if seatings(fit.game.ruleset.table, self.described.players) == ("alone",) else ""

    def _goal(self, fit: Fit) -> str:
        if self.described.target and "target" in fit.game.ruleset.open_options:
            return f"to {self.described.target}"
        return goal_words(fit.game.ruleset)

    def _seats(self, fit: Fit) -> bool:
        return fit.game.seats(self.described.players)

    @property
    def _about(self) -> set[str]:
        return {part.about for part in self.query.parts}

    def misses(self, fit: Fit) -> str:
        """Return what no house option makes of a game that comes near: "4 players"."""
        return sentence(", ".join(fit.misfits)) or "Another game"

    @property
    def not_found(self) -> str:
        """What no game has, in a sentence."""
        said, rulesets = self.described, [fit.game.ruleset for fit in self.fits]
        if said.points and all(ruleset.points_per_hand != said.points for ruleset in rulesets):
            return f"No game here has {digits(said.points, 'point')} in a hand."
        if not any(fit.game.seats(said.players) for fit in self.fits):
            return f"No game here is for {digits(said.players or 0, 'player')}."
        return "No game here is all of that."

    @property
    def ways_out(self) -> list[tuple[str, str]]:
        """The words to leave out, and where the search goes on without them."""
        return [(self.query.words_of(part), self._searching(self.query.text_without(part))) for part in self.left_out]

    def _searching(self, text: str) -> str:
        query = MultiDict(request.args)
        query[NAME_FIELD] = text
        return f"{request.path}?{urlencode(list(query.items(multi=True)))}"

    def other_names(self, fit: Fit) -> list[str]:
        """Return what a game is called as well, where its own name is not what was typed."""
        ruleset = fit.game.ruleset
        if any(is_typed for _, is_typed in self.marked(ruleset.name)):
            return []
        return [name for name in ruleset.also if any(is_typed for _, is_typed in self.marked(name))][:1]

    def marked(self, text: str) -> list[tuple[str, bool]]:
        """Return a text in parts, each with whether it begins as a word that was typed."""
        typed = tuple(re.findall(r"\w+", self.name.lower()))
        return [(part, part.lower().startswith(typed)) for part in re.findall(r"\w+|\W+", text)]

    @property
    def heading(self) -> str:
        """What the games in the list have in common."""
        exact = sum(fit.is_exact for fit in self.fits)
        if not self.described.is_anything:
            return f"Most played by {number(self.described.players or USUAL_PLAYERS)}"
        if not exact:
            return "Nothing fits all of it"
        return f"{exact} {'game fits' if exact == 1 else 'games fit'}"

    @property
    def near(self) -> Sequence[Fit]:
        """The games that are one change from what was said, the first ones of the list where none fits."""
        if not self.described.is_anything:
            return ()
        close = [fit for fit in self.fits if not fit.is_exact and (fit.distance <= _NEAR or not self.fits[0].is_exact)]
        return close[:_MOST_LISTED]

    @property
    def best_fits(self) -> Sequence[Fit]:
        """The games that fit, or those that are played most."""
        if not self.described.is_anything:
            return self.fits[:_MOST_LISTED]
        return [fit for fit in self.fits if fit.is_exact]

    @property
    def others(self) -> Sequence[Fit]:
        """All other games."""
        shown = {id(fit) for fit in (*self.best_fits, *self.near)}
        return [fit for fit in self.fits if id(fit) not in shown]

    def kind(self, fit: Fit) -> Literal["plain", "exact", "changed", "other"]:
        """Return how a game fits what was said; plain where nothing was said."""
        if not fit.is_fit:
            return "other"
        if not self.described.is_anything:
            return "plain"
        return "exact" if fit.is_exact else "changed"

    def line(self, fit: Fit) -> str:
        """Return what a game is beside what differs: "To 52, 10 points"."""
        ruleset, target = fit.game.ruleset, self.described.target
        goal = goal_words(ruleset)
        if target and "target" in ruleset.open_options:
            goal = f"to {target} ({goal})"
        words = [] if target and not fit.is_exact and any(it.startswith("to ") for it in fit.changes) else [goal]
        together = "" if ruleset.table.partners or ruleset.table.called else "each alone"
        return sentence(", ".join(filter(None, (*words, digits(ruleset.points_per_hand, "point"), together))))

    def more(self, fit: Fit) -> str:
        """Return what scores in a game that was not said: "Also scores Three and Ten."."""
        if not self.described.is_anything:
            return ""
        cards = scored_also(fit.game.ruleset, self.described, self.always)
        return f"Also scores {self._listed(cards)}." if cards else ""

    def foot(self, fit: Fit) -> str:
        """Return what the button says of the game that it leads to."""
        ruleset, players = fit.game.ruleset, self.described.players
        match self.kind(fit):
            case "changed":
                return fit.differences
            case "other":
                return f"differs: {fit.differences}"
        goal = f"to {self.described.target}" if self.described.target else goal_words(ruleset)
        if self.is_asking and len(self.equal) > 1:
            return f"{goal}, most played of the {len(self.equal)}"
        return f"{goal}, {digits(players or USUAL_PLAYERS, 'player')}"

    def seating_in(self, fit: Fit) -> str | None:
        """Return who plays with whom where a game leaves that open and it was said."""
        said, players = self.described.seating, self.described.players
        is_open = len(seatings(fit.game.ruleset.table, players)) > 1
        return None if said is None or not is_open else "alone" if said == "alone" else "partners"

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
