"""Find the game that a table plays, by its answers to questions or by typed words.

A question without an answer excludes no game. A game fits better if fewer house options must change; no option changes
its number of players or seating.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, get_args

from scorekeeper.pages.find_game.query import Part, Phrasebook, Query, Word, read_query
from scorekeeper.pitch.rules.awards import RANK_NAMES, SUITS, AwardId, plain_name
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.phrases import count_words, join_words, number_word, player_counts_text
from scorekeeper.pitch.rules.questions import QUESTIONS, answer_word
from scorekeeper.pitch.rules.schema import Answers, Listing, Ruleset, Table
from scorekeeper.pitch.rules.search import MIN_MISSPELLED_LENGTH, Phrase, normalized_words, stem_word

Seating = Literal["partners", "teams", "pairs", "alone", "called"]
"""How players sit: two pairs of partners; two larger teams; three pairs; alone; with a called partner."""
SEATINGS: tuple[Seating, ...] = get_args(Seating)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDescription:
    """The game that a table plays, as far as it is known; the field of a skipped question is empty."""

    players: int | None = None
    seating: Seating | None = None
    cards: frozenset[str] = frozenset()
    """The plain names of awards that score for the table; others may score too."""
    worth: Mapping[str, int] = field(default_factory=dict)
    """The points of an award, by its plain name; only for awards whose points were entered."""
    target: int | None = None
    """The score that wins, or from which the game counts down."""
    points: int | None = None
    """The number of points in a hand."""
    options: Answers = field(default_factory=dict)
    """The answers to house options, by option."""
    without: frozenset[str] = frozenset()
    """The plain names of awards that do not score."""
    without_bids: bool = False
    """Whether the game has no bidding."""

    @property
    def has_details(self) -> bool:
        """Whether anything besides the number of players was described."""
        return self != GameDescription(players=self.players, worth=self.worth)


PointsByName = Mapping[str, int]
"""The points of awards, by plain name; for cards of one rank, the points of each card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A game among those that a search can find: a published variant, or house rules."""

    ruleset: Ruleset
    listing: Listing
    house_rules: HouseRules | None = None
    """The house rules; `None` for a variant as published."""
    match_count: int = 0
    """The number of matches of the game on this phone's list."""
    last_target: int | None = None
    """The target that was chosen for the game's last opened match; only for a published variant."""
    is_saved: bool = False
    """Whether the game is house rules that this phone has saved."""

    def allows_players(self, players: int | None) -> bool:
        """Return whether the game can be played by this number of players; true if `players` is `None`."""
        return players is None or players in self.ruleset.table.player_counts


def usual_points_by_name(games: Iterable[Candidate]) -> PointsByName:
    """Return the usual points of the awards in published games, the most common award first."""
    popularity: dict[str, float] = defaultdict(float)
    points: dict[str, Counter[int]] = defaultdict(Counter)
    for game in (game for game in games if game.house_rules is None):
        for name, worth in _points_by_name(game.ruleset).items():
            popularity[name] += 1 / game.listing.common
            points[name][worth] += 1
    names = sorted(popularity, key=lambda name: -popularity[name])
    return {name: points[name].most_common(1)[0][0] for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well a game fits a description, and the house options that must change for it."""

    game: Candidate
    answers: Answers
    """The house answers that make the game fit, by option."""
    ruleset: Ruleset
    """The rules of the game with these answers."""
    changes: tuple[str, ...]
    """The changes that these answers make, in words: "to 52 instead of 42", "with the Off Jack"."""
    misfits: tuple[str, ...]
    """The properties of the game that do not fit and that no house option can change, in words: "5 players"."""
    distance: int
    """How far the game is from the description: 1 for each card or target to change, 2 for any other difference.

    A target for a game without an end also counts 2; an answer to an open option counts 0.
    """
    changed_card_count: int
    """The number of scoring cards that the description adds or removes."""
    has_other_target: bool
    """Whether the changes replace the game's own target with another."""

    @property
    def is_fit(self) -> bool:
        """Whether house options alone can make the game fit."""
        return not self.misfits


def find_fits(games: Sequence[Candidate], description: GameDescription) -> tuple[Fit, ...]:
    """Return how well each game fits a description, the nearest first.

    If no game has the described number of points, games with one card too many are tried without it.
    """
    usual_points = usual_points_by_name(games)
    fits = [_fit_game(game, description, usual_points) for game in games]
    if description.points and all(fit.game.ruleset.points_per_hand != description.points for fit in fits):
        fits = [_fit_without_card(fit, description, usual_points) for fit in fits]
    return tuple(sorted(fits, key=_fit_sort_key))


def _fit_without_card(fit: Fit, description: GameDescription, usual_points: PointsByName) -> Fit:
    """Return the fit without the one card that makes the points of a hand too many, if there is such a card."""
    surplus = fit.ruleset.points_per_hand - (description.points or 0)
    worth = _points_by_name(fit.ruleset)
    names = [name for name, points in worth.items() if points == surplus and name not in description.cards]
    if len(names) != 1:
        return fit
    return _fit_game(fit.game, replace(description, without=description.without.union(names)), usual_points)


def _fit_sort_key(fit: Fit) -> tuple[int, bool, bool, int, int, int]:
    """Return a fit's sort key: nearest, no misfits, house rules, most matches, fewest house answers, most common."""
    is_variant, match_count, rank = game_sort_key(fit.game)
    return fit.distance, not fit.is_fit, is_variant, match_count, len(fit.answers), rank


def game_sort_key(game: Candidate) -> tuple[bool, int, int]:
    """Return the sort key of games that fit equally: house rules, then most matches on this phone, then most common."""
    return game.house_rules is None, -game.match_count, game.listing.common


def asks_seating(games: Iterable[Candidate], players: int | None) -> bool:
    """Return whether to ask for the seating: the games have several for `players`, not just "partners" and "alone".

    False without `players`.
    """
    possible = possible_seatings(games, players)
    return players is not None and len(possible) > 1 and possible != {"partners", "alone"}


def possible_seatings(games: Iterable[Candidate], players: int | None) -> set[Seating]:
    """Return the seatings that the games allow for this number of players, or for any number if it is `None`."""
    return {
        seating for game in games if game.allows_players(players) for seating in seatings(game.ruleset.table, players)
    }


def most_similar_rulesets(
    games: Iterable[tuple[Candidate, Ruleset]], ruleset: Ruleset, players: int
) -> dict[Seating, Ruleset | None]:
    """Return the ruleset among the games that is most similar to `ruleset`, for each possible seating.

    Similar games have the same points in a hand and few different scoring cards, by the rules beside each, which may
    have house answers; `None` without a similar game.
    """
    cards = _award_ids_by_name(ruleset).keys()
    playable = [(game, rules) for game, rules in games if game.allows_players(players)]
    playable.sort(
        key=lambda pair: (len(cards ^ _award_ids_by_name(pair[1]).keys()), *game_sort_key(pair[0])), reverse=True
    )
    rulesets: dict[Seating, Ruleset | None] = {}
    for game, rules in playable:
        is_similar = rules.points_per_hand == ruleset.points_per_hand
        for seating in seatings(rules.table, players):
            rulesets[seating] = game.ruleset if is_similar else rulesets.get(seating)
    return {seating: rulesets[seating] for seating in SEATINGS if seating in rulesets}


def _fit_game(game: Candidate, description: GameDescription, usual_points: PointsByName) -> Fit:
    """Return how well a game fits a description, with the house answers that it needs.

    A card to add is worth its `usual_points`, unless the description gives other points.
    """
    ruleset = game.ruleset
    missing = [
        name
        for name in usual_points
        if name in description.cards and not _scores_as_described(ruleset, name, description)
    ]
    # Add no other number of jokers to a game with jokers, which would remove its own.
    has_other_jokers = ruleset.points.jokers > 0 and not _JOKER_COUNTS.keys().isdisjoint(missing)
    added = [name for name in missing if not (has_other_jokers and name in _JOKER_COUNTS)]
    worth = {**usual_points, **description.worth}
    answers: dict[str, object] = {}
    for name in added:
        answers |= _scoring_answers(ruleset, name, worth[name])
    names = [f"{name} worth {worth[name]}" if name in description.worth else name for name in added]
    changes = [f"with the {join_words(names)}"] if added else []
    removed = [name for name in _award_ids_by_name(ruleset) if name in description.without]
    for name in removed:
        answers |= {"jokers": 0} if name in _JOKER_COUNTS else dict.fromkeys(_award_ids_by_name(ruleset)[name], False)
        changes.append(f"without {'jokers' if name in _JOKER_COUNTS else f'the {name}'}")
    distance, has_other_target = len(added) + len(removed), False
    game_target = ruleset.winning.count_down_from or ruleset.winning.target
    if description.target not in (None, game_target):
        counts_down = ruleset.winning.count_down_from or "count_down_from" in description.options
        option = "count_down_from" if counts_down else "target"
        answers[option] = description.target
        if option not in ruleset.open_options:
            changes.append(f"to {description.target}{f' instead of {game_target}' if game_target else ''}")
            # To add a target to a game for money, which has no end, counts double.
            distance += 1 if has_end(ruleset) else 2
            has_other_target = has_end(ruleset)
    new_answers = {name: value for name, value in description.options.items() if ruleset.answer(name) != value}
    answers |= new_answers
    misfits = _table_misfits(ruleset.table, description)
    if description.without_bids and ruleset.bidding.auction:
        misfits.append("with bidding")
    if has_other_jokers:
        misfits.append("one joker instead of both" if ruleset.points.jokers == 1 else "both jokers instead of one")
    changed, faults = with_house(ruleset, answers)
    if faults:
        answers, changed, changes, new_answers = {}, ruleset, [], {}
        misfits.append(_as_clause(faults[0].message))
    # "Ten point without jokers" may be a ten-point game less its jokers, or a game with ten points left.
    if description.points not in (None, changed.points_per_hand, *([ruleset.points_per_hand] if removed else ())):
        misfits.append(f"{count_words(changed.points_per_hand, 'point')} a hand")
    changed_options = [name for name in new_answers if name not in ruleset.open_options]
    terms = (
        QUESTIONS[name].term(new_answers[name], changed) or _as_clause(QUESTIONS[name].rule(changed))
        for name in changed_options
    )
    return Fit(
        game=game,
        answers=answers,
        ruleset=changed,
        changes=(*changes, *terms),
        misfits=tuple(misfits),
        distance=distance + 2 * (len(misfits) + len(changed_options)),
        changed_card_count=len(added) + len(removed),
        has_other_target=has_other_target,
    )


def _award_ids_by_name(ruleset: Ruleset) -> dict[str, list[AwardId]]:
    """Return the ids of the awards in play, by plain name; of plain cards of one rank, only the first award."""
    award_ids: dict[str, list[AwardId]] = {}
    for award_id in ruleset.award_rows:
        award_ids.setdefault(plain_name(ruleset.kinds[award_id]), []).append(award_id)
    return award_ids


def _points_by_name(ruleset: Ruleset) -> dict[str, int]:
    """Return the points of the awards in play, by plain name; awards that share a name are added up.

    Of plain cards of one rank, only one is counted.
    """
    return {
        name: sum(ruleset.awards[award_id].points for award_id in award_ids)
        for name, award_ids in _award_ids_by_name(ruleset).items()
    }


def _scores_as_described(ruleset: Ruleset, card: str, description: GameDescription) -> bool:
    """Return whether a card scores, with the described points if there are any; `card` is a plain name."""
    points, worth = _points_by_name(ruleset).get(card), description.worth.get(card)
    if points and (worth in (None, points) or card == "Jokers"):
        return True
    return card == "Ten" and ruleset.points.game_rule == "ten_of_trumps" and ruleset.game_award in ruleset.in_play


def _scoring_answers(ruleset: Ruleset, card: str, points: int) -> dict[str, object]:
    """Return the house answers that make a card score these points; `card` is a plain name.

    For "Jokers" the points are ignored.
    """
    named = [award_id for award_id, kind in ruleset.kinds.items() if plain_name(kind) == card]
    award_ids = _award_ids_by_name(ruleset).get(card, named)
    if card == "Jokers":
        return {**dict.fromkeys(award_ids, True), "jokers": _JOKER_COUNTS[card]}
    answers: dict[str, object] = {award_ids[0]: True if ruleset.awards[award_ids[0]].points == points else points}
    return answers | ({"jokers": _JOKER_COUNTS[card]} if card in _JOKER_COUNTS else {})


_JOKER_COUNTS = {"One Joker": 1, "Jokers": 2}
"""The number of jokers in the deck, by the plain name of their award."""


def _table_misfits(table: Table, description: GameDescription) -> list[str]:
    """Return, in words, the player counts or seatings of a game that do not fit: "4 or 6 players".

    Teams and pairs fit a description of partners.
    """
    words = []
    if description.players and description.players not in table.player_counts:
        words.append(f"{player_counts_text(table)} players")
    seats = seatings(table, description.players)
    is_together = description.seating == "partners" and not {"teams", "pairs"}.isdisjoint(seats)
    if description.seating and description.seating not in seats and not is_together:
        words.append(join_words([SEATING_WORDS[seating] for seating in seats], "or"))
    return words


SEATING_WORDS: Mapping[Seating, str] = {
    "partners": "partners",
    "teams": "two teams",
    "pairs": "three pairs",
    "alone": "each alone",
    "called": "the bidder calls a partner",
}


def seatings(table: Table, players: int | None) -> tuple[Seating, ...]:
    """Return a game's seatings for this number of players; for any number if it is `None` or not allowed.

    For any number, teams and pairs count as "partners".
    """
    if table.called:
        return ("called",)
    possible: dict[Seating, object] = {"partners": table.partners, "alone": table.most}
    if players is not None and players in table.player_counts:
        sides = table.partners.get(players, 0)
        together: Seating = "teams" if players > 2 * sides else "pairs" if sides > 2 else "partners"
        possible = {together: sides, "alone": players in range(table.fewest, table.most + 1)}
    return tuple(seating for seating, is_possible in possible.items() if is_possible)


def _as_clause(sentence: str) -> str:
    """Return a sentence without its capital letter and period, for use inside another sentence."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def read_description(
    *,
    players: int | None,
    seating: str = "",
    cards: Iterable[str] = (),
    target: int | None = None,
    points: int | None = None,
) -> GameDescription:
    """Return a description with these values; impossible ones, such as zero players, are left out."""
    highest = options()["target"].highest or 0
    return GameDescription(
        players=players if players and players > 0 else None,
        seating=next((known for known in SEATINGS if known == seating), None),
        cards=frozenset(cards),
        points=points if points and points > 0 else None,
        target=target if target and 0 < target <= highest else None,
    )


def missing_game_words(ruleset: Ruleset) -> str:
    """Return words for a seating without a game that has the same points as this one: "no four-point game"."""
    return f"no {number_word(ruleset.points_per_hand)}-point game"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The games that a search has found, and how it has understood the query."""

    description: GameDescription
    """The properties of the game in the query, without names of games."""
    players: int | None = None
    """The number of players: as typed, else the usual one or one that the named game allows; `None` if unknown."""
    named: Fit | None = None
    """The game that the query names, or the likeliest of several; `None` if it names none, or several that fit."""
    fits: tuple[Fit, ...] = ()
    """The games that match the query, some only with house options, the best match first."""
    nearest: tuple[Fit, ...] = ()
    """All games, the nearest first, if no game matches the query; else empty."""
    left_out: Part | None = None
    """The part of the query that was ignored because no game matches with it; `None` if there is none."""
    removals: Sequence[Part] = ()
    """If no game matches: the parts of the query that could each be removed so that some game matches."""


def search(games: Sequence[Candidate], query: Query, usual_players: int | None = None) -> SearchResult:
    """Return the games that match a query, with house options if needed; if none does, the nearest games.

    A part of the query that is uncertain is ignored if games match only without it. `usual_players` is for a query
    without a number of players.
    """
    result = _search(games, query, usual_players)
    is_plural = any(part.words[-1].text == "points" for part in query.parts)
    if result.fits and not is_plural:
        return result
    # The points in "21-point setback" or "52 points" are the target if more games are played to that.
    to_win = query.with_points_to_win
    result_to_win = result if to_win is query else _search(games, to_win, usual_players)
    with_points = sum(fit.game.ruleset.points_per_hand == result.description.points for fit in result.fits)
    if sum(not fit.answers for fit in result_to_win.fits) > with_points:
        return result_to_win
    if result.fits:
        return result
    removals = []
    for part in (part for part in query.parts if part.kind):
        shorter_result = _search(games, query.without(part), usual_players)
        if shorter_result.fits and not part.is_sure:
            return replace(shorter_result, left_out=part)
        removals += [part] if shorter_result.fits else []
    # Those in "setback 21 points" may be the target even if none is played to that.
    return result_to_win if is_plural and result_to_win.fits else replace(result, removals=removals)


def _search(games: Sequence[Candidate], query: Query, usual_players: int | None) -> SearchResult:
    """Return the games that match the query as typed; if none does, the nearest games.

    If a named game does not fit, a similar game with the described seating matches instead.
    """
    description = describe(query)
    name_sort_keys = {id(game): _name_sort_keys(query, [*_game_names(game)]) for game in games}
    players, mentioned = description.players or usual_players, description.cards | description.without

    def search_sort_key(fit: Fit) -> tuple[object, ...]:
        """Return the sort key of a fit in a search, the best match first.

        The number of players counts most, then the words found in names, then how much differs.
        """
        by_name, by_common, by_points = name_sort_keys[id(fit.game)]
        distance, *usual_keys, rank = _fit_sort_key(fit)
        distance -= fit.has_other_target
        by_words, *name_tie_breaks = by_name
        # A query with High and Low is a full list of what scores.
        others = len(_award_ids_by_name(fit.ruleset).keys() - mentioned) if mentioned >= {"High", "Low"} else 0
        by_text = (by_words, fit.changed_card_count + others, *name_tie_breaks, distance, by_common)
        return not fit.game.allows_players(players), *by_text, fit.has_other_target, *usual_keys, by_points, rank

    rated_games = sorted(find_fits(games, description), key=search_sort_key)
    counts = {id(game): _count_found_names(query.names, game) for game in games}
    most_in_names, _, most = map(max, zip(*counts.values(), strict=True))
    fits, meant = list[Fit](), set[int]()
    # Match names and slang first, then summaries too, then names alone.
    for index, wanted in ((1, most), (2, most), (0, most_in_names or most)):
        meant = {key for key, matched in counts.items() if matched[index] == wanted} or meant
        fits = [fit for fit in rated_games if id(fit.game) in meant and fit.is_fit]
        if fits:
            break
    names_one_game = len(meant) < len(games) and len(fits) < 2
    named = next(fit for fit in fits or rated_games if id(fit.game) in meant) if names_one_game else None
    if named and description.players is None and not named.game.allows_players(players):
        players = named.ruleset.table.player_counts[0]
    if named and not fits and description.seating and players and named.game.allows_players(players):
        rated = ((fit.game, fit.ruleset) for fit in rated_games)
        other = most_similar_rulesets(rated, named.ruleset, players).get(description.seating)
        fits = [fit for fit in rated_games if fit.game.ruleset is other and fit.is_fit]
    fits_for_players = [fit for fit in fits if fit.game.allows_players(players)]

    def nearest_sort_key(fit: Fit) -> tuple[object, ...]:
        """Return the sort key of a fit if no game fits: games that the query names first, then the nearest ones."""
        return id(fit.game) not in meant, _misfit_distance(fit, description), *search_sort_key(fit)[1:]

    return SearchResult(
        description=description,
        players=players,
        named=named,
        fits=tuple(fits if query.names else fits_for_players or fits),
        nearest=() if fits else tuple(sorted(rated_games, key=nearest_sort_key)),
    )


def describe(query: Query) -> GameDescription:
    """Return the description of the game in a query; names of games are not part of it."""
    answers, worth = dict(query.values_of("options")), dict(query.values_of("worth"))
    if down := query.last_value("count_down_from"):
        answers["count_down_from"] = down
    description = read_description(
        players=query.players,
        seating=query.seating,
        cards=query.values_of("cards").union(worth),
        target=query.target,
        points=query.last_value("points"),
    )
    without = query.values_of("without")
    return replace(
        description,
        options=answers,
        worth=worth,
        without=without | _JOKER_COUNTS.keys() if without & _JOKER_COUNTS.keys() else without,
        without_bids=query.last_value("without_bids") is not None,
    )


def _misfit_distance(fit: Fit, description: GameDescription) -> int:
    """Return how far a game is from a description in points and players, and at least its number of misfits."""
    points = abs(fit.ruleset.points_per_hand - description.points) if description.points else 0
    counts = fit.ruleset.table.player_counts
    players = min(abs(count - description.players) for count in counts) if description.players else 0
    return max(points + players, len(fit.misfits))


def _count_found_names(names: Sequence[Sequence[Word]], game: Candidate) -> tuple[int, ...]:
    """Return how many of `names` are found in a game's names; with its slang; and with its slang and summary.

    A name is found where one text has all its words.
    """
    own_names, slang, summary = [*_game_names(game)], [*_slang_of(game)], [game.ruleset.summary]
    return tuple(
        sum(any(has_all_words(normalized_words(text), name) for text in texts) for name in names)
        for texts in (own_names, own_names + slang, own_names + slang + summary)
    )


def _name_sort_keys(query: Query, texts: Sequence[str]) -> tuple[tuple[int, bool, int], int, int]:
    """Return sort keys for how well a query matches a game's names: by rare words, by common words, by points.

    The best match has the lowest keys.
    """
    words = [*chain.from_iterable(query.names)]
    sure_words = chain.from_iterable(part.words for part in query.parts if part.kind == "name" and part.is_sure)
    common_words = [word for word in sure_words if word.is_common]
    phrases = defaultdict[str, list[Sequence[Word]]](list)
    for part in query.parts:
        phrases[part.kind].append(part.words)
    # "Pitch with one joker" is Pitch with Joker, which scores it; "pitch, jack" is in no name.
    with_cards = [
        [*words, *common_words, *(word for word in card_words if not word.stem.isdigit())]
        for card_words in phrases["cards"]
        if len(card_words) > 1 and (words or common_words)
    ]
    keys = []
    for index, text in enumerate(map(normalized_words, texts)):
        found = sum(_has_word(text, word) for word in words)
        # "Four players" is not in "Four-Point Pitch"; "pitch for two" is no more Setback for two than another game.
        whole_phrases = (*phrases["called"], *(phrases["players"] if found else ()), *with_cards)
        found += sum(has_all_words(text, phrase) for phrase in whole_phrases)
        at_word_start = sum(any(name_word.startswith(word.text) for name_word in text) for word in words)
        found_common = sum(_has_word(text, word) + (text == (word.text,)) for word in common_words)
        found_points = any(has_all_words(text, points) for points in phrases["points"]) * (1 + found_common)
        keys.append(((-found, index > 0, -at_word_start), -found_common, -found_points))
    keys_by_words, keys_by_common_words, keys_by_points = zip(*keys, strict=True)
    return min(keys_by_words), min(keys_by_common_words), min(keys_by_points)


def has_all_words(text: Phrase, words: Sequence[Word]) -> bool:
    """Return whether a text has all of these words, as in `_has_word`; false without words."""
    return bool(words) and all(_has_word(text, word) for word in words)


def _has_word(text: Phrase, wanted: Word) -> bool:
    """Return whether a text has a word that begins with `wanted` or has the same stem.

    A long word may be anywhere in the text: "setback" is in "Set Back".
    """
    is_within = len(wanted.text) >= MIN_MISSPELLED_LENGTH and wanted.text in "".join(text)
    return is_within or any(word.startswith(wanted.text) or stem_word(word) == wanted.stem for word in text)


def read_search(text: str, phrasebook: Phrasebook, games: Iterable[Candidate]) -> Query:
    """Parse a typed text into a query, recognizing words in the names, slang and summaries of games."""
    games = tuple(games)
    names, slang = (chain.from_iterable(map(texts, games)) for texts in (_game_names, _slang_of))
    return read_query(text, phrasebook, names, slang, (game.ruleset.summary for game in games))


def _game_names(game: Candidate) -> Iterator[str]:
    """Yield the names of a game, the usual one first, then alternative names and a published variant's nicknames."""
    yield game.ruleset.name
    yield from game.ruleset.also
    if game.house_rules is None:
        yield from game.listing.nicknames


def _slang_of(game: Candidate) -> Iterator[str]:
    """Yield the words for what is in a game: its awards, options and deck, such as "54 card deck"."""
    ruleset = game.ruleset
    for award in ruleset.in_play.values():
        yield award.name
    for name, words in game.listing.slang.items():
        if _slang_applies(ruleset, name):
            yield from (name.replace("_", " "), *words)
    ranks, dealt = ruleset.cards.deck_ranks, ruleset.cards.dealt
    deck_size = len(SUITS) * len(ranks) + ruleset.points.jokers
    for card_count in (deck_size, deck_size - ruleset.points.jokers, dealt):
        yield from (f"{card_count} card", f"{card_count} card deck")
    if _slang_applies(ruleset, "ranks"):
        lowest = RANK_NAMES[ranks[-1]]
        yield from (f"{lowest} low", f"{lowest}s low")


def _slang_applies(ruleset: Ruleset, name: str) -> bool:
    """Return whether slang for an award or option fits a game: the award is in play, the option not at its default.

    Slang for "ranks" fits a game with a short deck, that for "cents_per_point" one with any payment.
    """
    if name == "ranks":
        return len(ruleset.cards.deck_ranks) < len(RANK_NAMES)
    if name == "cents_per_point":
        return ruleset.is_for_money
    if name in ruleset.awards:
        return name in ruleset.in_play
    return ruleset.answer(name) not in (options()[name].default, None)


COMPARED_OPTIONS = {
    name: comparison
    for name in ("min_bid", "score_on_made", "win_rule", "moon", "low")
    if (comparison := options()[name].declaration.comparison)
}
"""The options that a comparison of games shows, in order: the column's title and the words for answers, by option."""


@dataclass(frozen=True, slots=True)
class ComparedOption:
    """A column in the comparison of games: an option to which they have different answers."""

    option: str
    title: str
    values: tuple[str, ...]
    """Each game's answer in words, in the order of the games."""

    def is_only_answer(self, index: int) -> bool:
        """Return whether no other game has the same answer as the game at this index."""
        return self.values.count(self.values[index]) == 1


def compare_games(fits: Sequence[Fit]) -> tuple[ComparedOption, ...]:
    """Return a column for each of `COMPARED_OPTIONS` on which the games differ with their house answers."""
    columns = (
        ComparedOption(option, title, tuple(_answer_text(fit.ruleset, option) for fit in fits))
        for option, (title, _) in COMPARED_OPTIONS.items()
    )
    return tuple(column for column in columns if len(set(column.values)) > 1)


def _answer_text(ruleset: Ruleset, option: str) -> str:
    """Return a game's answer to a compared option, in words for the table that compares games."""
    _, words = COMPARED_OPTIONS[option]
    answer = ruleset.answer(option)
    if answer is None and option in ruleset.open_options:
        return "you pick"
    if not ruleset.has_bidding and option in ("min_bid", "score_on_made", "win_rule"):
        return "no bids"
    if answer == "stake" and option == "moon":
        made, cost = ruleset.moon.moon_made, ruleset.moon.moon_set
        return f"±{made}" if made == cost else f"+{made}, −{cost}"
    return words.get(answer_word(answer), answer_word(answer))
