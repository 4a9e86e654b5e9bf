"""People's figures in words and bars, for the screen and for paper: sides, scores, days, highlights, and a year."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from scorekeeper.club.figures.bars_and_steps import PHONE_MONTHS_FRAME, SHEET_MONTHS_FRAME, Bar, draw_bars, draw_months
from scorekeeper.club.figures.counting import BookPeople
from scorekeeper.club.figures.match_figures import MatchFigures, bid_sort_key
from scorekeeper.club.figures.people import (
    HeadToHead,
    Highlights,
    Ratio,
    SeatedMatch,
    Team,
    YearFigures,
    compute_year_figures,
    find_most_often_set,
    sort_by_total,
)
from scorekeeper.club.figures.year_sheet import Highlight, YearSheet
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.scoring.hand import Bid
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.text.phrases import MONTH_NAMES, bid_word, score_text, signed_text
from scorekeeper.web.listed_matches import day_and_venue_text
from scorekeeper.web.locale import date_style, today

MIN_TO_WIN_MOST = 5
"""The fewest matches that a person must have played to be shown as the one who won most."""
MIN_MATCHES_OF_PAIR = 6
"""The fewest matches that a pair must have played to be listed on the sheet of a year."""
MIN_MATCHES_FOR_CLOSEST = 10
"""The fewest matches that must have been played before one is shown as the closest finish."""


def matches_since_words(matches: Sequence[SeatedMatch]) -> str:
    """Return how many matches there are, and since when: "46 matches since May 2025".

    The earliest match has to be first. Empty without a match.
    """
    if not matches:
        return ""
    first = date.fromisoformat(matches[0].figures.day)
    return f"{digits(len(matches), 'match')} since {MONTH_NAMES[first.month - 1]} {first.year}"


def team_name(people: BookPeople, team: Team) -> str:
    """Return the names of a team's people in alphabetical order: "Ann & Cal"; empty if one of them has no name."""
    return NAME_SEPARATOR.join(team_names(people, team))


def team_names(people: BookPeople, team: Team) -> list[str]:
    """Return the names of a team's people in alphabetical order; empty if one of them has no name."""
    names = sorted(people.names.get(person, "") for person in team)
    return names if all(names) else []


def side_name(people: BookPeople, match: SeatedMatch, index: int) -> str:
    """Return the name of the side at an index: its people's names in seat order, or else its chosen name.

    Only people for whom the match counts are named.
    """
    seats = match.figures.sides[index].seats
    seated = zip(match.figures.seated, match.people, strict=True)
    order = {person: seats.index(player.seat) for player, person in seated if player.seat in seats}
    team = sorted(match.teams[index], key=lambda person: order.get(person, 0))
    names = [people.name_in(match, person) for person in team]
    return NAME_SEPARATOR.join(names) or match.figures.sides[index].name


def match_score_words(figures: MatchFigures, index: int) -> str:
    """Return a side's score beside that of the winner or best of the others: "43–44"."""
    mine = figures.sides[index].score
    others = [side for other, side in enumerate(figures.sides) if other != index]
    if not others:
        return score_text(mine)
    scores = [side.score for side in others if side.won] or sorted(side.score for side in others)
    best = scores[0 if mine < scores[0] else -1]  # a winner below all others has counted down
    between = " to " if min(mine, best) < 0 else "–"
    return f"{score_text(mine)}{between}{score_text(best)}"


def day_and_venue_words(figures: MatchFigures) -> str:
    """Return when and where a match was played, with its note."""
    return day_and_venue_text(figures.day, figures.venue, figures.note)


def bid_bars(bids: Mapping[Bid, Ratio]) -> tuple[Bar, ...]:
    """Return a bar for each bid, made out of tried; numbers come before special bids."""
    ordered = sorted(bids.items(), key=lambda item: bid_sort_key(item[0]))
    return draw_bars([(bid_word(bid), ratio) for bid, ratio in ordered])


def person_bars(people: BookPeople, ratios: Mapping[str, Ratio]) -> dict[str, Bar]:
    """Return bars by person's uid, the highest total first.

    People without a name, or with a total of 0, have none.
    """
    named = [(who, ratio) for who, ratio in sort_by_total(ratios) if who in people.names and ratio.total]
    bars = draw_bars([(people.names[person], ratio) for person, ratio in named])
    return {person: bar for (person, _), bar in zip(named, bars, strict=True)}


def _highlights(
    people: BookPeople, found: Highlights, number_of_matches: int, moons: Ratio, bids: Highlight | None
) -> Iterator[Highlight]:
    """Yield the highlights of some matches in words, in the order in which they are shown.

    `moons` are those made out of those bid, 0 of 0 to leave them out. `bids`, if given, is yielded among them.
    """
    if (match := found.comeback) and (behind := match.figures.details.points_behind):
        figures = match.figures
        winner = side_name(people, match, figures.winner_index)
        detail = f"{winner} came back from {behind} behind, {day_and_venue_words(figures)}"
        score = match_score_words(figures, figures.winner_index)
        yield Highlight(label="Longest comeback", detail=detail, figure=score, match=match.uid)
    if (match := found.closest) and number_of_matches >= MIN_MATCHES_FOR_CLOSEST:
        figures = match.figures
        bidders = team_name(people, match.team_of_players(figures.details.last_bidders))
        had = f"{bidders} had the bid, " if bidders else ""
        score = match_score_words(figures, figures.winner_index)
        detail = f"{had}{day_and_venue_words(figures)}"
        yield Highlight(label="Closest finish", detail=detail, figure=score, match=match.uid)
    if moons.total and len(found.moons) == 1:
        match, moon = found.moons[0]
        team = (match.people[moon.bidder],) if moon.bidder is not None else match.team_of_players(moon.team)
        who = team_name(people, team) or "A moon"
        more = f". {moons.total} were tried" if moons.total > 1 else ""
        detail = f"{who}, {day_and_venue_words(match.figures)}{more}"
        yield Highlight(label="The only moon", detail=detail, figure=signed_text(moon.change), match=match.uid)
    elif moons.total:
        yield Highlight(label="Moons made", detail=f"of {moons.total} tried", figure=str(moons.hits))
    if bids:
        yield bids
    if (match := found.longest) and (hands := match.figures.details.hands):
        day = day_and_venue_words(match.figures)
        yield Highlight(label="Most hands in one match", detail=day, figure=str(hands), match=match.uid)
    if (match := found.most_sets) and (most := find_most_often_set(match))[1] > 1:
        who, sets = most
        detail = (
            f"{people.name_in(match, who)}, {day_and_venue_words(match.figures)}, {match.figures.details.hands} hands"
        )
        yield Highlight(label="Most sets in one match", detail=detail, figure=str(sets), match=match.uid)


def pair_highlights(people: BookPeople, met: HeadToHead) -> list[Highlight]:
    """Return in words the highlights of the matches between two teams, except bids, sets and moons."""
    return [*_highlights(people, replace(met.highlights, most_sets=None), len(met.matches), Ratio(), None)]


def year_sheet(people: BookPeople, year: int, *, is_paper: bool) -> YearSheet | None:
    """Return the content of a year's page or, with `is_paper`, of its sheet; `None` without a match."""
    figures = people.compute_once(compute_year_figures, year)
    if not figures.match_count:
        return None
    made, number_of_people = figures.made, len(figures.standings)
    rules = figures.rules_names if len(figures.rules_names) == 1 else ()
    pairs = sorted(
        ((team_name(people, team), ratio) for team, ratio in figures.pairs.items()),
        key=lambda item: (-item[1].total, item[0]),
    )
    bars = person_bars(people, figures.standings)
    return YearSheet(
        title=f"{year} at our table",
        subtitle=", ".join(filter(None, (people.book.name, *rules))),
        until=_until_words(figures) if year >= today().year else "",
        totals=[
            (figures.match_count, "match" if figures.match_count == 1 else "matches"),
            (figures.hands, "hand" if figures.hands == 1 else "hands"),
            *([(number_of_people, "person" if number_of_people == 1 else "people")] if number_of_people else []),
            *(
                [(made.hits, f"bid{'' if made.hits == 1 else 's'} made"), (made.misses, "set")]
                if is_paper and made.total
                else []
            ),
        ],
        champion=_champion_words([*bars.values()]),
        months=draw_months(figures.months, SHEET_MONTHS_FRAME if is_paper else PHONE_MONTHS_FRAME),
        people=bars,
        bids=bid_bars(figures.bids),
        pairs=draw_bars([(name, ratio) for name, ratio in pairs if name and ratio.total >= MIN_MATCHES_OF_PAIR]),
        highlights=_year_highlights(people, figures, is_paper=is_paper),
    )


def _until_words(figures: YearFigures) -> str:
    """Return in words the day of the last match of a year: "up to November 21"."""
    last = date.fromisoformat(figures.last_day)
    month = MONTH_NAMES[last.month - 1]
    return f"up to {month} {last.day}" if date_style().is_month_first else f"up to {last.day} {month}"


def _champion_words(bars: Sequence[Bar]) -> str:
    """Return who won most matches: "Ann, 16 of 27"; empty for a tie, without a win, or after too few matches."""
    most = max((bar.hits for bar in bars), default=0)
    first = [bar for bar in bars if bar.hits == most]
    if not most or len(first) > 1 or first[0].total < MIN_TO_WIN_MOST:
        return ""
    return f"{first[0].label}, {most} of {first[0].total}"


def _year_highlights(people: BookPeople, figures: YearFigures, *, is_paper: bool) -> tuple[Highlight, ...]:
    """Return the highlights of a year: the longest match only on paper, the bids made only on the screen."""
    made, redeals, found, bids = figures.made, figures.thrown_in, figures.highlights, None
    if not is_paper:
        found = replace(found, longest=None)
        if made.total:
            more = f", and {digits(redeals, 'redeal')}" if redeals else ""
            bids = Highlight(label="Bids made", detail=f"of {made.total} bid{more}", figure=str(made.hits))
    return tuple(_highlights(people, found, figures.match_count, figures.moons, bids))
