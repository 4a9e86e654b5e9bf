"""Which Pitch do you play: the questions and the list that find a game to play, to read, to print or to change.

They stand at the address of whatever the game is found for.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from flask import Response, request
from werkzeug.datastructures import MultiDict

from scorekeeper.extensions import db
from scorekeeper.ledger.house_versions import StoredHouse
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
from scorekeeper.rules.library import Library
from scorekeeper.rules.phrases import number, sentence, several
from scorekeeper.rules.questions import QUESTIONS, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.match_list import matches_by_variant
from scorekeeper.web.new_match.form import ANSWER_PREFIX
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import render_page, wants_fragment
from scorekeeper.web.shared.widgets import Choice, QuestionView, labeled_question

TEMPLATE = "find_game/show.html"
BLOCKS = ("clear", "total", "fits", "found", "others", "bottom_bar")
PLAYERS_FIELD, SEATING_FIELD, CARDS_FIELD, TARGET_FIELD, OTHER_FIELD = "players", "seating", "cards", "target", "other"
NAME_FIELD, ANSWERED_FIELD = "q", "answered"
RULE_PREFIX = "rule-"
USUAL_PLAYERS = 4
_LONGEST_NAME = 60
Purpose = Literal["play", "change", "read", "print", "settle"]
"""What a game is looked for."""
_SEATING_LABELS = dict(zip(SEATINGS, ("partners", "each alone", "bidder calls a partner"), strict=True))
_SHOWN, _SHOWN_CARDS, _MOST_FOUND = 4, 11, 8
_NEAR = 3
"""By how many differences a game still comes close."""
_OFTEN = 3
"""How many games go to a target that is offered; any other can be typed."""


def show_finder(purpose: Purpose) -> Response:
    """Show the games that fit what the address says."""
    found = read_finder(purpose)
    about = "Find the Pitch that you play by how many you are, your cards and your bids, and start keeping score."
    # A search may find the page, unless it shows what somebody said.
    return render_page(TEMPLATE, block=BLOCKS, finder=found, description="" if found.is_answered else about)


def part_or(template: str) -> str:
    """Return a template that extends the finder's, or the finder's own where htmx asks for a part.

    The parts are the same on each of them, and a template does not know the blocks that it inherits.
    """
    return TEMPLATE if wants_fragment() else template


def read_finder(purpose: Purpose) -> "Finder":
    """Return the games that fit what the address says; to change rules, only those of the book."""
    houses = () if purpose == "change" else houses_of_device(db.session, device())
    played = matches_by_variant(db.session, device())
    name = request.args.get(NAME_FIELD, "")[:_LONGEST_NAME].strip()
    return finder(library(), read_answers(request.args), name, purpose, houses=houses, played=played)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class CardChoice:
    """Something that may score, to be ticked."""

    name: str
    note: str
    """"both", "3 points"; empty for one point."""
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A game in the list."""

    ruleset: Ruleset
    share_code: str
    """The rules, where they are a house's own."""
    said_code: str
    """The same with the answers that make them what was said."""
    answers: Mapping[str, str]
    """The house answers that make the game what was said, by option."""
    as_fields: Mapping[str, str]
    """The same as the form of a new match names them."""
    players: int | None
    """How many sit down, where that was said and this game seats so many."""
    kind: Literal["plain", "exact", "changed", "other"]
    """How it fits what was said; plain where nothing was said."""
    differences: str
    """"to 52, with the Ten"."""
    summary: str
    """"Ten points a hand, and a moon over a bid of ten."."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finder:
    """The questions, and the games in the order in which they fit."""

    purpose: Purpose
    seat_counts: QuestionView
    seatings: QuestionView
    cards: tuple[CardChoice, ...]
    more_cards: tuple[CardChoice, ...]
    points: int
    """What the chosen cards are worth together."""
    targets: QuestionView
    other_target: str
    """A target that is not among those offered."""
    telling: tuple[QuestionView, ...]
    is_answered: bool
    """Whether anything was said."""
    heading: str
    count: str
    """"1 fits, 3 come close"."""
    is_far: bool
    """Whether no game comes close."""
    rows: tuple[GameRow, ...]
    others: tuple[GameRow, ...]
    how_many: int
    """All the games there are."""
    best_line: str
    """What the best fit is: "four points, partners, to 21"."""
    name: str
    """What is searched for."""
    found: tuple[GameRow, ...]


def finder(
    library: Library,
    described: GameDescription,
    name: str,
    purpose: Purpose,
    *,
    houses: Iterable[StoredHouse] = (),
    played: Mapping[str, int],
) -> Finder:
    """Return every game in the order in which it fits; `played` counts a phone's matches by variant."""
    variants = [Candidate(ruleset=it, listing=library.listings[it.id], matches=played.get(it.id, 0)) for it in library]
    games, cards = [*_own_games(library, houses), *variants], scoring_cards(variants)
    fits = find_fits(games, described, cards)
    rows = tuple(_row(fit, described, library) for fit in fits)
    by_game = {id(fit.game): row for fit, row in zip(fits, rows, strict=True)}
    choices = tuple(_card_choice(card, described) for card in cards)
    shown = max([_SHOWN_CARDS, *(i for i, card in enumerate(choices, 1) if card.is_chosen)])
    ends = Counter(it.winning.target or it.winning.count_down_from for it in library)
    targets = sorted(end for end, games_to in ends.items() if end and games_to >= _OFTEN)
    return Finder(
        purpose=purpose,
        seat_counts=_seat_counts(library, described),
        seatings=labeled_question(SEATING_FIELD, "Who plays with whom?", _SEATING_LABELS, described.seating),
        cards=choices[:shown],
        more_cards=choices[shown:],
        points=sum(card.points for card in cards if card.name in described.cards),
        targets=labeled_question(
            TARGET_FIELD, "How many points win?", {str(it): str(it) for it in targets}, str(described.target or "")
        ),
        other_target=str(described.target) if described.target and described.target not in targets else "",
        telling=tuple(
            _telling_view(option, answers, described, fits[0].game.ruleset)
            for option, answers in telling_questions(fits, described).items()
        ),
        is_answered=described.is_anything,
        heading="Best fits" if described.is_anything else _most_played(described),
        count=_count(fits) if described.is_anything else "",
        is_far=described.is_anything and fits[0].distance > _NEAR,
        rows=rows[:_SHOWN],
        others=rows[_SHOWN:],
        how_many=len(rows),
        best_line=_line(fits[0].game.ruleset),
        name=name,
        found=tuple(by_game[id(game)] for game in find(games, name)[:_MOST_FOUND]),
    )


def _own_games(library: Library, houses: Iterable[StoredHouse]) -> list[Candidate]:
    games = []
    for house in houses:
        ruleset, _ = resolve(house.last.rules, library)
        if ruleset and not house.last.is_retired:
            listing = library.listings[house.last.rules.variant]
            games.append(Candidate(ruleset=ruleset, listing=listing, house_rules=house.last.rules))
    return games


def _row(fit: Fit, described: GameDescription, library: Library) -> GameRow:
    ruleset, house_rules = fit.game.ruleset, fit.game.house_rules
    seats_them = described.players in ruleset.table.player_counts
    if not fit.is_fit:
        kind: Literal["plain", "exact", "changed", "other"] = "other"
    elif not described.is_anything:
        kind = "plain"
    else:
        kind = "exact" if fit.is_exact else "changed"
    answers = {name: word_of(value) for name, value in fit.house.items()}
    return GameRow(
        ruleset=ruleset,
        share_code=encode(house_rules) if house_rules else "",
        said_code=encode_shortened(with_answers(house_rules, fit.house, library)[0]) if house_rules else "",
        answers=answers,
        as_fields={f"{ANSWER_PREFIX}{name}": word for name, word in answers.items()},
        players=described.players if seats_them else None,
        kind=kind,
        differences=", ".join((*fit.misfits, *fit.changes)),
        summary=sentence(ruleset.summary) + ".",
    )


def _card_choice(card: ScoringCard, described: GameDescription) -> CardChoice:
    note = "both" if card.name == "Jokers" else f"{card.points} points" if card.points > 1 else ""
    return CardChoice(name=card.name, note=note, is_chosen=card.name in described.cards)


def _seat_counts(library: Library, described: GameDescription) -> QuestionView:
    counts = sorted({count for ruleset in library for count in ruleset.table.player_counts})
    return labeled_question(
        PLAYERS_FIELD, "At the table", {str(it): str(it) for it in counts}, str(described.players or "")
    )


def _telling_view(option: str, answers: Sequence[object], described: GameDescription, ruleset: Ruleset) -> QuestionView:
    question, chosen = QUESTIONS[option], described.options.get(option)
    return QuestionView(
        field=f"{RULE_PREFIX}{option}",
        question=question.ask(ruleset),
        choices=tuple(
            Choice(value=word_of(answer), label=question.label(answer, ruleset), is_chosen=answer == chosen)
            for answer in answers
        ),
    )


def _most_played(described: GameDescription) -> str:
    return f"Most played by {number(described.players)}" if described.players else "Most played"


def _count(fits: Sequence[Fit]) -> str:
    """Return how many games fit: "1 fits, 3 come close"."""
    exact = sum(fit.is_exact for fit in fits)
    near = sum(not fit.is_exact and fit.distance <= _NEAR for fit in fits)
    words = [f"{exact} {'fits' if exact == 1 else 'fit'}"] if exact else []
    words += [f"{near} {'comes' if near == 1 else 'come'} close"] if near else []
    return ", ".join(words)


def _line(ruleset: Ruleset) -> str:
    points = several(ruleset.points_per_hand, "point")
    return f"{points}, {seating_words(ruleset.table)}, {goal_words(ruleset)}"
