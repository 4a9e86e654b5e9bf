"""Pages about the people of a book: everybody, one person, two teams, a year, and the list of names."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from math import floor

from flask import Blueprint, Response, abort, request

from scorekeeper.book.books import BookAccess
from scorekeeper.book.events import NameDeleted, NameRestored, PersonSeparated, Redone, Undone
from scorekeeper.book.fold import person_uid
from scorekeeper.book.store import match_ids_of
from scorekeeper.club.figures import names as service
from scorekeeper.club.figures.bars_and_steps import draw_steps
from scorekeeper.club.figures.counting import BookPeople
from scorekeeper.club.figures.pages.figures import (
    day_and_venue_words,
    draw_bid_bars,
    draw_person_bars,
    head_to_head_highlights,
    match_score_words,
    matches_since_words,
    team_name,
    team_names,
    year_sheet,
)
from scorekeeper.club.figures.people import (
    Ratio,
    SeatedMatch,
    Team,
    TeamFigures,
    compute_head_to_head,
    compute_person_figures,
    count_matches_by_year,
    count_meetings,
    count_spellings,
    sort_by_total,
)
from scorekeeper.club.nights.book_nights import nights_in_book, season_standings
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Event, Refused
from scorekeeper.pages.book.views import open_in_book, phone_books
from scorekeeper.pitch.drawings.markers import SideView, distinct_letters
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.pitch.rules.phrases import digits, join_words
from scorekeeper.web.context import drop_loaded_book, for_owners, for_watchers, load_book, writer
from scorekeeper.web.locale import today
from scorekeeper.web.respond import redirect_to, render_page

bp = Blueprint("people", __name__, url_prefix="/books/<code>")
own_people = Blueprint("own_people", __name__)
"""The page `/people`, which leads to the people of this phone's first book."""

UID_SEPARATOR = "."
"""The separator between the uids of a team's people in a URL."""
MIN_MATCHES_OF_BEST_PARTNER = 5
"""The fewest matches that two must have played together for one to be shown as the other's best partner."""
MIN_CHARTED_MATCHES = MIN_COMPARED_PARTNERS = 2
"""The fewest matches with which a person has charts, and the fewest partners of whom one is the best."""
MAX_LATEST_RESULTS, MAX_LATEST_MATCHES = 10, 5
"""The most results, won or lost, and the most matches that a person's page lists, the latest first."""
MAX_LISTED_MEETINGS = 60
MAX_ASSIGNABLE_MATCHES = 40
"""How many of a person's latest matches are offered as played by somebody else of the same name."""


@bp.app_template_filter()
def initial(name: str) -> str:
    """Return the first letter or digit of a name as a capital; "?" for a name without any."""
    return next((character.upper() for character in name if character.isalnum()), "?")


def _load_people(code: str) -> BookPeople:
    """Return the people of the book of the link with a code, with the book's finished matches."""
    return service.load_people(db.session, load_book(code))


# ---------- everybody ----------


@own_people.get("/people")
def show() -> Response:
    """Redirect to the people of this phone's first book; without a book, show a page on how people are added."""
    if books := phone_books():
        return redirect_to("people.everybody", code=books[0].code)
    return render_page("people/nobody.html")


@bp.get("/people")
@for_watchers
def everybody(code: str) -> Response:
    """Show everybody in a book, and how many matches each person has won."""
    people, this_year, access = _load_people(code), today().year, load_book(code)
    return render_page(
        "people/list.html",
        access=access,
        people=people,
        since=matches_since_words(people.matches),
        bars_by_person=draw_person_bars(people, people.win_ratios),
        has_unfinished=len(match_ids_of(db.session, access.id))
        > len(people.matches) + people.match_count_without_figures,
        first_meeting=next((label for _, _, label, _ in _meetings(people)), ""),
        year_notes={
            year: digits(match_count, "match") + (" so far" if year == this_year else "")
            for year, match_count in count_matches_by_year(people.matches).items()
        },
    )


# ---------- one person ----------


@bp.get("/people/<person>")
@for_watchers
def one(code: str, person: str) -> Response:
    """Show the figures of one person; if the person was joined to another, redirect to the other.

    404 for a person who is unknown, or whose name was deleted.
    """
    people, access = _load_people(code), load_book(code)
    joined_person = access.book.people.root(person)
    if joined_person not in people.names_by_person:
        abort(404)
    if joined_person != person:
        return redirect_to(".one", code=code, person=joined_person)
    figures = people.compute_once(compute_person_figures, person)
    is_charted = len(figures.matches) >= MIN_CHARTED_MATCHES
    return render_page(
        "people/person.html",
        access=access,
        people=people,
        person=person,
        name=people.names_by_person[person],
        figures=figures,
        since=matches_since_words(figures.matches) or "no whole match yet",
        ladder_nights=_ladder_nights_words(access, person),
        is_charted=is_charted,
        bid_bars=draw_bid_bars(figures.bid_ratios),
        partner_bars={
            UID_SEPARATOR.join(sorted((person, partner))): bar
            for partner, bar in draw_person_bars(people, figures.partner_ratios).items()
        },
        best_partner=_best_partner_words(people, figures.partner_ratios),
        called_partner_bars=draw_person_bars(people, figures.called_partner_ratios),
        opponent_bars=draw_person_bars(people, figures.opponent_ratios),
        latest_wins=figures.wins[::-1][:MAX_LATEST_RESULTS],
        matches=[
            (
                match,
                _match_and_partners_words(people, match, person),
                match_score_words(match.figures, match.side_index_by_person[person]),
            )
            for match in figures.matches[::-1][:MAX_LATEST_MATCHES]
        ],
    )


def _ladder_nights_words(access: BookAccess, person: str) -> str:
    """Return what a person won at the book's ladder nights: "won 12 of 20 games at 4 nights"; empty without a night."""
    nights = [night for _, night in nights_in_book(db.session, access.id)]
    standings = season_standings(access.book, nights)
    standing = next((standing for standing in standings if standing.person == person), None)
    return (
        f"won {standing.games_won} of {digits(standing.games_played, 'game')}"
        f" at {digits(standing.nights_attended, 'night')}"
        if standing
        else ""
    )


def _best_partner_words(people: BookPeople, partner_ratios: Mapping[str, Ratio]) -> str:
    """Return the partner with whom a person won the largest share of matches: "best: Cal, 12 of 20".

    Empty if two partners are equally good, or if fewer than `MIN_COMPARED_PARTNERS` have played enough matches.
    """
    names = people.names_by_person
    ranked_partners = sorted(
        ((ratio.share, ratio.total), names[partner], ratio)
        for partner, ratio in partner_ratios.items()
        if ratio.total >= MIN_MATCHES_OF_BEST_PARTNER and partner in names
    )
    if len(ranked_partners) < MIN_COMPARED_PARTNERS or ranked_partners[-2][0] == ranked_partners[-1][0]:
        return ""
    _, best_name, best_ratio = ranked_partners[-1]
    return f"best: {best_name}, {_ratio_words(best_ratio)}"


def _match_and_partners_words(people: BookPeople, match: SeatedMatch, person: str) -> str:
    """Return a match's day, venue and note, and a person's partners there: "Nov 19, the cabin (rematch), with Cal"."""
    own_team = match.teams[match.side_index_by_person[person]]
    partner_names = [people.name_in(match, partner) for partner in own_team if partner != person]
    partners_phrase = f", with {join_words(sorted(partner_names))}" if partner_names else ""
    return f"{day_and_venue_words(match.figures)}{partners_phrase}"


# ---------- two teams ----------


@bp.get("/pairs")
@for_watchers
def pairs(code: str) -> Response:
    """Show two teams against each other, or list teams that met.

    The query string names the two teams by the uids of their people: "?a=ann.cal&b=bea.dan". With just one team, its
    meetings are listed, and without a team, those of all. 404 for a person without a name, and for two teams that never
    met.
    """
    people = _load_people(code)
    first, second = (_read_team(request.args.get(field, "")) for field in ("a", "b"))
    if not people.names_by_person.keys() >= {*first, *second}:
        abort(404)
    if first and second:
        return _show_head_to_head(code, people, first, second)
    return render_page(
        "people/meetings.html",
        access=load_book(code),
        people=people,
        team=team_name(people, first or second),
        meetings=[*islice(_meetings(people, first or second), MAX_LISTED_MEETINGS)],
    )


def _read_team(uids_text: str) -> Team:
    """Return the team in a text with the uids of its people: "ann.cal"; the team may be empty."""
    return tuple(sorted({person for person in uids_text.split(UID_SEPARATOR) if person}))


def _meetings(people: BookPeople, team: Team = ()) -> Iterator[tuple[str, str, str, str]]:
    """Yield each two teams that met: ("ann.cal", "bea.dan", "Ann & Cal 3, Bea & Dan 1", "4 matches").

    The two that met most often are first. With `team`, only meetings of that team are yielded, with `team` as the first
    of the two. A team with a nameless person is left out.
    """
    meetings = sorted(count_meetings(people.matches).items(), key=lambda item: (-item[1].total, item[0]))
    for (one, other), ratio in meetings:
        if team in ((), one, other):
            teams_and_wins = [(one, ratio.hits), (other, ratio.misses)]
            # The team in the URL stands first, or else the one that won more often.
            if team == other or (not team and ratio.misses > ratio.hits):
                teams_and_wins.reverse()
            (first, first_wins), (second, second_wins) = teams_and_wins
            names = team_name(people, first), team_name(people, second)
            if all(names):
                label = f"{names[0]} {first_wins}, {names[1]} {second_wins}"
                yield UID_SEPARATOR.join(first), UID_SEPARATOR.join(second), label, digits(ratio.total, "match")


def _show_head_to_head(code: str, people: BookPeople, first: Team, second: Team) -> Response:
    """Show the figures of two teams against each other; 404 if they never met."""
    head_to_head = people.compute_once(compute_head_to_head, first, second)
    if not head_to_head.matches:
        abort(404)
    names = team_name(people, first), team_name(people, second)
    letters = distinct_letters(names)
    cards = [
        (
            SideView(side_id=str(number), name=names[number - 1], shape=number, letter=letters[number - 1]),
            team_names(people, figures.team),
            figures.win_ratio.hits,
        )
        for number, figures in ((1, head_to_head.first), (2, head_to_head.second))
    ]
    return render_page(
        "people/pairs.html",
        access=load_book(code),
        people=people,
        since=matches_since_words(head_to_head.matches),
        names=names,
        cards=cards,
        steps=draw_steps(head_to_head.leads, *names),
        lines=[*_comparison_lines(head_to_head.first, head_to_head.second)],
        highlights=head_to_head_highlights(people, head_to_head) if len(head_to_head.matches) > 1 else [],
        last_match=head_to_head.matches[-1],
    )


def _comparison_lines(first: TeamFigures, second: TeamFigures) -> Iterator[tuple[str, str, str, int]]:
    """Yield each figure of two teams, side by side: ("16 of 26", "bids made", "9 of 20", 1).

    The number says which team is better: 1, 2, or 0 for neither. A figure that neither team has is left out.
    """
    for label, first_ratio, second_ratio in (
        ("bids made", first.made_ratio, second.made_ratio),
        ("moons", first.moon_ratio, second.moon_ratio),
    ):
        if first_ratio.total or second_ratio.total:
            better_team = (
                _higher_figure(first_ratio.share, second_ratio.share) if first_ratio.total and second_ratio.total else 0
            )
            yield _ratio_words(first_ratio), label, _ratio_words(second_ratio), better_team
    if first.points_per_hand.total and second.points_per_hand.total:
        points = first.points_per_hand.share, second.points_per_hand.share
        yield _one_decimal_text(points[0]), "points a hand", _one_decimal_text(points[1]), _higher_figure(*points)
    if first.largest_lead or second.largest_lead:
        lead_texts = [f"by {team.largest_lead}" if team.largest_lead else "none" for team in (first, second)]
        yield lead_texts[0], "biggest win", lead_texts[1], _higher_figure(first.largest_lead, second.largest_lead)


def _ratio_words(ratio: Ratio) -> str:
    """Return a ratio in words: "16 of 26"; "none" if its total is 0."""
    return f"{ratio.hits} of {ratio.total}" if ratio.total else "none"


def _one_decimal_text(number: Fraction) -> str:
    """Return a number rounded to one decimal, halves up: "3.5"."""
    return f"{floor(10 * number + Fraction(1, 2)) / 10:.1f}"


def _higher_figure(first: Fraction | int, second: Fraction | int) -> int:
    """Return which of two figures is higher: 1 or 2; 0 if they are equal."""
    return 1 if first > second else 2 if second > first else 0


@bp.get("/pairs/again/<uid>")
@for_watchers
def again(code: str, uid: str) -> Response:
    """Redirect to the form for a new match with the people and the rules of an earlier match."""
    return open_in_book("new.again", code, uid)


# ---------- a year ----------


@bp.get("/years/<int:year>")
@for_watchers
def one_year(code: str, year: int) -> Response:
    """Show the figures of a year; 404 if no match was played in that year."""
    people = _load_people(code)
    sheet = year_sheet(people, year, is_paper=False) or abort(404)
    return render_page("people/year.html", access=load_book(code), people=people, year=year, sheet=sheet)


# ---------- names ----------


@bp.get("/names")
@for_owners
def names(code: str) -> Response:
    """Show the names of everybody in the book, and for each deleted name a button that restores the name."""
    people = _load_people(code)
    played_texts = {
        person: digits(ratio.total, "match") if ratio.total else "some hands"
        for person, ratio in sort_by_total(people.win_ratios)
    }
    return render_page(
        "people/names.html",
        access=load_book(code),
        people=people,
        played_texts=played_texts,
        done=request.args.get("done", ""),
    )


@bp.get("/names/<person>")
@for_owners
def name(code: str, person: str) -> Response:
    """Show the page of a person's name, with the forms for the changes that `change` makes."""
    return _show_name(code, person)


def _show_name(code: str, person: str, refusal: str = "") -> Response:
    """Show the page on which a person is renamed, joined or deleted; 404 for a person who is not in the book.

    `refusal` is the reason if a posted change was refused. A refused name stays in the form as typed.
    """
    people, form = _load_people(code), request.form
    if person not in people.win_ratios:
        abort(404)
    name, is_renaming = people.names_by_person.get(person, ""), form.get("do") == "rename"
    matches = [match for match in reversed(people.matches) if person in match.people]
    return render_page(
        "people/name.html",
        access=load_book(code),
        people=people,
        person=person,
        name=name,
        typed_name=normalize_spaces(form.get("name", "")) if is_renaming else name,
        is_from_now=form.get("since") == "now",
        fault=refusal if is_renaming else "",
        refusal="" if is_renaming else refusal,
        joined_names=_names_joined_to(people, person),
        other_people=[
            other
            for other, _ in sort_by_total(people.win_ratios)
            if other != person and other in people.names_by_person
        ],
        matches=[
            (match.uid, f"{day_and_venue_words(match.figures)}: {match.figures.title or match.figures.rules_name}")
            for match in matches[:MAX_ASSIGNABLE_MATCHES]
        ],
        done=request.args.get("done", ""),
    )


def _names_joined_to(people: BookPeople, person: str) -> list[tuple[str, str]]:
    """Return the uid and a name of each person who was joined directly to `person`.

    If no name is known, the name is "Another name".
    """
    book = people.book
    typed_names = {
        person_uid(book.uid, spelling): spelling
        for other, spelling in reversed(count_spellings(people.matches))
        if other == person
    }
    joined_people = book.people.people_joined_to(person)
    return [(uid, book.name_of(uid) or typed_names.get(uid, "Another name")) for uid in joined_people]


@bp.post("/names/<person>")
@for_owners
def change(code: str, person: str) -> Response:
    """Rename, join, separate or reassign a person, or delete or restore the name, as posted.

    Redirect to the page of the person who remains or, if nobody remains, to the list of names. If the change is
    refused, show the person's page with the reason. 404 for an unknown person.
    """
    form, author, session, access = request.form, writer(), db.session, load_book(code)
    button, typed_name = form.get("do", ""), normalize_spaces(form.get("name", ""))
    since = today().isoformat() if form.get("since") == "now" else None
    remaining_person = form.get("into", "") if button == "join" else person
    if person not in _load_people(code).win_ratios:
        drop_loaded_book()
        # This form, sent before, may have removed the person.
        if not load_book(code).book.has_key(author.idempotency_key):
            abort(404)
    changes_by_button: dict[str, Event | Callable[[BookAccess], Event]] = {
        "rename": lambda book: service.renaming_event(session, book, person, typed_name, since),
        "join": lambda book: service.joining_event(session, book, person, remaining_person),
        "part": PersonSeparated(person=form.get("joined", "")),
        "delete": NameDeleted(person=person),
        "restore": NameRestored(person=person),
        "other": lambda book: service.namesake_event(session, book, person, form.get("match", "")),
    }
    if button not in changes_by_button:
        abort(400)
    try:
        changed_access = service.write_change_of_people(session, access, changes_by_button[button], author)
    except Refused as refused:
        return _show_name(code, person, str(refused))
    if remaining_person in service.load_people(db.session, changed_access).win_ratios:
        return redirect_to(".name", code=code, person=remaining_person, done=button)
    return redirect_to(".names", code=code, done=button)


@bp.post("/names/undo")
@for_owners
def undo(code: str) -> Response:
    """Undo the posted change of people, and redirect to the list of names."""
    return _undo_or_redo(code, Undone, "undo")


@bp.post("/names/redo")
@for_owners
def redo(code: str) -> Response:
    """Redo the posted change of people that was undone, and redirect to the list of names."""
    return _undo_or_redo(code, Redone, "redo")


def _undo_or_redo(code: str, event_class: type[Undone | Redone], done: str) -> Response:
    """Append the undo or redo of the posted event, and redirect to the list of names.

    The list then says that the change was undone or redone: `done` is "undo" or "redo".
    """
    event = event_class(target=request.form.get("target", 0, type=int))
    service.write_change_of_people(db.session, load_book(code), event, writer())
    return redirect_to(".names", code=code, done=done)
