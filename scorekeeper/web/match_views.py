"""The titles and sides of a match as several pages show them."""

from collections.abc import Mapping
from textwrap import shorten

from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import ListedMatch
from scorekeeper.pitch.drawings.markers import SideView, marked_sides
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.payments import standing_text
from scorekeeper.pitch.text.phrases import DateStyle, Names, named, opponents, spoken_names
from scorekeeper.web.context import with_own_pronouns
from scorekeeper.web.locale import date_style, plain_day

NOTE_IN_LISTS = 60
"""The most characters of a note in a list."""


def side_views(match: Match) -> Mapping[SideId, SideView]:
    """Return every side of a match with its marker, by its id."""
    return _marked(match, match.names)


def side_views_in(match: Match, position: int) -> Mapping[SideId, SideView]:
    """Return every side with its name in a hand, by its position from 1: somebody else may have played then."""
    return _marked(match, match.names_in(position))


def _marked(match: Match, names: Names) -> Mapping[SideId, SideView]:
    return marked_sides(match.state.seats, names, match.marks, spoken_names(names))


def side_view_of(match: Match, who: str) -> SideView | None:
    """Return the side of a player, or the side itself, by id; `None` for an id that is not at the table."""
    return side_views(match).get(match.setup.side_of(who))


# ---------- titles ----------


def match_title(match: Match) -> str:
    """Return a match's title, or who plays it: "Ann & Cal v. Bea & Dan"."""
    return match.title or opponents(match.state.seats.ids, match.names)


def title_of_page(match: Match, dates: DateStyle) -> str:
    """Return the title of a browser's tab: "Thursday: Ann & Cal v. Bea & Dan", or the players and the day."""
    people = opponents(match.state.seats.ids, match.names)
    if match.title:
        return f"{match.title}: {people}"
    return f"{people}, {plain_day(match.occasion.day, dates)}"


def rules_words(state: MatchState) -> str:
    """Return the game and its goal: "Partnership Pitch, to 21"."""
    return f"{state.ruleset.name}, {goal_words(state.ruleset)}"


def listed_title(item: ListedMatch) -> str:
    """Return a match's title, or who plays it, whether or not its rules still score it."""
    if item.match:
        return match_title(with_own_pronouns(item.match))
    return item.title or opponents(item.setup.seating.ids, item.setup.shown_names(item.log.renamed))


def when_and_where(day: str, venue: str, note: str, dates: DateStyle) -> str:
    """Return when and where a match was played, and the note in one line: "Aug 8, the cabin (Joe’s birthday)"."""
    day_and_venue = ", ".join(filter(None, (plain_day(day, dates), venue)))
    return f"{day_and_venue} ({shorten(note, NOTE_IN_LISTS, placeholder='…')})" if note else day_and_venue


def listed_note(item: ListedMatch) -> str:
    """Return when and where a match was played, and its scores: "Nov 21: Ann & Cal 21, Bea & Dan 17; hand 6"."""
    played = item.occasion
    return f"{when_and_where(played.day, played.venue, played.note, date_style())}: {_standing_words(item)}"


def _standing_words(item: ListedMatch) -> str:
    """Return a match's scores and stage: "Ann & Cal 21, Bea & Dan 17; hand 6"."""
    if item.match is None:
        return "open it to see its score" if item.is_left else "Scorekeeper can’t read its rules"
    match = with_own_pronouns(item.match)
    return f"{standing_text(match.state, match.names, best_first=True)}; {_stage(match)}"


def _stage(match: Match) -> str:
    if match.state.outcome:
        return f"{listed(named(match.state.outcome.winners, match.names))} won"
    return match.status if match.status in ("over", "stopped") else f"hand {match.state.next_number}"
