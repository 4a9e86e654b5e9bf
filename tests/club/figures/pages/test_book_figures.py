"""Compare every figure on a book's pages with one computed from the records of its matches."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import accumulate, groupby
from typing import Any

import pytest
from flask import Flask

from scorekeeper.book.books import load_book
from scorekeeper.club.figures.match_figures import MatchFigures, SideFigures
from scorekeeper.club.figures.pages.figures import match_score_words
from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import export_all_matches
from scorekeeper.web.library import library
from tests.common import family
from tests.common.books import book_code
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin
from tests.pitch.scoring.oracle import judge

MOON = 26
NUMBER, PEOPLE = 60, ("Ann", "Bea", "Cal", "Dan", "Eve", "Flo")


class Played:
    """A match of Colorado Ten Point by its record."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record, self.hands = record, record["hands"]
        self.teams = [frozenset(side["players"]) for side in record["sides"]]
        names, verdict = [side["name"] for side in record["sides"]], judge(record)
        # What each side took in each hand, and its score after it.
        self.points = [[hand["points"][name] for name in names] for hand in self.hands]
        changes = [[delta[name] for delta in verdict.deltas] for name in names]
        self.scores: list[tuple[int, int]] = [*zip(*map(accumulate, changes), strict=True)]
        self.winner_index = names.index(verdict.winners[0])

    def bids(self) -> Iterator[tuple[str, str, bool]]:
        """Yield who bid what, and whether it was made."""
        for hand, points in zip(self.hands, self.points, strict=True):
            took = points[self.side(hand["bidder"])]
            yield hand["bidder"], str(hand["bid"]), took == 10 if hand["bid"] == "moon" else took >= hand["bid"]

    def side(self, who: str) -> int:
        return int(who in self.teams[1])

    def has_won(self, who: str) -> bool:
        return who in self.teams[self.winner_index]

    def lead(self, scores: tuple[int, int]) -> int:
        return scores[self.winner_index] - scores[1 - self.winner_index]

    def score_of(self, side: int) -> str:
        scores = self.scores[-1][side], self.scores[-1][1 - side]
        return (" to " if min(scores) < 0 else "–").join(map(str, scores)).replace("-", "−")


def of(won: list[bool]) -> str:
    return f"{sum(won)} of {len(won)}"


def longest_run(won: list[bool]) -> int:
    return max((len([*run]) for has_won, run in groupby(won) if has_won), default=0)


def rows_of(page: Page) -> list[str]:
    return [row.text for row in page.all("li")]


def expect(page: Page, *texts: str) -> None:
    assert page.status == 200
    for text in texts:
        assert f" {text} " in f" {page.text} ", f"{page.path}: {text}"


@pytest.fixture
def book(app: Flask, phone: Phone, begin: Begin) -> tuple[str, list[Played]]:
    """Play a book of some years; return its address, and its matches, the earliest first."""
    begin()
    code = book_code(phone)
    with app.app_context():
        family.play(db.session, library(), load_book(db.session, code), [*family.evenings(NUMBER, PEOPLE)])
        records = [
            record
            for record in export_all_matches(db.session, library(), [])
            if record["variant"] == "colorado-ten-point"
        ]
    return f"/books/{code}", sorted(
        (Played(record) for record in records if record["hands"]), key=lambda match: match.record["played_on"]
    )


def test_every_figure_of_a_book_equals_that_of_its_records(phone: Phone, book: tuple[str, list[Played]]) -> None:
    address, matches = book
    page = phone.open(f"{address}/people")
    links = {link.one(class_="who").text: link.attrs["href"] for link in page.all("a") if link.all(class_="who")}
    assert {*links} == {who for match in matches for team in match.teams for who in team}
    expect(page, f"{len(matches)} matches since May 2025")
    for name, link in links.items():
        mine = [match for match in matches if name in match.teams[0] | match.teams[1]]
        assert f"{name[0]} {name} {of([match.has_won(name) for match in mine])}" in rows_of(page)
        check_person(phone.open(link), name, mine)
    for year in {match.record["played_on"][:4] for match in matches}:
        played = [match for match in matches if match.record["played_on"].startswith(year)]
        expect(page, f"{year} at our table {len(played)} match{'' if len(played) == 1 else 'es'}")
        check_year(phone.open(f"{address}/years/{year}"), played)
    meetings = [link for link in phone.open(f"{address}/pairs").all("a") if "/pairs?a=" in link.attrs["href"]]
    met = Counter(frozenset(match.teams) for match in matches)
    assert len(meetings) == min(len(met), 60)
    for meeting in meetings:
        check_pairs(phone.open(meeting.attrs["href"]), meeting.text, matches)


def check_person(page: Page, name: str, mine: list[Played]) -> None:
    won, rows = [match.has_won(name) for match in mine], rows_of(page)
    now = next((index for index, has_won in enumerate(reversed(won)) if not has_won), len(won))
    expect(page, f"{sum(won)} won of {len(won)} {longest_run(won)} best streak {now} streak now")
    if len(mine) > 1:
        made: dict[str, list[bool]] = {}
        for match in mine:
            for who, bid, is_made in match.bids():
                if who == name:
                    made.setdefault(bid, []).append(is_made)
        expect(page, f"Bids {of([is_made for results in made.values() for is_made in results])} made")
        expect(page, *(f"{bid} {of(results)}" for bid, results in made.items()))
        for is_partner in (True, False):
            others: dict[str, list[bool]] = {}
            for match in mine:
                side = match.side(name)
                for other in match.teams[side if is_partner else 1 - side] - {name}:
                    others.setdefault(other, []).append(match.has_won(name))
            for other, results in others.items():
                assert f"{other[0]} {other} {of(results)}" in rows
    for match in mine[-5:]:
        expect(page, f"{'won' if match.has_won(name) else 'lost'} {match.score_of(match.side(name))}")


def check_year(page: Page, played: list[Played]) -> None:
    people = sorted({who for match in played for team in match.teams for who in team})
    hands, rows = sum(len(match.hands) for match in played), rows_of(page)
    expect(page, f"{len(played)} match{'' if len(played) == 1 else 'es'} {hands} hands {len(people)} people")
    for name in people:
        won = [match.has_won(name) for match in played if name in match.teams[0] | match.teams[1]]
        assert f"{name[0]} {name} {of(won)}" in rows
    months = Counter(int(match.record["played_on"][5:7]) for match in played)
    months_text = ", ".join(f"{date(2025, month, 1):%B} {months[month]}" for month in sorted(months))
    assert f'aria-label="Matches a month: {months_text}"' in page.response.text
    bids = [bid for match in played for bid in match.bids()]
    expect(page, f"Bids made of {len(bids)} bid {sum(is_made for *_, is_made in bids)}")
    moons = [is_made for _, bid, is_made in bids if bid == "moon"]
    if moons and sum(moons) != 1:
        expect(page, f"Moons made of {len(moons)} tried {sum(moons)}")
    if sum(moons) == 1:
        assert any(row.startswith("The only moon") and row.endswith(f"+{MOON}") for row in rows)
    sets = [Counter(who for who, _, is_made in match.bids() if not is_made) for match in played]
    most = max(max(counts.values(), default=0) for counts in sets)
    if most > 1:
        assert any(row.startswith("Most sets in one match") and row.endswith(f" hands {most}") for row in rows)
    check_highlights(rows, played)


def check_highlights(rows: list[str], played: list[Played]) -> None:
    behind = [max([-match.lead(scores) for scores in match.scores[:-1]], default=0) for match in played]
    if max(behind) > 0:
        comeback = played[behind.index(max(behind))]
        names = " & ".join(who for who in comeback.record["players"] if comeback.has_won(who))
        row = next(row for row in rows if row.startswith("Longest comeback"))
        assert f"{names} came back from {max(behind)} behind, " in row
        assert row.endswith(comeback.score_of(comeback.winner_index))
    if len(played) >= 10:
        closest = min(played, key=lambda match: abs(match.lead(match.scores[-1])))
        row = next(row for row in rows if row.startswith("Closest finish"))
        assert row.endswith(closest.score_of(closest.winner_index))


def check_pairs(page: Page, label: str, matches: list[Played]) -> None:
    first, second = re.fullmatch(r"(.+) \d+, (.+) \d+ \d+ match(?:es)?", label).groups()  # type: ignore[union-attr]
    one, other = (frozenset(names.split(" & ")) for names in (first, second))
    met = [match for match in matches if {one, other} == {*match.teams}]
    assert met, label
    rows = [row.text for row in page.all("tr")]

    def both(words: str, figure: Any) -> None:
        assert f"{figure(one)} {words} {figure(other)}" in rows, rows

    def bids(team: frozenset[str], kind: str = "") -> str:
        made = [ok for match in met for who, bid, ok in match.bids() if who in team and kind in ("", bid)]
        return of(made) if made else "none"

    def each(team: frozenset[str]) -> str:
        took = [hand[match.teams.index(team)] for match in met for hand in match.points]
        return f"{int(sum(took) / len(took) * 10 + 0.5) / 10:.1f}"

    def biggest(team: frozenset[str]) -> str:
        leads = [match.lead(match.scores[-1]) for match in met if match.teams[match.winner_index] == team]
        return f"by {max(leads)}" if max(leads, default=0) > 0 else "none"

    both("bids made", bids)
    if any(bid == "moon" for match in met for _, bid, _ in match.bids()):
        both("moons", lambda team: bids(team, "moon"))
    both("points a hand", each)
    both("biggest win", biggest)
    for team in (one, other):
        won = sum(match.teams[match.winner_index] == team for match in met)
        assert any(f"{won} match{'' if won == 1 else 'es'} won" in section.text for section in page.all("section"))
    if len(met) > 1:
        check_highlights(rows_of(page), met)
        most = max(len(match.hands) for match in met)
        assert any(row.startswith("Most hands in one match") and row.endswith(f" {most}") for row in rows_of(page))


@pytest.mark.parametrize(("scores", "words"), [((43, 44), "43–44"), ((21, 4, 18), "21–18"), ((-1, 2, 7), "−1 to 2")])
def test_the_score_beside_a_winner_is_the_next_best_also_counted_down(scores: tuple[int, ...], words: str) -> None:
    sides = [SideFigures(f"p{index}", "", (), score, not index, 1) for index, score in enumerate(scores)]

    assert match_score_words(MatchFigures("", "", "", "", "", "", "", (), tuple(sides), ""), 0) == words
