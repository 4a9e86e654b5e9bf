"""The game finder: questions and a search for a game to play, read about, print, change, or settle a hand by.

The page for each of these purposes shows the finder at its own URL.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlencode

from flask import Response, request

from scorekeeper.database.engine import db
from scorekeeper.matches.house_rules import house_rules_of_device
from scorekeeper.matches.match_list import setups_by_game
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pages.find_game.finder import (
    SEATING_WORDS,
    SEATINGS,
    Candidate,
    ComparedOption,
    Fit,
    GameDescription,
    SearchResult,
    Seating,
    compare_games,
    describe,
    find_fits,
    has_all_words,
    missing_game_words,
    most_similar_rulesets,
    possible_seatings,
    read_description,
    read_search,
    search,
    seatings,
)
from scorekeeper.pages.find_game.query import PART_KINDS_BY_QUESTION, Query, phrasebook_of, text_with_taps
from scorekeeper.pitch.rules.house_rules import add_answers, resolve_house_rules, with_house
from scorekeeper.pitch.rules.phrases import capitalize, digits, join_words, number_word, player_counts_text
from scorekeeper.pitch.rules.questions import answer_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.search import normalized_words
from scorekeeper.pitch.rules.share_codes import encode, encode_without_long_notes
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.web.context import device
from scorekeeper.web.library import library
from scorekeeper.web.respond import render_page, wants_fragment
from scorekeeper.web.widgets import QuestionView, labeled_question

TEMPLATE = "find_game/show.html"
"""The template of the finder, which the templates of all pages with a finder extend."""
BLOCKS = ("clear", "taps", "found", "bottom_bar")
"""The blocks of the template that htmx updates while somebody types or taps."""
DESCRIPTION = "Find the Pitch that you play by its name, your cards or your points, and start keeping score."
"""The description of the page for search engines."""
USUAL_PLAYER_COUNT = 4
"""The number of players until one is entered."""
_MAX_SEARCH_LENGTH = 200
"""The most characters of a search; the rest of a longer one is ignored."""
Purpose = Literal["play", "change", "read", "print", "settle"]
"""What the person wants to do with the game."""
_SEATING_LABELS = {**SEATING_WORDS, "called": "bidder calls a partner"}
"""The label of the button of each seating."""
_MAX_SHOWN_PLAYERS, _MAX_FOUND, _MAX_NEAREST, _MAX_LISTED = 6, 8, 4, 6
"""The largest number of players with a visible button; the most games in `found`, `nearest`, all of `usual_games`."""
_MAX_TARGET_CHIPS, _MAX_POINTS_CHIPS = 5, 5
"""The most buttons for targets, and for points in a hand; other numbers can be typed."""


def show_finder(
    purpose: Purpose, template: str = TEMPLATE, *, description: str = DESCRIPTION, **values: Any
) -> Response:
    """Show the finder with the games that fit the search in the URL; htmx gets only the blocks in `BLOCKS`.

    `template` extends `TEMPLATE` and gets the `values`. `description` is for search engines, on a page without a
    search.
    """
    page = finder_page(purpose)
    return render_page(
        # The parts are the same on each page, and a template does not know the blocks that it inherits.
        TEMPLATE if wants_fragment() else template,
        block=BLOCKS,
        finder=page,
        description="" if page.query.text else description,
        **values,
    )


def finder_page(purpose: Purpose) -> "FinderPage":
    """Return the finder with its games for the search in the URL: for the purpose "change", only published games."""
    played_setups = setups_by_game(db.session, device())
    games = published_games(played_setups)
    if purpose != "change":
        games = [*_house_games(played_setups), *games]
    query = _read_query(games)
    description = describe(query)
    is_search = (description.has_details or query.is_named) and not query.is_other_game
    result = (
        search(games, query, usual_players=USUAL_PLAYER_COUNT) if is_search else SearchResult(description=description)
    )
    with_players = replace(description, players=description.players or result.players or USUAL_PLAYER_COUNT)
    return FinderPage(
        purpose=purpose,
        description=with_players,
        is_player_count_assumed=description.players is None,
        rated_games=tuple(map(_with_last_target, find_fits(games, with_players))),
        query=query,
        named=result.named,
        found=result.fits[:_MAX_FOUND],
        more_found=result.fits[_MAX_FOUND:],
        nearest=result.nearest[:_MAX_NEAREST],
        left_out=query.typed_words(result.left_out) if result.left_out else "",
        removals=tuple(
            (query.typed_words(part), f"{request.path}?{urlencode({'q': query.text_without(part)})}")
            for part in result.removals
        ),
        words_contradict=len(result.removals) > 1 and not search(games, Query(query.text, result.removals)).fits,
    )


def _with_last_target(fit: Fit) -> Fit:
    """Return a fit with the target that this phone last chose for its game, if the rules allow it.

    A target that the search asks for is kept.
    """
    target = fit.game.last_target
    if target is None or "target" in fit.answers:
        return fit
    answers = {**fit.answers, "target": target}
    ruleset, faults = with_house(fit.game.ruleset, answers)
    return fit if faults else replace(fit, answers=answers, ruleset=ruleset)


def _read_query(games: Sequence[Candidate]) -> Query:
    """Return the search in the URL: the typed words, and the tapped answers as words.

    Answers are ignored if the typed words have changed since the page was shown.
    """
    phrases, args = phrasebook_of(library()), request.args
    text = args.get("q", "")[:_MAX_SEARCH_LENGTH].strip()
    query = read_search(text, phrases, games)
    if args.get("said", text) != text:
        return query
    described = describe(query)
    tapped = read_description(
        players=args.get("players", type=int),
        seating=args.get("seating", ""),
        cards=args.getlist("cards"),
        target=_chosen_number("target", "other", described.target),
        points=_chosen_number("bid", "other-bid", described.points),
    )
    taps = {
        question: answer
        for question in PART_KINDS_BY_QUESTION
        if (answer := getattr(tapped, question)) != getattr(described, question)
        and (answer is not None or "said" in args)
    }
    # A link may name the cards that score; they become words of the search.
    new = (f"with the {card}" for card in sorted(tapped.cards - query.values_of("cards")))
    written = " ".join(filter(None, (text_with_taps(query, taps, phrases), *new)))
    return query if written == query.text else read_search(written, phrases, games)


def _chosen_number(tapped_field: str, typed_field: str, current: int | None) -> int | None:
    """Return the number typed or tapped in the URL; `None` without one.

    Of two numbers, the one that is not `current` counts.
    """
    numbers = (number for name in (typed_field, tapped_field) if (number := request.args.get(name, type=int)))
    return min(numbers, key=lambda number: number == current, default=None)


_SetupsByGame = Mapping[tuple[str, str], Sequence[MatchSetup]]
"""The setups of this phone's matches, last opened first, by variant id and name of the rules."""


def published_games(played_setups: _SetupsByGame) -> list[Candidate]:
    """Return all published games, with the number of matches in `played_setups` and the target of the last one."""
    variants = library()
    return [
        Candidate(
            ruleset=ruleset,
            listing=variants.listing_by_id[ruleset.id],
            match_count=len(setups := played_setups.get((ruleset.id, ruleset.name), ())),
            last_target=setups[0].house.get("target") if setups else None,
        )
        for ruleset in variants
    ]


def _house_games(played_setups: _SetupsByGame) -> Iterator[Candidate]:
    """Yield the playable house rules that this phone has saved and not archived, then others from server files."""
    variants = library()
    saved = [stored.last.rules for stored in house_rules_of_device(db.session, device()) if not stored.last.is_retired]
    for rules in (*saved, *(rules for rules in variants.house_rules if rules not in saved)):
        ruleset, _ = resolve_house_rules(rules, variants)
        if ruleset:
            listing = variants.listing_by_id[rules.variant]
            match_count = len(played_setups.get((rules.variant, rules.name), ()))
            yield Candidate(
                ruleset=ruleset, listing=listing, house_rules=rules, match_count=match_count, is_saved=rules in saved
            )


@dataclass(frozen=True, kw_only=True)
class FinderPage:
    """What the finder's template shows: the search, the questions, and the games by fit."""

    purpose: Purpose
    """What the person wants to do with the game."""
    description: GameDescription
    """The game that the search describes, with an assumed number of players if the search has none."""
    is_player_count_assumed: bool
    """Whether the number of players is assumed because the search has none."""
    rated_games: tuple[Fit, ...]
    """All games, also those that do not fit, the best fit first."""
    query: Query
    named: Fit | None
    """The game that the search names, or the likeliest of several; `None` if it names none, or several that fit."""
    found: tuple[Fit, ...]
    """The first games that fit the search, some only with house options; at most `_MAX_FOUND`."""
    more_found: tuple[Fit, ...]
    """All further games that fit the search."""
    nearest: tuple[Fit, ...]
    """The nearest games if none fits the search, at most `_MAX_NEAREST`; else empty."""
    left_out: str
    """The typed words that were ignored because no game fits with them; empty without any."""
    removals: tuple[tuple[str, str], ...]
    """If no game fits: each part of the search to remove, as typed, with the URL of the rest."""
    words_contradict: bool
    """Whether the words in `removals` already rule each other out, without what was tapped."""

    @property
    def player_count(self) -> int:
        """The number of players in the search, or the assumed one."""
        return self.description.players or USUAL_PLAYER_COUNT

    @property
    def player_count_choices(self) -> list[int]:
        """The numbers of players to choose from, ascending: those of all published games, and `player_count`."""
        counts = {count for ruleset in library() for count in ruleset.table.player_counts}
        return sorted(counts.union([self.player_count]))

    @property
    def shown_choice_count(self) -> int:
        """How many `player_count_choices` are visible at first: those up to 6, or all if a larger one is chosen."""
        visible_count = len([count for count in self.player_count_choices if count <= _MAX_SHOWN_PLAYERS])
        return visible_count if self.player_count <= _MAX_SHOWN_PLAYERS else len(self.player_count_choices)

    @property
    def seating_question(self) -> QuestionView | None:
        """The question of seating; `None` without a choice, or for fewer than four players.

        A chosen seating is always shown.
        """
        chosen = self.description.seating
        allowed = possible_seatings((fit.game for fit in self.rated_games), self.player_count)
        if not chosen and (len(allowed) < 2 or self.player_count < USUAL_PLAYER_COUNT):
            return None
        labels = {
            seating: label for seating, label in _SEATING_LABELS.items() if seating in allowed or seating == chosen
        }
        return labeled_question("seating", "With whom", labels, chosen)

    @property
    def other_games(self) -> Mapping[Seating, str]:
        """For each seating, the name of the game to switch to from the game shown, or words that there is none.

        The name is "" if the game shown has the seating. No entries unless a game is tapped or is the only one found.
        """
        shown = self.chosen or (self.found[0] if self.found_count == 1 else None)
        if shown is None:
            return {}
        fit = self.named or shown
        no_game, others = missing_game_words(fit.ruleset), self._rulesets_by_seating(fit)
        return {
            seating: ("" if other is shown.game.ruleset else other.name) if (other := others.get(seating)) else no_game
            for seating in SEATINGS
        }

    def _rulesets_by_seating(self, fit: Fit) -> Mapping[Seating, Ruleset | None]:
        """Return the rules for each seating: this game's where it has the seating, else those of a similar game.

        `None` for a seating without a similar game. An assumed number of players excludes no seating of this game.
        """
        table, count = fit.ruleset.table, self.player_count
        rated = ((other.game, other.ruleset) for other in self.rated_games)
        others = most_similar_rulesets(rated, fit.ruleset, count)
        own = (*seatings(table, count), *(seatings(table, None) if self.is_player_count_assumed else ()))
        return others | dict.fromkeys(own, fit.game.ruleset)

    @property
    def common_targets(self) -> Sequence[int]:
        """The most common targets of published games, ascending, with the scores from which some count down."""
        goals = Counter(game.winning.target or game.winning.count_down_from for game in library())
        del goals[None]
        return sorted(goal for goal, _ in goals.most_common(_MAX_TARGET_CHIPS) if goal)

    @property
    def common_points(self) -> Sequence[int]:
        """The most common numbers of points in a hand of published games, ascending."""
        return sorted(
            points for points, _ in Counter(game.points_per_hand for game in library()).most_common(_MAX_POINTS_CHIPS)
        )

    @property
    def assumed(self) -> GameDescription:
        """The values to show in questions that the search does not answer: the tapped game's, else only players."""
        fit, players = self.chosen, self.player_count
        if fit is None:
            return GameDescription(players=players)
        table, winning = fit.ruleset.table, fit.ruleset.winning
        return GameDescription(
            players=players if players in table.player_counts else table.player_counts[0],
            seating=seatings(table, players)[0],
            points=fit.ruleset.points_per_hand,
            target=winning.target or winning.count_down_from,
        )

    @property
    def found_count(self) -> int:
        return len(self.found) + len(self.more_found)

    @property
    def columns(self) -> Sequence[ComparedOption]:
        """The columns that compare the games in `found`."""
        return compare_games(self.found)

    @property
    def chosen(self) -> Fit | None:
        """The tapped game, or a similar one for a seating tapped later; `None` without one that fits."""
        key, seating = request.args.get("game", ""), self.description.seating
        fits_by_key = {self.game_key(fit): fit for fit in (*self.found, *self.more_found)}
        if key in fits_by_key or seating is None:
            return fits_by_key.get(key)
        tapped = next((fit for fit in self.rated_games if self.game_key(fit) == key), None)
        other = self._rulesets_by_seating(tapped).get(seating) if tapped else None
        return next((fit for fit in fits_by_key.values() if fit.game.ruleset is other), None)

    def game_key(self, fit: Fit) -> str:
        """Return the form's key of a game: the share code of house rules, or the id of a variant."""
        return self.house_code(fit) or fit.ruleset.id

    def distinguishing_words(self, fit: Fit) -> str:
        """Return how a game differs from the other found games: "5 players, to 52"."""
        ruleset = fit.ruleset
        is_searched = any(part.kind == "points" for part in self.query.parts)
        points = {other.ruleset.points_per_hand for other in self.found}
        seatings_found = {self._alone_words(other) for other in self.found}
        words = (
            "" if fit.game.allows_players(self.player_count) else f"{player_counts_text(ruleset.table)} players",
            self._alone_words(fit) if len(seatings_found) > 1 else "",
            digits(ruleset.points_per_hand, "point") if len(points) > 1 and not is_searched else "",
            *fit.changes,
            self._unchanged_goal(fit),
        )
        return ", ".join(filter(None, words))

    def _alone_words(self, fit: Fit) -> str:
        """Return "each alone" if the players can only play alone in this game; else empty."""
        return "each alone" if seatings(fit.ruleset.table, self.player_count) == ("alone",) else ""

    def _unchanged_goal(self, fit: Fit) -> str:
        """Return the goal of a game, "to 21"; empty if its changes include the target."""
        return "" if any(change.startswith("to ") for change in fit.changes) else goal_words(fit.ruleset)

    def misfit_words(self, fit: Fit) -> str:
        """Return the misfits of a game, which no house option can change: "4 players"; "Another game" without any."""
        return capitalize(", ".join(fit.misfits)) or "Another game"

    @property
    def not_found_sentence(self) -> str:
        """Why no game was found, as a sentence."""
        points = self.description.points
        if points and all(fit.game.ruleset.points_per_hand != points for fit in self.rated_games):
            return f"No game here has {digits(points, 'point')} in a hand."
        if not any(fit.game.allows_players(self.player_count) for fit in self.rated_games):
            return f"No game here is for {digits(self.player_count, 'player')}."
        if self.words_contradict:
            words = [f"“{words}”" for words, _ in self.removals]
            return f"No game here has {'both ' if len(words) == 2 else ''}{join_words(words)}."
        return "No game here is all of that."

    def other_names(self, fit: Fit) -> list[str]:
        """Return a list with the game's alternative name, if that was typed rather than the usual one; else empty."""
        ruleset, query = fit.ruleset, self.query
        typed = (*query.names, *(part.words for part in query.parts if part.kind == "points"))
        names = (ruleset.name, *ruleset.also)
        found = [name for name in names if any(has_all_words(normalized_words(name), words) for words in typed)]
        return [name for name in found[:1] if name != ruleset.name]

    @property
    def button_fit(self) -> Fit | None:
        """The game of the button at the bottom: the tapped one, or without a search the first; `None` for no button."""
        return self.chosen if self.found or self.nearest or self.query.unknown_words else self.rated_games[0]

    @property
    def usual_games(self) -> Mapping[str, Sequence[Fit]]:
        """The first games to list if nothing is searched for, by heading: "Yours", "Played here", "Common for four"."""
        fits_by_heading: dict[str, list[Fit]] = {}
        for fit in self.rated_games[:_MAX_LISTED]:
            is_played = fit.game.match_count and not fit.misfits
            heading = (
                "Yours"
                if fit.game.is_saved
                else "Played here"
                if is_played
                else f"Common for {number_word(self.player_count)}"
            )
            fits_by_heading.setdefault(heading, []).append(fit)
        return fits_by_heading

    @property
    def further_games(self) -> Sequence[Fit]:
        """The games to list after those in `usual_games` if nothing is searched for."""
        return self.rated_games[_MAX_LISTED:]

    def summary_line(self, fit: Fit) -> str:
        """Return the goal and the points of a game in words, and the seating if all play alone: "To 52, 10 points"."""
        points = digits(fit.ruleset.points_per_hand, "point")
        return capitalize(", ".join(filter(None, (goal_words(fit.ruleset), points, self._alone_words(fit)))))

    def button_text(self, fit: Fit) -> str:
        """Return the settings of a game for its button: "to 52 instead of 42, 4 players"."""
        is_seated = fit.game.allows_players(self.player_count)
        words = [self.distinguishing_words(fit)] if is_seated else [*fit.changes, self._unchanged_goal(fit)]
        players = self.players_in(fit) or fit.ruleset.table.player_counts[0]
        return ", ".join(filter(None, (*words, digits(players, "player"))))

    def players_in(self, fit: Fit) -> int | None:
        """Return the number of players for a new match of a game; `None` if the game is not for so many.

        An assumed number changes if the chosen seating needs another.
        """
        table, seating, players = fit.ruleset.table, self.description.seating, self.player_count
        if players not in table.player_counts:
            return None
        if not self.is_player_count_assumed or seating is None or seating in seatings(table, players):
            return players
        return next((count for count in table.player_counts if seating in seatings(table, count)), players)

    def seating_in(self, fit: Fit) -> str | None:
        """Return "alone" or "partners" for a new match, as chosen; `None` if none is chosen or there is no choice."""
        seating = self.description.seating
        has_several = len(seatings(fit.ruleset.table, self.players_in(fit))) > 1
        return None if seating is None or not has_several else "alone" if seating == "alone" else "partners"

    def answer_fields(self, fit: Fit, prefix: str = "") -> dict[str, str]:
        """Return the URL fields, named with `prefix`, of the house answers that make a game fit the search."""
        return {f"{prefix}{name}": answer_word(value) for name, value in fit.answers.items()}

    def house_code(self, fit: Fit) -> str | None:
        """Return the share code of a game that is house rules; `None` for a published game."""
        return encode(fit.game.house_rules) if fit.game.house_rules else None

    def fitted_code(self, fit: Fit) -> str:
        """Return the share code of house rules changed to fit the search; empty for a published game.

        The notes are left out if they are too long for a code.
        """
        house_rules = fit.game.house_rules
        return encode_without_long_notes(add_answers(house_rules, fit.answers, library())[0]) if house_rules else ""
