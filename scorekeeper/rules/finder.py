"""Find the game that a table plays: from what it says (how many, who with whom, for which cards), or by words.

A game fits when house options alone make it what was said. Who plays with whom is no house option: a game that seats
people otherwise does not fit, and says so.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from scorekeeper.rules.awards import JOKERS, AwardId, plain_name
from scorekeeper.rules.house_rules import HouseRules, with_house
from scorekeeper.rules.options import options
from scorekeeper.rules.phrases import listed, number, player_counts
from scorekeeper.rules.questions import QUESTIONS, has_end
from scorekeeper.rules.schema import Listing, Ruleset, Table

Seating = Literal["partners", "alone", "called"]
SEATINGS: tuple[Seating, ...] = get_args(Seating)
TELLING_OPTIONS = ("score_on_made", "moon", "win_rule")
"""What a family finds out too late where two games look alike, in the order in which it is asked."""
_CLOSE, _MOST_CLOSE = 1, 4
"""By how many differences a game may lose to the best fit and still be asked about, and how many games are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDescription:
    """What a table has said about its game; what it skipped is empty."""

    players: int | None = None
    seating: Seating | None = None
    cards: frozenset[str] = frozenset()
    """The plain names of what scores."""
    target: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    """Answers to the questions that tell games apart."""

    @property
    def is_anything(self) -> bool:
        """Whether more was said than how many play."""
        return bool(self.seating or self.cards or self.target or self.options)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringCard:
    """Something that scores, as a table calls it that has chosen no game yet."""

    name: str
    points: int
    """What it is worth in most games."""
    worths: frozenset[int] = frozenset()
    """What it is worth in any game of the book: a table that names it means the worth that its game has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A game that a table may play: a variant, or a house's own rules."""

    ruleset: Ruleset
    listing: Listing
    house_rules: HouseRules | None = None
    matches: int = 0
    """How many of a phone's matches were played by it."""


def scoring_cards(games: Iterable[Candidate]) -> tuple[ScoringCard, ...]:
    """Return everything that scores in some game, what is commonest first."""
    played: dict[str, float] = defaultdict(float)
    points: dict[str, Counter[int]] = defaultdict(Counter)
    worths: dict[str, set[int]] = defaultdict(set)
    for game in games:
        ruleset = game.ruleset
        for name, award_ids in _cards_of(ruleset).items():
            played[name] += 1 / game.listing.common
            worth = sum(ruleset.awards[award_id].points for award_id in award_ids)
            points[name][worth] += 1
            if game.house_rules is None:
                worths[name].add(worth)
    by_use = sorted(played, key=lambda name: -played[name])
    return tuple(
        ScoringCard(name=name, points=points[name].most_common(1)[0][0], worths=frozenset(worths[name]))
        for name in by_use
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How near a game comes to what was said."""

    game: Candidate
    house: Mapping[str, Any]
    """The house answers that make it what was said."""
    changes: tuple[str, ...]
    """What those change, in a few words each: "to 52", "with the Off Jack"."""
    misfits: tuple[str, ...]
    """What no house option changes, in a few words each: "five players"."""
    likeness: int
    """How many things differ, apart from the answers to the questions that tell games apart."""
    distance: int
    """How many things differ; such an answer counts as two."""

    @property
    def differences(self) -> str:
        """Everything that differs: "to 52, with the Ten"."""
        return ", ".join((*self.misfits, *self.changes))

    @property
    def is_fit(self) -> bool:
        """Whether house options alone make it what was said."""
        return not self.misfits

    @property
    def is_exact(self) -> bool:
        """Whether it is what was said as it stands in the book."""
        return not (self.misfits or self.changes)


def find_fits(games: Iterable[Candidate], described: GameDescription, cards: Sequence[ScoringCard]) -> tuple[Fit, ...]:
    """Return every game, the best fit first.

    Of games that fit alike, one that its book leaves open comes after one whose book says the same as the table, a
    house's own rules before both, then what this phone has played, then what is commoner.
    """
    fits = (_fit(game, described, cards) for game in games)
    return tuple(sorted(fits, key=lambda fit: (not fit.is_fit, fit.distance, *_order(fit))))


def _order(fit: Fit) -> tuple[bool, int, int, int]:
    is_own, matches, place = usual_order(fit.game)
    return is_own, len(fit.house), matches, place


def usual_order(game: Candidate) -> tuple[bool, int, int]:
    """Return what games that fit alike are sorted by."""
    return game.house_rules is None, -game.matches, game.listing.common


def telling_questions(fits: Sequence[Fit], described: GameDescription) -> dict[str, tuple[Any, ...]]:
    """Return the house options that tell apart the games that fit: those answered, and the next one that still does.

    Each comes with the answers of those games, the best fit's first.
    """
    if not (described.cards or described.target):
        return {}
    fitting = [fit for fit in fits if fit.is_fit]
    nearest = min((fit.likeness for fit in fitting), default=0)
    close = sorted(
        (fit for fit in fitting if fit.likeness <= nearest + _CLOSE), key=lambda fit: (fit.likeness, *_order(fit))
    )
    rulesets = [fit.game.ruleset for fit in close[:_MOST_CLOSE]]
    # Whether anybody bids at all is plain to every table: it needs no question.
    rulesets = [ruleset for ruleset in rulesets if ruleset.has_bidding == rulesets[0].has_bidding]
    questions: dict[str, tuple[Any, ...]] = {}
    for option in TELLING_OPTIONS:
        answers = tuple(dict.fromkeys(it for ruleset in rulesets if (it := ruleset.answer(option)) is not None))
        is_answered = option in described.options
        if len(answers) > 1 or is_answered:
            chosen = (described.options[option],) if is_answered and described.options[option] not in answers else ()
            questions[option] = (*answers, *chosen)
        if is_answered:
            rulesets = [
                ruleset for ruleset in rulesets if ruleset.answer(option) == described.options[option]
            ] or rulesets
        elif len(answers) > 1:
            break
    return questions


def _fit(game: Candidate, described: GameDescription, cards: Sequence[ScoringCard]) -> Fit:
    ruleset = game.ruleset
    house, changes = _card_changes(ruleset, described.cards, cards)
    differing = sum(map(len, changes.values()))
    target, is_changed = _target_change(ruleset, described.target)
    house |= target
    if is_changed:
        # A game for money that ends at no score is another game with a target.
        differing += 1 if has_end(ruleset) else 2
    likeness = differing
    wanted = {name: value for name, value in described.options.items() if ruleset.answer(name) != value}
    differing += 2 * sum(name not in ruleset.open_options for name in wanted)
    house |= wanted
    misfits = _misfits(ruleset.table, described)
    changed, faults = with_house(ruleset, house)
    if faults:
        house, changed = {}, ruleset
        misfits = (*misfits, *dict.fromkeys(_without_stop(fault.message) for fault in faults[:1]))
    words = _card_words(changes)
    if is_changed:
        words.append(f"to {described.target}")
    words += [_rule_words(name, changed) for name in wanted if name not in ruleset.open_options]
    return Fit(
        game=game,
        house=house,
        changes=tuple(words),
        misfits=misfits,
        likeness=likeness + 3 * len(misfits),
        distance=differing + 3 * len(misfits),
    )


def _cards_of(ruleset: Ruleset) -> dict[str, list[AwardId]]:
    """Return the awards in play by their plain names."""
    found: dict[str, list[AwardId]] = {}
    for award_id in ruleset.in_play:
        found.setdefault(plain_name(ruleset.kinds[award_id]), []).append(award_id)
    return found


def _card_changes(
    ruleset: Ruleset, described: frozenset[str], cards: Sequence[ScoringCard]
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return the house answers that make these cards score and no others, and the cards that each kind changes."""
    changes: dict[str, list[str]] = {"with": [], "without": [], "worth": []}
    if not described:
        return {}, changes
    have, house = _cards_of(ruleset), dict[str, Any]()
    matched = {"Game"} if _ten_decides_game(ruleset) and "Ten" in described and "Game" not in described else set[str]()
    for card in cards:
        is_wanted = card.name in described and not (matched and card.name == "Ten")
        award_ids = have.get(card.name, [])
        if is_wanted and not award_ids:
            house |= _switched_on(ruleset, card)
            changes["with"].append(card.name)
        elif award_ids and not is_wanted and card.name not in matched:
            house |= dict.fromkeys(award_ids, False)
            changes["without"].append(card.name)
        elif is_wanted and len(award_ids) == 1 and ruleset.worth(award_ids[0]) not in (card.points, *card.worths):
            house[award_ids[0]] = card.points
            changes["worth"].append(f"{card.name} worth {card.points}")
    jokers = 2 if "Jokers" in described else 1 if "One Joker" in described else 0
    if jokers != ruleset.points.jokers:
        house["jokers"] = jokers
    return house, changes


def _ten_decides_game(ruleset: Ruleset) -> bool:
    """Return whether Game is the ten of trumps: a table may call it either."""
    return ruleset.points.game_rule == "ten_of_trumps" and ruleset.game_award in ruleset.in_play


def _switched_on(ruleset: Ruleset, card: ScoringCard) -> dict[str, Any]:
    award_ids = [award_id for award_id, kind in ruleset.kinds.items() if plain_name(kind) == card.name]
    jokers = [str(joker) for joker in JOKERS[2]]
    if all(ruleset.awards[award_id].card in jokers for award_id in award_ids):
        return dict.fromkeys(award_ids, True)
    award_id = award_ids[0]
    return {award_id: card.points if ruleset.awards[award_id].points != card.points else True}


def _card_words(changes: Mapping[str, list[str]]) -> list[str]:
    """Return changed cards in words: "with the Ten", "without Game"."""
    switched = [f"{how} {listed(changes[how])}" for how in ("with", "without") if changes[how]]
    return [*switched, *changes["worth"]]


def _target_change(ruleset: Ruleset, target: int | None) -> tuple[dict[str, Any], bool]:
    """Return the house answer that makes a match go to a target, and whether that changes the book."""
    winning = ruleset.winning
    if target is None or target == (winning.count_down_from or winning.target):
        return {}, False
    option = "count_down_from" if winning.count_down_from else "target"
    return {option: target}, option not in ruleset.open_options


def _misfits(table: Table, described: GameDescription) -> tuple[str, ...]:
    """Return what a table cannot have in this game: its number of players, or who plays with whom."""
    words = []
    if described.players and described.players not in table.player_counts:
        words.append(f"{player_counts(table)} players")
    if described.seating and described.seating not in _seatings(table, described.players):
        words.append(seating_words(table))
    return tuple(words)


_SEATING_WORDS: Mapping[Seating, str] = {
    "partners": "partners",
    "alone": "each alone",
    "called": "the bidder calls a partner",
}


def seating_words(table: Table) -> str:
    """Return who may play with whom: "partners or each alone"."""
    return listed([_SEATING_WORDS[seating] for seating in _seatings(table, None)], "or")


def _seatings(table: Table, players: int | None) -> tuple[Seating, ...]:
    """Return who may play with whom, with so many players where that is known and possible."""
    if table.called:
        return ("called",)
    if players not in table.player_counts:
        players = None
    has_partners = bool(table.partners) if players is None else players in table.partners
    has_loners = bool(table.most) if players is None else table.fewest <= players <= table.most
    return tuple(seating for seating, is_possible in (("partners", has_partners), ("alone", has_loners)) if is_possible)  # type: ignore[misc]


def _rule_words(option: str, ruleset: Ruleset) -> str:
    """Return an answer as part of a sentence: "a made bid scores the bid"."""
    text = _without_stop(QUESTIONS[option].rule(ruleset))
    return text[:1].lower() + text[1:]


def _without_stop(text: str) -> str:
    return text.removesuffix(".")


def read_description(
    *, players: int | None, seating: str, cards: Iterable[str], target: int | None, answers: Mapping[str, str]
) -> GameDescription:
    """Return what an address says; what it cannot mean is left out."""
    chosen: dict[str, Any] = {}
    for option, word in answers.items():
        try:
            chosen[option] = options()[option].read(word)
        except (KeyError, ValueError):
            continue
    highest = options()["target"].highest or 0
    return GameDescription(
        players=players if players and players > 0 else None,
        seating=next((known for known in SEATINGS if known == seating), None),
        cards=frozenset(cards),
        target=target if target and 0 < target <= highest else None,
        options=chosen,
    )


_SCATTERED = 3
"""The rank of a game that has the words in several places."""
_COMMON_WORDS = frozenset("a an and by for in of or our the to with your game card cards like pitch play".split())
"""Words that do not distinguish one game from another."""


def find(games: Iterable[Candidate], name: str) -> list[Candidate]:
    """Return the games that a name fits: those of that very name first, then other names, then slang.

    Words from several places count only where no one place has them all.
    """
    wanted = _words(name)
    if not wanted:
        return []
    ranked = [(rank, game) for game in games if (rank := _rank(game, wanted)) is not None]
    ranked.sort(key=lambda item: (item[0], *usual_order(item[1])))
    return [game for rank, game in ranked if rank < _SCATTERED or ranked[0][0] == _SCATTERED]


def _rank(game: Candidate, wanted: list[str]) -> int | None:
    """Return how well a name fits, 0 best; `None` where it does not."""
    ruleset = game.ruleset
    wanted = [word for word in wanted if word not in _COMMON_WORDS] or wanted
    if _has_words(_words(ruleset.name), wanted):
        return 0
    if any(_has_words(_words(text), wanted) for text in ruleset.also):
        return 1
    slang = [*_slang(game)]
    if any(_has_words(_words(text), wanted) for text in slang):
        return 2
    every = _words(" ".join((ruleset.name, *ruleset.also, ruleset.summary, *slang)))
    return _SCATTERED if _has_words(every, wanted) else None


def _slang(game: Candidate) -> Iterator[str]:
    """Yield what tables call what is played for in a game: its awards, its options, its target, its points."""
    ruleset = game.ruleset
    for award in ruleset.in_play.values():
        yield award.name
    for name, words in game.listing.slang.items():
        if _has(ruleset, name):
            yield from words
    winning = ruleset.winning
    yield from (f"to {end}" for end in (winning.target, winning.count_down_from) if end)
    yield f"{ruleset.points_per_hand} points"


def _has(ruleset: Ruleset, name: str) -> bool:
    """Return whether an award is in play, or an option answered by more than nothing."""
    if name in ruleset.awards:
        return name in ruleset.in_play
    return ruleset.answer(name) not in (options()[name].default, None)


def _has_words(text: list[str], wanted: list[str]) -> bool:
    """Return whether every wanted word begins a word of the text; "setback" matches "Set Back" too."""
    run_together = "".join(text)
    return all(any(word.startswith(part) for word in text) or part in run_together for part in wanted)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
