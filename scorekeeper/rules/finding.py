"""Find a game by the name that a family knows, by how many play, and by how many points there are in a hand."""

import re
import unicodedata
from collections.abc import Iterable

from scorekeeper.rules.schema import Ruleset, Table

_FEW_WORDS = frozenset("a an and by for in of or the with game card cards like pitch".split())
"""Words that tell no game from another."""


def find(
    rulesets: Iterable[Ruleset], *, name: str = "", players: int | None = None, points: int | None = None
) -> list[Ruleset]:
    """Give the rulesets that fit, those whose own name it is first."""
    fitting = [
        ruleset
        for ruleset in rulesets
        if (players is None or players in seats(ruleset.table)) and (points is None or ruleset.on_offer == points)
    ]
    wanted = _words(name)
    if not wanted:
        return fitting
    ranked = [(rank, ruleset) for ruleset in fitting if (rank := _rank(ruleset, wanted)) is not None]
    return [ruleset for _, ruleset in sorted(ranked, key=lambda item: item[0])]


def seats(table: Table) -> tuple[int, ...]:
    """Give how many may sit down."""
    alone = range(table.fewest, table.most + 1) if table.most else ()
    return tuple(sorted({*table.partners, *alone}))


def _rank(ruleset: Ruleset, wanted: list[str]) -> int | None:
    """Say how well a name fits, 0 best; `None` where it does not."""
    telling = [word for word in wanted if word not in _FEW_WORDS] or wanted
    for rank, text in enumerate((ruleset.name, *ruleset.also)):
        if _holds(_words(text), telling):
            return min(rank, 1)
    every = _words(" ".join((ruleset.name, *ruleset.also, ruleset.summary)))
    return 2 if _holds(every, telling) else None


def _holds(text: list[str], wanted: list[str]) -> bool:
    """Tell whether every wanted word begins one of the text's, "setback" for "Set Back" too."""
    run_together = "".join(text)
    return all(any(word.startswith(part) for word in text) or part in run_together for part in wanted)


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return [_NUMBERS.get(word, word) for word in re.findall(r"[a-z]+|\d+", plain)]


_NUMBERS = {
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "9": "nine",
    "10": "ten",
    "14": "fourteen",
    "13": "thirteen",
}
