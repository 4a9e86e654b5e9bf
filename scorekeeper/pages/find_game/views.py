"""Which Pitch do you play: questions and a list to find a game to play, read about, print, change or settle by.

Each page for one of these purposes shows them at its own address.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Response, request

from scorekeeper.database.engine import db
from scorekeeper.matches.house_rules import houses_of_device
from scorekeeper.matches.match_list import setups_by_game
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pages.find_game.finder import (
    NOTHING_FOUND,
    SEATING_WORDS,
    SEATINGS,
    Candidate,
    Column,
    Fit,
    GameDescription,
    Seating,
    compare,
    describe,
    find_fits,
    no_relative,
    possible_seatings,
    read_description,
    read_search,
    relatives,
    scoring_cards,
    search,
    seatings,
    to_leave_out,
)
from scorekeeper.pages.find_game.query import Query, phrasebook_of, with_taps
from scorekeeper.pitch.rules.house_rules import resolve, with_answers, with_house
from scorekeeper.pitch.rules.phrases import digits, listed, number, player_counts, sentence
from scorekeeper.pitch.rules.questions import word_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import encode, encode_shortened
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.web.context import device
from scorekeeper.web.library import library
from scorekeeper.web.respond import render_page, wants_fragment
from scorekeeper.web.widgets import QuestionView, labeled_question

TEMPLATE = "find_game/show.html"
BLOCKS = ("clear", "taps", "found", "bottom_bar")
ABOUT = "Find the Pitch that you play by its name, your cards or your points, and start keeping score."
USUAL_PLAYERS = 4
_MAX_NAME_LENGTH = 200
Purpose = Literal["play", "change", "read", "print", "settle"]
"""The purpose of the search."""
_SEATING_LABELS = {**SEATING_WORDS, "called": "bidder calls a partner"}
_MAX_SEATS, _MAX_FOUND, _MAX_NEAREST, _MAX_LISTED = 6, 8, 4, 6
_TARGETS, _POINTS = 5, 5
"""The number of chips for common targets, and for common points in a hand; other numbers can be typed."""


def show_finder(purpose: Purpose, template: str = TEMPLATE, *, about: str = ABOUT, **values: Any) -> Response:
    """Show the games that fit the search in the address; `template` extends `TEMPLATE`.

    `about` describes the page to search engines; a page with search words has no description.
    """
    found = read_finder(purpose)
    return render_page(
        # The parts are the same on each page, and a template does not know the blocks that it inherits.
        TEMPLATE if wants_fragment() else template,
        block=BLOCKS,
        finder=found,
        description="" if found.query.text else about,
        **values,
    )


def read_finder(purpose: Purpose) -> "Finder":
    """Return all games, best fits for the search in the address first; to change rules, only published games."""
    played = setups_by_game(db.session, device())
    games = published_games(played)
    cards = scoring_cards(games)
    if purpose != "change":
        games = [*_own_games(played), *games]
    query = _read_query(games)
    described = describe(query)
    is_search = (described.is_anything or query.is_named) and not query.is_other_game
    found = search(games, query, cards, usual_players=USUAL_PLAYERS) if is_search else NOTHING_FOUND
    out = tuple(to_leave_out(games, query, cards)) if found.nearest else ()
    usual = replace(described, players=described.players or found.players or USUAL_PLAYERS)
    return Finder(
        purpose=purpose,
        described=usual,
        is_usual=described.players is None,
        fits=tuple(map(_as_played, find_fits(games, usual, cards))),
        query=query,
        named=found.named,
        found=found.fits[:_MAX_FOUND],
        rest=found.fits[_MAX_FOUND:],
        nearest=found.nearest[:_MAX_NEAREST],
        left_out=query.words_of(found.left_out) if found.left_out else "",
        removals=tuple(
            (query.words_of(part), f"{request.path}?{urlencode({'q': query.text_without(part)})}") for part in out
        ),
        is_contradiction=len(out) > 1 and not search(games, Query(query.text, out), cards).fits,
    )


def _as_played(fit: Fit) -> Fit:
    """Return a game set to the target last played on this phone, unless the search has a target."""
    target, ruleset = fit.game.last_target, fit.game.ruleset
    if target is None or "target" in fit.house or with_house(ruleset, {"target": target})[1]:
        return fit
    return replace(fit, house={**fit.house, "target": target})


def _read_query(games: Sequence[Candidate]) -> Query:
    """Return the search in the address: the typed words, or these with answers that were tapped later."""
    phrases, args = phrasebook_of(library()), request.args
    text = args.get("q", "")[:_MAX_NAME_LENGTH].strip()
    query = read_search(text, phrases, games)
    if args.get("said", text) != text:
        return query
    described = read_description(
        players=args.get("players", type=int),
        seating=args.get("seating", ""),
        cards=args.getlist("cards"),
        target=_tapped("target", "other", query.answer("target")),
        points=_tapped("bid", "other-bid", query.answer("points")),
    )
    # A link may name the cards that score; they become words of the search.
    new = sorted(described.cards - query.every("cards"))
    taps = {about: getattr(described, about) for about in ("players", "seating", "points", "target")}
    words = [with_taps(query, taps, phrases, clears="said" in args), *(f"with the {card}" for card in new)]
    written = " ".join(filter(None, words))
    return query if written == query.text else read_search(written, phrases, games)


def _tapped(field: str, other: str, now: int | None) -> int | None:
    """Return the number tapped or typed, the one that differs from `now`; `None` without any."""
    numbers = [number for name in (other, field) if (number := request.args.get(name, type=int))]
    return next((number for number in numbers if number != now), now if numbers else None)


_Played = Mapping[tuple[str, str], Sequence[MatchSetup]]
"""The setups of matches, latest first, by variant and name of the rules."""


def published_games(played: _Played) -> list[Candidate]:
    """Return all published games, each with the matches that this phone played and its last target."""
    variants = library()
    return [
        Candidate(
            ruleset=own,
            listing=variants.listings[own.id],
            matches=len(setups := played.get((own.id, own.name), ())),
            last_target=setups[0].house.get("target") if setups else None,
        )
        for own in variants
    ]


def _own_games(played: _Played) -> Iterator[Candidate]:
    """Yield the playable house rules of this phone, then those that the operator provides."""
    variants = library()
    own = [house.last.rules for house in houses_of_device(db.session, device()) if not house.last.is_retired]
    for rules in (*own, *(house for house in variants.houses if house not in own)):
        ruleset, _ = resolve(rules, variants)
        if ruleset:
            listing = variants.listings[rules.variant]
            matches = len(played.get((rules.variant, rules.name), ()))
            yield Candidate(ruleset=ruleset, listing=listing, house_rules=rules, matches=matches, is_saved=rules in own)


@dataclass(frozen=True, kw_only=True)
class Finder:
    """The values of the finder: its questions, and the games ordered by fit."""

    purpose: Purpose
    described: GameDescription
    """The description from the search, always with a number of players."""
    is_usual: bool
    """Whether the number of players is the default."""
    fits: tuple[Fit, ...]
    """All games, best fit first."""
    query: Query
    """The search."""
    named: Candidate | None
    """The game that the search names, if it names a single one."""
    found: tuple[Fit, ...]
    """The first games that fit the search, or can be set to fit."""
    rest: tuple[Fit, ...]
    """The remaining fitting games."""
    nearest: tuple[Fit, ...]
    """The nearest games if none fits."""
    left_out: str
    """The words ignored, since no game fits the search with them."""
    removals: tuple[tuple[str, str], ...]
    """Words to remove so that a game fits, each with the address of the search without them."""
    is_contradiction: bool
    """Whether the words in `removals` contradict each other: no game fits all of them."""

    @property
    def player_count(self) -> int:
        """The number of players, given or default."""
        return self.described.players or USUAL_PLAYERS

    @property
    def seat_counts(self) -> list[int]:
        """The numbers of players to choose from, ascending."""
        counts = {count for ruleset in library() for count in ruleset.table.player_counts}
        return sorted(counts.union([self.player_count]))

    @property
    def shown_seats(self) -> int:
        """The number of `seat_counts` shown at once: the common ones, or all if a larger one is chosen."""
        usual_counts = len([count for count in self.seat_counts if count <= _MAX_SEATS])
        return usual_counts if self.player_count <= _MAX_SEATS else len(self.seat_counts)

    @property
    def seatings(self) -> QuestionView | None:
        """The question of who plays with whom; `None` without an answer or a choice."""
        chosen = self.described.seating
        allowed = possible_seatings((fit.game for fit in self.fits), self.player_count)
        if not chosen and (len(allowed) < 2 or self.player_count < USUAL_PLAYERS):
            return None
        labels = {
            seating: label for seating, label in _SEATING_LABELS.items() if seating in allowed or seating == chosen
        }
        return labeled_question("seating", "With whom", labels, chosen)

    @property
    def other_games(self) -> Mapping[Seating, str]:
        """The name of the game that each seating leads to, from the named or tapped one; empty for this game itself."""
        shown = self.chosen or (self.found[0] if self.count == 1 else None)
        game = self.named or (shown.game if shown else None)
        if game is None:
            return {}
        none, now = no_relative(game.ruleset), shown and shown.game.ruleset
        others = {seating: self._seated(game, seating) for seating in SEATINGS}
        return {
            seating: "" if other and other is now else other.name if other else none
            for seating, other in others.items()
        }

    def _seated(self, game: Candidate, seating: Seating) -> Ruleset | None:
        """Return a game's rules if it allows this seating, else those of the most similar game; `None` without one."""
        players = self.player_count
        if seating in seatings(game.ruleset.table, players):
            return game.ruleset
        return relatives((fit.game for fit in self.fits), game.ruleset, players).get(seating)

    @property
    def targets(self) -> Sequence[int]:
        """The most common targets, ascending."""
        ends = Counter(game.winning.target or game.winning.count_down_from for game in library())
        del ends[None]
        return sorted(end for end, _ in ends.most_common(_TARGETS) if end)

    @property
    def points(self) -> Sequence[int]:
        """The most common numbers of points in a hand, ascending."""
        return sorted(points for points, _ in Counter(game.points_per_hand for game in library()).most_common(_POINTS))

    @property
    def assumed(self) -> GameDescription:
        """The answers to assume without a search: the default number of players, and the settings of a tapped game."""
        fit, players = self.chosen, self.player_count
        if fit is None:
            return GameDescription(players=players)
        table, winning = fit.game.ruleset.table, fit.game.ruleset.winning
        return GameDescription(
            players=players if players in table.player_counts else table.player_counts[0],
            seating=seatings(table, players)[0],
            points=with_house(fit.game.ruleset, fit.house)[0].points_per_hand,
            target=winning.target or winning.count_down_from,
        )

    @property
    def count(self) -> int:
        """The number of games found."""
        return len(self.found) + len(self.rest)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns in which the found games differ."""
        return compare(self.found)

    @property
    def chosen(self) -> Fit | None:
        """The tapped game, or the game most similar to it in a seating chosen later; `None` without one."""
        key, seating = request.args.get("game", ""), self.described.seating
        found = {self.key(fit): fit for fit in (*self.found, *self.rest)}
        if key in found or seating is None:
            return found.get(key)
        tapped = next((fit.game for fit in self.fits if self.key(fit) == key), None)
        other = self._seated(tapped, seating) if tapped else None
        return next((fit for fit in found.values() if fit.game.ruleset is other), None)

    def key(self, fit: Fit) -> str:
        """Return a key that is unique among games: a share code or the id of a variant."""
        return self.own_code(fit) or fit.game.ruleset.id

    def terms(self, fit: Fit) -> str:
        """Return what distinguishes a found game from the others, and its settings: "to 52 instead of 42"."""
        ruleset = fit.game.ruleset
        goals = self._goals(fit)
        counts = {game.game.ruleset.points_per_hand for game in self.found}
        is_searched = any(part.about == "points" for part in self.query.parts)
        points = [digits(ruleset.points_per_hand, "point")] if len(counts) > 1 and not is_searched else []
        players = [] if self._seats(fit) else [f"{player_counts(ruleset.table)} players"]
        seatings_found = {self._together(game) for game in self.found}
        seating = [self._together(fit)] if len(seatings_found) > 1 else []
        return ", ".join(filter(None, (*players, *seating, *points, *fit.changes, *goals)))

    def _together(self, fit: Fit) -> str:
        """Return "each alone" for a game without partners, else an empty text, as most games have partners."""
        return "each alone" if seatings(fit.game.ruleset.table, self.player_count) == ("alone",) else ""

    def _goals(self, fit: Fit) -> list[str]:
        return [] if any(change.startswith("to ") for change in fit.changes) else [self._goal(fit)]

    def _goal(self, fit: Fit) -> str:
        if self.described.target and "target" in fit.game.ruleset.open_options:
            return f"to {self.described.target}"
        return goal_words(with_house(fit.game.ruleset, fit.house)[0])

    def _seats(self, fit: Fit) -> bool:
        return fit.game.seats(self.player_count)

    def misses(self, fit: Fit) -> str:
        """Return the differences of a near game from the search that no house option removes: "4 players"."""
        return sentence(", ".join(fit.misfits)) or "Another game"

    @property
    def not_found(self) -> str:
        """A sentence on why no game was found."""
        described, rulesets = self.described, [fit.game.ruleset for fit in self.fits]
        if described.points and all(ruleset.points_per_hand != described.points for ruleset in rulesets):
            return f"No game here has {digits(described.points, 'point')} in a hand."
        if not any(fit.game.seats(self.player_count) for fit in self.fits):
            return f"No game here is for {digits(self.player_count, 'player')}."
        if self.is_contradiction:
            words = [f"“{words}”" for words, _ in self.removals]
            return f"No game here has {'both ' if len(words) == 2 else ''}{listed(words)}."
        return "No game here is all of that."

    def other_names(self, fit: Fit) -> list[str]:
        """Return the other name of a game that was typed, if the usual name was not."""
        ruleset = fit.game.ruleset
        if self._is_typed(ruleset.name):
            return []
        return [name for name in ruleset.also if self._is_typed(name)][:1]

    def _is_typed(self, name: str) -> bool:
        """Return whether a word of a name begins with a word that was typed."""
        typed = tuple(re.findall(r"\w+", self.query.text.lower()))
        return any(word.startswith(typed) for word in re.findall(r"\w+", name.lower()))

    @property
    def best(self) -> Fit | None:
        """The tapped game, or without a search the most common one."""
        return self.chosen if self.found or self.nearest or self.query.unknown else self.fits[0]

    @property
    def players(self) -> str:
        """The number of players in words."""
        return number(self.player_count)

    @property
    def usual(self) -> Mapping[str, Sequence[Fit]]:
        """The first games by heading: saved here, played here, and common."""
        found: dict[str, list[Fit]] = {}
        for fit in self.fits[:_MAX_LISTED]:
            is_played = fit.game.matches and not fit.misfits
            heading = "Yours" if fit.game.is_saved else "Played here" if is_played else f"Common for {self.players}"
            found.setdefault(heading, []).append(fit)
        return found

    @property
    def others(self) -> Sequence[Fit]:
        """The games after the first ones."""
        return self.fits[_MAX_LISTED:]

    def line(self, fit: Fit) -> str:
        """Return a game's summary: "To 52, 10 points"."""
        ruleset = fit.game.ruleset
        points = digits(ruleset.points_per_hand, "point")
        return sentence(", ".join(filter(None, (self._goal(fit), points, self._together(fit)))))

    def foot(self, fit: Fit) -> str:
        """Return the text of the button that leads to a game: "to 52 instead of 42, 4 players"."""
        words = [self.terms(fit)] if self._seats(fit) else [*fit.changes, *self._goals(fit)]
        players = self.players_in(fit) or fit.game.ruleset.table.player_counts[0]
        return ", ".join((*words, digits(players, "player")))

    def players_in(self, fit: Fit) -> int | None:
        """Return the number of players for the new match: as entered, or else one that the chosen seating allows.

        Return `None` if the game is not for the number entered.
        """
        table, seating, players = fit.game.ruleset.table, self.described.seating, self.player_count
        if players not in table.player_counts:
            return None
        if not self.is_usual or seating is None or seating in seatings(table, players):
            return players
        return next((count for count in table.player_counts if seating in seatings(table, count)), players)

    def seating_in(self, fit: Fit) -> str | None:
        """Return the chosen seating, `alone` or `partners`, if the game leaves it open; else `None`."""
        seating = self.described.seating
        is_open = len(seatings(fit.game.ruleset.table, self.players_in(fit))) > 1
        return None if seating is None or not is_open else "alone" if seating == "alone" else "partners"

    def answers(self, fit: Fit, prefix: str = "") -> dict[str, str]:
        """Return the fields of an address with the house answers that make a game fit the search."""
        return {f"{prefix}{name}": word_of(value) for name, value in fit.house.items()}

    def own_code(self, fit: Fit) -> str | None:
        """Return the share code of house rules; `None` for a published game."""
        return encode(fit.game.house_rules) if fit.game.house_rules else None

    def fitted_code(self, fit: Fit) -> str:
        """Return the share code of house rules with answers that fit the search; empty for a published game."""
        own = fit.game.house_rules
        return encode_shortened(with_answers(own, fit.house, library())[0]) if own else ""
