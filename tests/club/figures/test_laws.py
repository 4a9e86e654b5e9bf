"""Check what holds for the figures of every book: nothing counts twice, and all are read as they were stored."""

import json

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.book.fold import fold_book
from scorekeeper.club.figures.match_figures import (
    BidFigures,
    Details,
    MatchFigures,
    MoonFigures,
    SeatedPlayer,
    SideFigures,
    TableFigures,
    read_figures,
    write_details,
    write_figures,
)
from scorekeeper.club.figures.people import (
    SeatedMatch,
    fold_person,
    fold_standings,
    fold_year,
    seat_match,
    years_of,
)

BOOK = fold_book("b", ())
NAMES = ("ann", "bea", "cal", "dan", "eve", "finn")
PEOPLE = tuple(map(BOOK.person_named, NAMES))
DAYS = ("2025-12-31", "2026-01-01", "2026-06-01", "2026-06-02", "2026-11-19")
BIDS: tuple[int | str, ...] = (2, 3, 4, "moon")


@st.composite
def seated_matches(draw: st.DrawFn, uid: str = "m") -> SeatedMatch:
    """Draw a match: two pairs or four alone, with a substitute now and then."""

    def up_to(most: int, least: int = 0) -> int:
        return draw(st.integers(least, most))

    is_alone = draw(st.booleans())
    seats = ("p1", "p2", "p3", "p4")
    people = draw(st.permutations(NAMES))[:4]
    count = up_to(9, 1)
    seated = [SeatedPlayer(seat, 0, who, who, count, 0) for seat, who in zip(seats, people, strict=True)]
    tables = [TableFigures((0, 1, 2, 3), count, tuple(up_to(40) for _ in seats))]
    if draw(st.booleans()):
        more, newcomer = up_to(9), draw(st.sampled_from(sorted({*NAMES} - {*people[:3]})))
        seated = [*(player._replace(hands=player.hands + more) for player in seated[:3]), seated[3]]
        seated.append(SeatedPlayer("p4", 1, newcomer, newcomer, more, 0))
        tables.append(TableFigures((0, 1, 2, 4), more, tuple(up_to(40) for _ in seats)))
    groups = [(seat,) for seat in seats] if is_alone else [("p1", "p3"), ("p2", "p4")]
    winner = up_to(len(groups) - 1)
    scores = [up_to(60, -20) for _ in groups]
    sides = [
        SideFigures(f"s{index}", "", group, scores[index], index == winner, index + 1)
        for index, group in enumerate(groups)
    ]
    bids = []
    for _ in range(up_to(4)):
        by, tried = up_to(3), up_to(5, 1)
        team = (by, (by + 2) % 4) if not is_alone or draw(st.booleans()) else (by,)
        bid = draw(st.sampled_from(BIDS))
        bids.append(BidFigures(bid, by, team, is_alone and len(team) > 1, up_to(tried), tried))
    lead = scores[winner] - max(score for index, score in enumerate(scores) if index != winner)
    return seat_match(
        BOOK,
        uid,
        MatchFigures(
            day=draw(st.sampled_from(DAYS)),
            at="",
            title="",
            venue="",
            note="",
            variant="x",
            rules=draw(st.sampled_from(["Ten Point", "Four Point"])),
            seated=tuple(seated),
            sides=tuple(sides),
            written=write_details(
                Details(
                    tables=tuple(tables),
                    bids=tuple(bids),
                    moons=tuple(MoonFigures(0, (0, 2), True, 20) for bid in bids if bid.bid == "moon" and bid.made),
                    thrown_in=up_to(2),
                    behind=draw(st.none() | st.just((3, 20))),
                    margin=lead,
                    last_team=(),
                )
            ),
        ),
    )


@st.composite
def books(draw: st.DrawFn) -> list[SeatedMatch]:
    """Draw the matches of a book."""
    return [draw(seated_matches(f"m{number}")) for number in range(draw(st.integers(0, 7)))]


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
    assert sum(ratio.total for ratio in everybody) == sum(ratio.total for ratio in years)
    assert sum(ratio.hits for ratio in everybody) == sum(ratio.hits for ratio in years)


@given(seated_matches())
def test_what_is_stored_is_read_as_it_was(match: SeatedMatch) -> None:
    figures = match.figures
    stored = json.loads(json.dumps(write_figures(figures)))
    assert read_figures(stored, figures.written) == figures
    assert write_details(figures.details) == figures.written
