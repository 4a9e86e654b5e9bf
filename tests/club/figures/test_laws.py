"""What was counted of two disjoint lots of matches, added, is what is counted of both together."""

import json
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.club.figures.match_figures import read_figures, write_details, write_figures
from scorekeeper.club.figures.people import (
    SeatedMatch,
    fold_head_to_head,
    fold_meetings,
    fold_memories,
    fold_pair,
    fold_person,
    fold_standings,
    fold_year,
    years_of,
)
from tests.club.figures import adding
from tests.club.figures.matches import PEOPLE, lots, seated_matches

Lots = tuple[Sequence[SeatedMatch], Sequence[SeatedMatch]]
people = st.sampled_from(PEOPLE)
teams = st.sets(people, min_size=1, max_size=2).map(lambda team: tuple(sorted(team)))


@given(lots(), people)
def test_a_persons_figures_add_up(both: Lots, person: str) -> None:
    one, other = both
    assert adding.persons(fold_person(person, one), fold_person(person, other)) == fold_person(person, [*other, *one])


@given(lots())
def test_everybodys_matches_add_up(both: Lots) -> None:
    one, other = both
    assert adding.counts(fold_standings(one), fold_standings(other)) == fold_standings([*other, *one])


@given(lots(), teams, teams)
def test_two_sides_figures_add_up(both: Lots, team: tuple[str, ...], against: tuple[str, ...]) -> None:
    one, other = both
    assert adding.pairs(fold_pair(team, one), fold_pair(team, other)) == fold_pair(team, [*other, *one])
    found = adding.heads(fold_head_to_head(team, against, one), fold_head_to_head(team, against, other))
    assert found == fold_head_to_head(team, against, [*other, *one])
    assert adding.counts(fold_meetings(one), fold_meetings(other)) == fold_meetings([*other, *one])


@given(lots())
def test_a_years_figures_add_up(both: Lots) -> None:
    one, other = both
    assert adding.years(fold_year(2026, one), fold_year(2026, other)) == fold_year(2026, [*other, *one])
    assert adding.memories(fold_memories(one), fold_memories(other)) == fold_memories([*other, *one])


@given(lots())
def test_every_match_is_in_one_year_and_counts_once_for_each(both: Lots) -> None:
    matches = [*both[0], *both[1]]
    assert sum(years_of(matches).values()) == len(matches)
    for match in matches:
        assert sum(fold_year(year, [match]).matches for year in (2025, 2026)) == 1
        assert set(match.players) <= set(match.people)
    standings = fold_standings(matches)
    for person in PEOPLE:
        figures = fold_person(person, matches)
        assert figures.won == standings.get(person, (0, 0))
        assert figures.streak <= figures.best_streak <= figures.won.some
        for other, met in figures.partners.items():
            assert fold_person(other, matches).partners[person] == met
        for other, met in figures.rivals.items():
            assert fold_person(other, matches).rivals[person].of == met.of


@given(lots())
def test_nobody_has_bid_more_than_all_together(both: Lots) -> None:
    matches = [*both[0], *both[1]]
    everybody = [fold_person(person, matches).made for person in PEOPLE]
    years = [fold_year(year, matches).made for year in (2025, 2026)]
    assert sum(it.of for it in everybody) == sum(it.of for it in years)
    assert sum(it.some for it in everybody) == sum(it.some for it in years)


@given(seated_matches())
def test_what_is_stored_is_read_as_it_was(match: SeatedMatch) -> None:
    figures = match.figures
    stored = json.loads(json.dumps(write_figures(figures)))
    assert read_figures(stored, figures.written) == figures
    assert write_details(figures.details) == figures.written
