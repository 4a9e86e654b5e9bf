"""Search the rulesets by the name that a family knows, the number of players, and the points in a hand."""

import re
import unicodedata
from collections.abc import Iterable

from scorekeeper.rules.phrases import number
from scorekeeper.rules.schema import Ruleset

_COMMON_WORDS = frozenset("a an and by for in of or the with game card cards like pitch".split())
"""Words that do not distinguish one game from another."""


def find(
    rulesets: Iterable[Ruleset], *, name: str = "", players: int | None = None, points: int | None = None
) -> list[Ruleset]:
    """Return the rulesets that match, those of that very name first."""
    matching = [
        ruleset
        for ruleset in rulesets
        if (players is None or players in ruleset.table.player_counts)
        and (points is None or ruleset.points_per_hand == points)
    ]
    wanted = _words(name)
    if not wanted:
        return matching
    ranked = [(rank, ruleset) for ruleset in matching if (rank := _rank(ruleset, wanted)) is not None]
    return [ruleset for _, ruleset in sorted(ranked, key=lambda item: item[0])]


def _rank(ruleset: Ruleset, wanted: list[str]) -> int | None:
    """Return how well a name matches, 0 best; `None` where it does not."""
    wanted = [word for word in wanted if word not in _COMMON_WORDS] or wanted
    for rank, text in enumerate((ruleset.name, *ruleset.also)):
        if _has_words(_words(text), wanted):
            return min(rank, 1)
    every = _words(" ".join((ruleset.name, *ruleset.also, ruleset.summary)))
    return 2 if _has_words(every, wanted) else None


def _has_words(text: list[str], wanted: list[str]) -> bool:
    """Return whether every wanted word begins a word of the text; "setback" matches "Set Back" too."""
    run_together = "".join(text)
    return all(any(word.startswith(part) for word in text) or part in run_together for part in wanted)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


_NUMBERS = {str(digits): number(digits) for digits in range(1, 21)}
"""The numbers in the names of games, as those names spell them."""
