"""Matches as they might have been counted, for laws about statistics."""

from hypothesis import strategies as st

from scorekeeper.club.figures.match_figures import (
    BidFigures,
    Details,
    MatchFigures,
    MoonFigures,
    SeatedPlayer,
    SideFigures,
    TableFigures,
    columns,
    write_details,
)
from scorekeeper.club.figures.people import SeatedMatch, seat_match

PEOPLE = ("ann", "bea", "cal", "dan", "eve", "finn")
DAYS = ("2025-12-31", "2026-01-01", "2026-06-01", "2026-06-02", "2026-11-19")
BIDS: tuple[int | str, ...] = (2, 3, 4, "moon")


@st.composite
def seated_matches(draw: st.DrawFn, uid: str = "m") -> SeatedMatch:
    """Draw a match: two pairs or four alone, with somebody sitting in here and there."""
    is_alone = draw(st.booleans())
    seats = ("p1", "p2", "p3", "p4")
    people = draw(st.permutations(PEOPLE))[:4]
    count = draw(st.integers(1, 9))
    seated = [SeatedPlayer(seat, 0, who, who, count, 0) for seat, who in zip(seats, people, strict=True)]
    tables = [TableFigures((0, 1, 2, 3), count, tuple(draw(st.integers(0, 40)) for _ in seats))]
    if draw(st.booleans()):
        more, newcomer = draw(st.integers(0, 9)), draw(st.sampled_from(PEOPLE))
        seated = [*(it._replace(hands=it.hands + more) for it in seated[:3]), seated[3]]
        seated.append(SeatedPlayer("p4", 1, newcomer, newcomer, more, 0))
        tables.append(TableFigures((0, 1, 2, 4), more, tuple(draw(st.integers(0, 40)) for _ in seats)))
    groups = [(seat,) for seat in seats] if is_alone else [("p1", "p3"), ("p2", "p4")]
    winner = draw(st.integers(0, len(groups) - 1))
    scores = [draw(st.integers(-20, 60)) for _ in groups]
    sides = [
        SideFigures(f"s{place}", "", group, scores[place], place == winner, place + 1)
        for place, group in enumerate(groups)
    ]
    bids = []
    for _ in range(draw(st.integers(0, 4))):
        by = draw(st.sampled_from([0, 1, 2, 3]))
        partner = (by + 2) % 4
        tried = draw(st.integers(1, 5))
        team = (by, partner) if not is_alone or draw(st.booleans()) else (by,)
        bid = draw(st.sampled_from(BIDS))
        bids.append(BidFigures(bid, by, team, is_alone and len(team) > 1, draw(st.integers(0, tried)), tried))
    lead = scores[winner] - max(score for place, score in enumerate(scores) if place != winner)
    return seat_match(
        uid=uid,
        figures=MatchFigures(
            day=draw(st.sampled_from(DAYS)),
            at="",
            title="",
            venue="",
            note="",
            variant="x",
            rules=draw(st.sampled_from(["Ten Point", "Four Point"])),
            seated_columns=columns(seated),
            standing=columns(sides),
            written=write_details(
                Details(
                    tables=tuple(tables),
                    bids=tuple(bids),
                    moons=tuple(MoonFigures(0, (0, 2), True, 20) for bid in bids if bid.bid == "moon" and bid.made),
                    thrown_in=draw(st.integers(0, 2)),
                    behind=draw(st.none() | st.just((3, 20))),
                    margin=lead,
                    last_team=(),
                )
            ),
        ),
        people=tuple(it.name for it in seated),
    )


@st.composite
def books(draw: st.DrawFn) -> list[SeatedMatch]:
    """Draw the matches of a book."""
    return [draw(seated_matches(f"m{number}")) for number in range(draw(st.integers(0, 7)))]
