"""Check what holds for the figures of every book: nothing counts twice, and all are read as they were stored."""

import json

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.book.fold import fold_book
from scorekeeper.club.figures.match_figures import (
    BidFigures,
    MatchDetails,
    MatchFigures,
    MoonFigures,
    SeatedPlayer,
    SideFigures,
    TableFigures,
    details_as_json,
    figures_as_json,
    read_figures,
)
from scorekeeper.club.figures.people import (
    SeatedMatch,
    compute_person_figures,
    compute_win_ratios,
    compute_year_figures,
    count_matches_by_year,
    identify_players,
)

BOOK = fold_book("b", ())
NAMES = ("ann", "bea", "cal", "dan", "eve", "finn")
PEOPLE = tuple(map(BOOK.person_named, NAMES))
DAYS = ("2025-12-31", "2026-01-01", "2026-06-01", "2026-06-02", "2026-11-19")
BIDS: tuple[int | str, ...] = (2, 3, 4, "moon")


@st.composite
def seated_matches(draw: st.DrawFn) -> SeatedMatch:
    """Draw a match: two pairs or four alone, with a substitute now and then."""
    is_alone, hands = draw(st.booleans()), st.integers(1, 9)
    names = draw(st.permutations(NAMES))
    seated = [SeatedPlayer(f"p{n}", 0, name, name, draw(hands), 0) for n, name in enumerate(names[:4], 1)]
    if draw(st.booleans()):  # of six people one is new, or the fourth returns
        name = draw(st.sampled_from(names[3:]))
        seated.append(SeatedPlayer("p4", 1, name, name, draw(hands), 0))
    groups = [("p1",), ("p2",), ("p3",), ("p4",)] if is_alone else [("p1", "p3"), ("p2", "p4")]
    winner, points = draw(st.sampled_from(groups)), st.integers(-20, 60)
    sides = [SideFigures(f"s{n}", "", seats, draw(points), seats == winner, n) for n, seats in enumerate(groups, 1)]
    bids = []
    for by, tried in draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=4)):
        team = (by, (by + 2) % 4) if not is_alone or draw(st.booleans()) else (by,)
        made = draw(st.integers(0, tried))
        bids.append(BidFigures(draw(st.sampled_from(BIDS)), by, team, is_alone and len(team) > 1, made, tried))
    details = MatchDetails(
        tables=(TableFigures((0, 1, 2, 3), draw(hands), tuple(draw(points) for _ in groups)),),
        bids=tuple(bids),
        moons=tuple(MoonFigures(0, (0, 2), True, 20) for bid in bids if bid.bid == "moon" and bid.made_count),
        thrown_in_count=draw(hands),
        scores_furthest_behind=draw(st.none() | st.just((3, 20))),
        margin=draw(points),
        last_bidders=(),
    )
    day, rules = draw(st.sampled_from(DAYS)), draw(st.sampled_from(["Ten Point", "Four Point"]))
    rows = tuple(seated), tuple(sides)
    return identify_players(
        BOOK, 1, 1, "m", MatchFigures(day, "", "", "", "", "x", rules, *rows, details_as_json(details))
    )


books = st.lists(seated_matches(), max_size=7).map(
    lambda matches: [match._replace(uid=f"m{number}") for number, match in enumerate(matches)]
)


@given(books)
def test_every_match_is_in_one_year_and_counts_once_for_each(matches: list[SeatedMatch]) -> None:
    assert sum(count_matches_by_year(matches).values()) == len(matches)
    for match in matches:
        assert sum(compute_year_figures(year, [match]).match_count for year in (2025, 2026)) == 1
        assert set(match.side_index_by_person) <= set(match.people)
    standings = compute_win_ratios(matches)
    for person in PEOPLE:
        figures = compute_person_figures(person, matches)
        assert figures.win_ratio == standings.get(person, (0, 0))
        assert figures.current_streak <= figures.best_streak <= figures.win_ratio.hits
        for other, met in figures.partner_ratios.items():
            assert compute_person_figures(other, matches).partner_ratios[person] == met
        for other, met in figures.opponent_ratios.items():
            assert compute_person_figures(other, matches).opponent_ratios[person].total == met.total


@given(books)
def test_nobody_has_bid_more_than_all_together(matches: list[SeatedMatch]) -> None:
    everybody = [compute_person_figures(person, matches).made_ratio for person in PEOPLE]
    years = [compute_year_figures(year, matches).made_ratio for year in (2025, 2026)]
    assert sum(ratio.total for ratio in everybody) == sum(ratio.total for ratio in years)
    assert sum(ratio.hits for ratio in everybody) == sum(ratio.hits for ratio in years)


@given(seated_matches())
def test_what_is_stored_is_read_as_it_was(match: SeatedMatch) -> None:
    figures = match.figures
    stored = json.loads(json.dumps(figures_as_json(figures)))
    assert read_figures(stored, figures.details_json) == figures
    assert details_as_json(figures.details) == figures.details_json
