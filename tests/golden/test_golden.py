"""A change of rules shows as changed numbers; meant ones are written by `python -m tests.golden.rewrite`."""

from collections import Counter
from itertools import product

import pytest

from scorekeeper.engine.hand import Hand
from scorekeeper.engine.match import open_match, play
from scorekeeper.rules.schema import Ruleset
from tests.engine.strategies import LIBRARY, RULESETS
from tests.golden.counting import counts, results, smallest_table
from tests.golden.rewrite import FOLDER


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
def test_the_counts_are_as_they_were(ruleset: Ruleset) -> None:
    assert counts(ruleset) == (FOLDER / f"{ruleset.id}.counts").read_text(encoding="utf-8")


def test_there_are_counts_of_nothing_else() -> None:
    assert {path.stem for path in FOLDER.glob("*.counts")} == {ruleset.id for ruleset in RULESETS}


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
