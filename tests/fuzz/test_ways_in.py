"""The rules that a page shows for a match are those of the next page, for every start and random answers."""

from collections import Counter
from random import Random

from flask import Flask

from tests.common.ci import IS_CI
from tests.fuzz.hostile import SEED, USUAL_SEED
from tests.fuzz.ways_in import FINDER, STARTS, Walker, random_paths

PATHS = 120 if IS_CI else 60


def test_every_way_in_leads_to_the_rules_that_were_promised(app: Flask) -> None:
    walker, gone = Walker(app), Counter[str]()
    with app.app_context():
        paths = list(random_paths(Random(SEED + 2), PATHS))

    for path in paths:
        gone[path.start] += walker.walk(path)

    # A walk that goes nowhere would find nothing.
    assert SEED != USUAL_SEED or all(gone[start] > 1 for start in (*STARTS, FINDER)), gone
