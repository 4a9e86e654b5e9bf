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

MIN_MATCHES_OF_CHAMPION = 5
"""The fewest matches that a person must have played to be shown as the one who won most."""
MIN_MATCHES_OF_TEAM = 6
"""The fewest matches that a team must have played to be listed on the sheet of a year."""
MIN_MATCHES_FOR_CLOSEST = 10
"""The fewest matches that must have been played before one is shown as the closest finish."""


def matches_since_words(matches: Sequence[SeatedMatch]) -> str:
    """Return how many matches there are, and since when: "46 matches since May 2025"; empty without a match.

    The earliest of `matches` has to be the first.
    """
    if not matches:
        return ""
    first_day = date.fromisoformat(matches[0].figures.day)
    return f"{digits(len(matches), 'match')} since {MONTH_NAMES[first_day.month - 1]} {first_day.year}"


def team_name(people: BookPeople, team: Team) -> str:
    """Return the names of a team's people in alphabetical order, joined: "Ann & Cal"; empty if one has no name."""
    return NAME_SEPARATOR.join(team_names(people, team))


def team_names(people: BookPeople, team: Team) -> list[str]:
    """Return the names of a team's people in alphabetical order: ["Ann", "Cal"]; empty if one has no name."""
    names = sorted(people.names_by_person.get(person, "") for person in team)
    return names if all(names) else []


def side_name(people: BookPeople, match: SeatedMatch, side_index: int) -> str:
    """Return the names of a side's people in seat order, joined: "Cal & Ann".

    Only people for whom the match counts are named; without such people, return the name chosen for the side.
    """
    seats = match.figures.sides[side_index].seats
    players_and_people = zip(match.figures.players, match.people, strict=True)
    seat_indices = {person: seats.index(player.seat) for player, person in players_and_people if player.seat in seats}
    team = sorted(match.teams[side_index], key=lambda person: seat_indices.get(person, 0))
    names = [people.name_in(match, person) for person in team]
    return NAME_SEPARATOR.join(names) or match.figures.sides[side_index].name


def match_score_words(figures: MatchFigures, side_index: int) -> str:
    """Return the score of a side, and that of the winner or the best of the other sides: "43–44"."""
    own_score = figures.sides[side_index].score
    other_sides = [side for index, side in enumerate(figures.sides) if index != side_index]
    if not other_sides:
        return score_text(own_score)
    scores = [side.score for side in other_sides if side.has_won] or sorted(side.score for side in other_sides)
    other_score = scores[0 if own_score < scores[0] else -1]  # a winner below all others has counted down
    separator = " to " if min(own_score, other_score) < 0 else "–"
    return f"{score_text(own_score)}{separator}{score_text(other_score)}"


def day_and_venue_words(figures: MatchFigures) -> str:
    """Return when and where a match was played, with its note: "Nov 19, the cabin (rematch)"."""
    return day_and_venue_text(figures.day, figures.venue, figures.note)


def draw_bid_bars(bid_ratios: Mapping[Bid, Ratio]) -> tuple[Bar, ...]:
    """Return a bar for each bid, made out of tried; numbers are before special bids such as "moon"."""
    ordered = sorted(bid_ratios.items(), key=lambda item: bid_sort_key(item[0]))
    return draw_bars([(bid_word(bid), ratio) for bid, ratio in ordered])


def draw_person_bars(people: BookPeople, ratios: Mapping[str, Ratio]) -> dict[str, Bar]:
    """Return a bar for each person, keyed by uid, the highest total first.

    People without a name, and those with a total of 0, have no bar.
    """
    named = [
        (person, ratio) for person, ratio in sort_by_total(ratios) if person in people.names_by_person and ratio.total
    ]
    bars = draw_bars([(people.names_by_person[person], ratio) for person, ratio in named])
    return {person: bar for (person, _), bar in zip(named, bars, strict=True)}


def _describe_highlights(
    people: BookPeople, highlights: Highlights, match_count: int, moon_ratio: Ratio, bid_highlight: Highlight | None
) -> Iterator[Highlight]:
    """Yield the highlights of `match_count` matches in words, in the order in which they are shown.

    `moon_ratio` is 0 of 0 to leave out moons. `bid_highlight`, if given, is yielded among the others.
    """
    if (match := highlights.comeback_match) and (points_behind := match.figures.details.max_points_behind):
        figures = match.figures
        winner_name = side_name(people, match, figures.winner_index)
        detail = f"{winner_name} came back from {points_behind} behind, {day_and_venue_words(figures)}"
        score_words = match_score_words(figures, figures.winner_index)
        yield Highlight(label="Longest comeback", detail=detail, figure_text=score_words, match_uid=match.uid)
    if (match := highlights.closest_match) and match_count >= MIN_MATCHES_FOR_CLOSEST:
        figures = match.figures
        bidder_names = team_name(people, match.team_of_players(figures.details.last_bidders))
        bid_phrase = f"{bidder_names} had the bid, " if bidder_names else ""
        score_words = match_score_words(figures, figures.winner_index)
        detail = f"{bid_phrase}{day_and_venue_words(figures)}"
        yield Highlight(label="Closest finish", detail=detail, figure_text=score_words, match_uid=match.uid)
    if moon_ratio.total and len(highlights.made_moons) == 1:
        match, moon = highlights.made_moons[0]
        team = (match.people[moon.bidder],) if moon.bidder is not None else match.team_of_players(moon.players)
        name = team_name(people, team) or "A moon"
        tried_sentence = f". {moon_ratio.total} were tried" if moon_ratio.total > 1 else ""
        detail = f"{name}, {day_and_venue_words(match.figures)}{tried_sentence}"
        yield Highlight(
            label="The only moon", detail=detail, figure_text=signed_text(moon.score_change), match_uid=match.uid
        )
    elif moon_ratio.total:
        yield Highlight(label="Moons made", detail=f"of {moon_ratio.total} tried", figure_text=str(moon_ratio.hits))
    if bid_highlight:
        yield bid_highlight
    if (match := highlights.longest_match) and (hand_count := match.figures.details.hand_count):
        day = day_and_venue_words(match.figures)
        yield Highlight(label="Most hands in one match", detail=day, figure_text=str(hand_count), match_uid=match.uid)
    if (match := highlights.most_sets_match) and (most_often := find_most_often_set(match))[1] > 1:
        person, set_count = most_often
        detail = (
            f"{people.name_in(match, person)}, {day_and_venue_words(match.figures)},"
            f" {match.figures.details.hand_count} hands"
        )
        yield Highlight(label="Most sets in one match", detail=detail, figure_text=str(set_count), match_uid=match.uid)


def head_to_head_highlights(people: BookPeople, head_to_head: HeadToHead) -> list[Highlight]:
    """Return in words the highlights of the matches between two teams, except bids, sets and moons."""
    highlights = replace(head_to_head.highlights, most_sets_match=None)
    return [*_describe_highlights(people, highlights, len(head_to_head.matches), Ratio(), None)]


def year_sheet(people: BookPeople, year: int, *, is_paper: bool) -> YearSheet | None:
    """Return the content of a year's page or, with `is_paper`, of its sheet; `None` without a match."""
    figures = people.compute_once(compute_year_figures, year)
    if not figures.match_count:
        return None
    made_ratio, person_count = figures.made_ratio, len(figures.win_ratios)
    rules_names = figures.rules_names if len(figures.rules_names) == 1 else ()
    named_teams = sorted(
        ((team_name(people, team), ratio) for team, ratio in figures.team_win_ratios.items()),
        key=lambda item: (-item[1].total, item[0]),
    )
    bars_by_person = draw_person_bars(people, figures.win_ratios)
    return YearSheet(
        title=f"{year} at our table",
        subtitle=", ".join(filter(None, (people.book.name, *rules_names))),
        until_text=_until_words(figures) if year >= today().year else "",
        totals=[
            (figures.match_count, "match" if figures.match_count == 1 else "matches"),
            (figures.hand_count, "hand" if figures.hand_count == 1 else "hands"),
            *([(person_count, "person" if person_count == 1 else "people")] if person_count else []),
            *(
                [(made_ratio.hits, f"bid{'' if made_ratio.hits == 1 else 's'} made"), (made_ratio.misses, "set")]
                if is_paper and made_ratio.total
                else []
            ),
        ],
        champion_text=_champion_words([*bars_by_person.values()]),
        months=draw_months(figures.match_counts_of_months, SHEET_MONTHS_FRAME if is_paper else PHONE_MONTHS_FRAME),
        bars_by_person=bars_by_person,
        bid_bars=draw_bid_bars(figures.bid_ratios),
        team_bars=draw_bars(
            [(name, ratio) for name, ratio in named_teams if name and ratio.total >= MIN_MATCHES_OF_TEAM]
        ),
        highlights=_year_highlights(people, figures, is_paper=is_paper),
    )


def _until_words(figures: YearFigures) -> str:
    """Return in words the day of the last match of a year: "up to November 21"."""
    last_day = date.fromisoformat(figures.last_day)
    month_name = MONTH_NAMES[last_day.month - 1]
    return f"up to {month_name} {last_day.day}" if date_style().is_month_first else f"up to {last_day.day} {month_name}"


def _champion_words(bars: Sequence[Bar]) -> str:
    """Return who won most matches: "Ann, 16 of 27". Empty after a tie, without a win, and after too few matches."""
    most_wins = max((bar.hits for bar in bars), default=0)
    first_bars = [bar for bar in bars if bar.hits == most_wins]
    if not most_wins or len(first_bars) > 1 or first_bars[0].total < MIN_MATCHES_OF_CHAMPION:
        return ""
    return f"{first_bars[0].label}, {most_wins} of {first_bars[0].total}"


def _year_highlights(people: BookPeople, figures: YearFigures, *, is_paper: bool) -> tuple[Highlight, ...]:
    """Return the highlights of a year in words.

    The longest match is among them only on paper, and the number of bids made only on the screen.
    """
    made_ratio, highlights, bid_highlight = figures.made_ratio, figures.highlights, None
    if not is_paper:
        highlights = replace(highlights, longest_match=None)
        if made_ratio.total:
            redeal_phrase = f", and {digits(figures.thrown_in_count, 'redeal')}" if figures.thrown_in_count else ""
            bid_highlight = Highlight(
                label="Bids made", detail=f"of {made_ratio.total} bid{redeal_phrase}", figure_text=str(made_ratio.hits)
            )
    return tuple(_describe_highlights(people, highlights, figures.match_count, figures.moon_ratio, bid_highlight))
