"""Until the comparison is settled: wherever the one before it named a winner, today's names the same."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.pitch.compare.comparison import PlayedMatch, compare
from tests.old_compare.reckoning import PlayedMatch as OldMatch
from tests.old_compare.what_if import what_if
from tests.pitch.compare.matches_again import matches, matches_by_points, other_rules, played


def as_before(match: PlayedMatch) -> OldMatch:
    return OldMatch(
        rules=match.rules,
        start=match.start,
        first_dealer=match.first_dealer,
        state=match.state,
        names=match.names,
        stopped=match.stopped,
    )


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data(), matches() | matches_by_points().map(lambda records: records[1]))
def test_the_same_side_wins_wherever_one_was_named(data: st.DataObject, record: dict[str, Any]) -> None:
    match = played(record)
    other = data.draw(other_rules(match.rules))

    before, now = what_if(as_before(match), other), compare(match, other)

    if before.refusal:
        assert now.problem == before.refusal
    elif before.otherwise.winners is not None and not now.problem.endswith("its points do not tell enough."):
        # A hand that nobody can have had was once passed over in silence.
        assert now.winners == before.otherwise.winners
