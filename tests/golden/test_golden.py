"""A change of rules shows as changed numbers; meant ones are written by `python -m tests.golden.rewrite`."""

from collections import Counter
from difflib import unified_diff
from itertools import product
from pathlib import Path
from tempfile import mkdtemp

import pytest

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import open_match, play
from tests.common.library import LIBRARY, every_ruleset
from tests.golden.counting import count, every_row, results, short_table, smallest_table
from tests.golden.rewrite import FOLDER
from tests.pitch.scoring.strategies import RULESETS


@every_ruleset
def test_the_counts_are_as_they_were(ruleset: Ruleset) -> None:
    rows = count(ruleset)
    now, kept = short_table(ruleset, rows), (FOLDER / f"{ruleset.id}.txt").read_text(encoding="utf-8")
    if now != kept:
        whole = Path(mkdtemp(prefix="counts-")) / f"{ruleset.id}.txt"
        whole.write_text(every_row(ruleset, rows), encoding="utf-8")
        pytest.fail(f"every row as it is now: {whole}\n" + "\n".join(unified_diff(kept.split("\n"), now.split("\n"))))


def test_there_are_counts_of_nothing_else() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {ruleset.id for ruleset in RULESETS}


@pytest.mark.parametrize("ruleset_id", ["auction-pitch", "five-point-set-back", "solo-with-bidding"])
def test_counting_agrees_with_listing(ruleset_id: str) -> None:
    ruleset = LIBRARY[ruleset_id]
    counted: Counter[tuple[bool | None, tuple[int, ...]]] = Counter()

    for _, score, _, number in results(ruleset):
        deltas = tuple(
            sum(line.points for line in score.lines if line.side == side) for side in smallest_table(ruleset).ids
        )
        counted[(score.made, deltas)] += number

    assert counted == _listed(ruleset)


def _listed(ruleset: Ruleset) -> Counter[tuple[bool | None, tuple[int, ...]]]:
    """Play every hand that there is, one by one."""
    seats = smallest_table(ruleset)
    opening = open_match(ruleset, seats)
    listed: Counter[tuple[bool | None, tuple[int, ...]]] = Counter()
    whos = [[*seats.ids, *([None] if award.unclaimed else [])] for award in ruleset.in_play.values()]
    for bid in ruleset.bids:
        for fall in product(*whos):
            taken = dict(zip(ruleset.in_play, fall, strict=True))
            played = play(opening, Hand(bidder=seats.ids[0], bid=bid, taken=taken)).results[0]
            assert played.score
            listed[(played.score.made, tuple(played.deltas[name] for name in seats.ids))] += 1
    return listed
