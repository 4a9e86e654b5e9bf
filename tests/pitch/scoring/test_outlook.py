"""What is known before a hand."""

import re
from random import Random

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match
from scorekeeper.pitch.scoring.outlook import outlook
from scorekeeper.pitch.scoring.seats import Seats, Side
from scorekeeper.pitch.scoring.standing import target_score
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES, resolve_pronouns, with_pronouns
from scorekeeper.pitch.text.standing import outlook_sentence
from tests.common.library import every_ruleset
from tests.pitch.scoring.random_records import random_house


def sentence(state: MatchState) -> str:
    """Return who can win, in words."""
    return resolve_pronouns(outlook_sentence(state, with_pronouns(IDS_AS_NAMES), outlook(state).sides))


@every_ruleset
def test_no_more_points_are_named_than_a_hand_is_worth(ruleset: Ruleset) -> None:
    random, base = Random(ruleset.id), ruleset
    for house in ({}, {"four_points_win_game": True}, *(random_house(random, base) for _ in range(6))):
        ruleset, faults = with_house(base, house)
        target = target_score(ruleset)
        if faults or target is None:
            continue
        near = (ruleset.points_per_hand + 1, *(random.randint(-3, ruleset.points_per_hand + 6) for _ in range(4)))
        names = "ABCDE" if ruleset.table.called else "AB"
        scores = {name: target - ruleset.score_sign * short for name, short in zip(names, near, strict=False)}
        words = sentence(open_match(ruleset, Seats(tuple(map(Side, names))), Start(scores)))

        assert all(int(number) <= ruleset.points_per_hand for number in re.findall(r"\d+", words)), (house, words)
