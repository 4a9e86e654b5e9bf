"""What holds of all that is counted of a book: nothing counts twice, and all is read as it was stored."""

import json

from hypothesis import given

from scorekeeper.club.figures.match_figures import read_figures, write_details, write_figures
from scorekeeper.club.figures.people import (
    SeatedMatch,
    fold_person,
    fold_standings,
    fold_year,
    years_of,
)
from tests.club.figures.matches import PEOPLE, books, seated_matches


@given(books())
def test_every_match_is_in_one_year_and_counts_once_for_each(matches: list[SeatedMatch]) -> None:
    assert sum(years_of(matches).values()) == len(matches)
    for match in matches:
        assert sum(fold_year(year, [match]).matches for year in (2025, 2026)) == 1
        assert set(match.players) <= set(match.people)
    standings = fold_standings(matches)
    for person in PEOPLE:
        figures = fold_person(person, matches)
        assert figures.won == standings.get(person, (0, 0))
        assert figures.streak <= figures.best_streak <= figures.won.hits
        for other, met in figures.partners.items():
            assert fold_person(other, matches).partners[person] == met
        for other, met in figures.opponents.items():
            assert fold_person(other, matches).opponents[person].total == met.total


@given(books())
def test_nobody_has_bid_more_than_all_together(matches: list[SeatedMatch]) -> None:
    everybody = [fold_person(person, matches).made for person in PEOPLE]
    years = [fold_year(year, matches).made for year in (2025, 2026)]
    assert sum(it.total for it in everybody) == sum(it.total for it in years)
    assert sum(it.hits for it in everybody) == sum(it.hits for it in years)


@given(seated_matches())
def test_what_is_stored_is_read_as_it_was(match: SeatedMatch) -> None:
    figures = match.figures
    stored = json.loads(json.dumps(write_figures(figures)))
    assert read_figures(stored, figures.written) == figures
    assert write_details(figures.details) == figures.written
