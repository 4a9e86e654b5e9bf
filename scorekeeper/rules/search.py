"""Search games by the words that a family has for them: a name, what their table calls a card, a target."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from scorekeeper.rules.finder import Game, usual_order
from scorekeeper.rules.options import options
from scorekeeper.rules.phrases import number
from scorekeeper.rules.schema import Ruleset

_SCATTERED = 3
"""The rank of a game that has the words in several places."""
_COMMON_WORDS = frozenset("a an and by for in of or our the to with your game card cards like pitch play".split())
"""Words that do not distinguish one game from another."""


def find(games: Iterable[Game], name: str) -> list[Game]:
    """Return the games that a name fits: those of that very name first, then other names, then slang.

    Words from several places count only where no one place has them all.
    """
    wanted = _words(name)
    if not wanted:
        return []
    ranked = [(rank, game) for game in games if (rank := _rank(game, wanted)) is not None]
    ranked.sort(key=lambda item: (item[0], *usual_order(item[1])))
    return [game for rank, game in ranked if rank < _SCATTERED or ranked[0][0] == _SCATTERED]


def _rank(game: Game, wanted: list[str]) -> int | None:
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


def _slang(game: Game) -> Iterator[str]:
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
