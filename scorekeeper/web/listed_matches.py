"""The title and the details of a match in a list on this phone."""

from textwrap import shorten

from scorekeeper.matches.match_list import ListedMatch
from scorekeeper.matches.notices import match_title
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.text.phrases import names_of, opponents_text
from scorekeeper.pitch.text.standing import standing_text
from scorekeeper.web.context import name_unnamed_sides
from scorekeeper.web.locale import date_style, plain_day

MAX_LISTED_NOTE_LENGTH = 60
"""The most characters of a match's note in a list of matches; a longer note is shortened."""


def listed_title(item: ListedMatch) -> str:
    """Return a match's title, or else the names of its sides."""
    if item.match:
        return match_title(name_unnamed_sides(item.match))
    return item.title or opponents_text(item.setup.seating.ids, item.setup.shown_names(item.log.renamed))


def day_and_venue_text(day: str, venue: str, note: str) -> str:
    """Return an ISO day in words, any venue, and any note, shortened if long: "Aug 8, the cabin (Joe’s birthday)"."""
    day_and_venue = ", ".join(filter(None, (plain_day(day, date_style()), venue)))
    return f"{day_and_venue} ({shorten(note, MAX_LISTED_NOTE_LENGTH, placeholder='…')})" if note else day_and_venue


def listed_details(item: ListedMatch) -> str:
    """Return when and where a match was, and its scores: "Nov 21: Ann & Cal 21, Bea & Dan 17; hand 6".

    If the scores are unknown, return the reason in their place.
    """
    occasion = item.occasion
    return f"{day_and_venue_text(occasion.day, occasion.venue, occasion.note)}: {_standing_words(item)}"


def _standing_words(item: ListedMatch) -> str:
    """Return a match's scores and stage, "Ann & Cal 21, Bea & Dan 17; hand 6", or why they are unknown."""
    if item.match is None:
        return "open it to see its score" if item.is_left_out else "Scorekeeper can’t read it"
    match = name_unnamed_sides(item.match)
    stage = match.status if match.status in ("over", "stopped") else f"hand {match.state.current_number}"
    if match.state.outcome:
        stage = f"{join_words(names_of(match.state.outcome.winners, match.names))} won"
    return f"{standing_text(match.state, match.names, best_first=True)}; {stage}"
