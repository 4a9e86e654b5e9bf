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
    bid_bars,
    day_and_venue_words,
    match_score_words,
    matches_since_words,
    pair_highlights,
    person_bars,
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
"""The separator of the uids of a side's people in a URL."""
MIN_MATCHES_OF_BEST_PARTNER = 5
"""The fewest matches that two must have played for one to be shown as the other's best partner."""
MIN_CHARTED_MATCHES = MIN_COMPARED_PARTNERS = 2
"""The fewest matches with which a person has charts, and the fewest partners of whom one is the best."""
MAX_LATEST_RESULTS, MAX_LATEST_MATCHES = 10, 5
"""The most results, won or lost, and the most matches that a person's page lists, the latest first."""
MAX_MEETINGS = 60
MAX_ASSIGNABLE_MATCHES = 40
"""How many of a person's latest matches are offered as played by somebody else of the same name."""


@bp.app_template_filter()
def initial(name: str) -> str:
    """Return the first letter or digit of a name as a capital; "?" where it has none."""
    return next((sign.upper() for sign in name if sign.isalnum()), "?")


def _load_people(code: str) -> BookPeople:
    """Return the people of the book that a link's code leads to, with its finished matches."""
    return service.load_people(db.session, load_book(code))


# ---------- everybody ----------


@own_people.get("/people")
def show() -> Response:
    """Redirect to the people of this phone's first book; without a book, show how people are added."""
    if books := phone_books():
        return redirect_to("people.everybody", code=books[0].code)
    return render_page("people/nobody.html")


@bp.get("/people")
@for_watchers
def everybody(code: str) -> Response:
    """Show everybody in the book, and how many matches each has won."""
    people, this_year, access = _load_people(code), today().year, load_book(code)
    return render_page(
        "people/list.html",
        access=access,
        people=people,
        since=matches_since_words(people.matches),
        bars=person_bars(people, people.standings),
        has_others=len(match_ids_of(db.session, access.id)) > len(people.matches) + people.match_count_without_figures,
        pairs=next((label for _, _, label, _ in _meetings(people)), ""),
        years={
            year: digits(number, "match") + (" so far" if year == this_year else "")
            for year, number in count_matches_by_year(people.matches).items()
        },
    )


# ---------- one person ----------


@bp.get("/people/<person>")
@for_watchers
def one(code: str, person: str) -> Response:
    """Show the figures of one person; redirect if the person was joined to another.

    404 for a person who is unknown, or whose name was deleted.
    """
    people, access = _load_people(code), load_book(code)
    root = access.book.people.root(person)
    if root not in people.names:
        abort(404)
    if root != person:
        return redirect_to(".one", code=code, person=root)
    figures = people.compute_once(compute_person_figures, person)
    is_charted = len(figures.matches) >= MIN_CHARTED_MATCHES
    return render_page(
        "people/person.html",
        access=access,
        people=people,
        person=person,
        name=people.names[person],
        figures=figures,
        since=matches_since_words(figures.matches) or "no whole match yet",
        at_nights=_ladder_nights_words(access, person),
        is_charted=is_charted,
        bids=bid_bars(figures.bids),
        partners={
            UID_SEPARATOR.join(sorted((person, partner))): bar
            for partner, bar in person_bars(people, figures.partners).items()
        },
        best_partner=_best_partner_words(people, figures.partners),
        called_partners=person_bars(people, figures.called_partners),
        opponents=person_bars(people, figures.opponents),
        chips=figures.results[::-1][:MAX_LATEST_RESULTS],
        matches=[
            (
                match,
                _match_and_partners_words(people, match, person),
                match_score_words(match.figures, match.side_of[person]),
            )
            for match in figures.matches[::-1][:MAX_LATEST_MATCHES]
        ],
    )


def _ladder_nights_words(access: BookAccess, person: str) -> str:
    """Return what a person won at the book's ladder nights: "won 12 of 20 games at 4 nights"; empty without a night."""
    nights = [night for _, night in nights_in_book(db.session, access.id)]
    standings = season_standings(access.book, nights)
    found = next((standing for standing in standings if standing.person == person), None)
    return (
        f"won {found.games_won} of {digits(found.games_played, 'game')} at {digits(found.nights_attended, 'night')}"
        if found
        else ""
    )


def _best_partner_words(people: BookPeople, partners: Mapping[str, Ratio]) -> str:
    """Return the partner with whom a person won the largest share of matches: "best: Cal, 12 of 20".

    Empty if two partners are equally good, or if fewer than `MIN_COMPARED_PARTNERS` have played enough.
    """
    ranked = sorted(
        ((ratio.share, ratio.total), people.names[who], ratio)
        for who, ratio in partners.items()
        if ratio.total >= MIN_MATCHES_OF_BEST_PARTNER and who in people.names
    )
    if len(ranked) < MIN_COMPARED_PARTNERS or ranked[-2][0] == ranked[-1][0]:
        return ""
    _, name, best = ranked[-1]
    return f"best: {name}, {_ratio_words(best)}"


def _match_and_partners_words(people: BookPeople, match: SeatedMatch, person: str) -> str:
    """Return a match's day, venue and note, and a person's partners in it: "Nov 19, the cabin (rematch), with Cal"."""
    partners = [people.name_in(match, other) for other in match.teams[match.side_of[person]] if other != person]
    with_partners = f", with {join_words(sorted(partners))}" if partners else ""
    return f"{day_and_venue_words(match.figures)}{with_partners}"


# ---------- two sides ----------


@bp.get("/pairs")
@for_watchers
def pairs(code: str) -> Response:
    """Show two teams, `a` and `b` in the query, against each other; otherwise list teams that met.

    With only one team in the query, its meetings are listed. 404 for a person without a name, and for two teams that
    never met.
    """
    people = _load_people(code)
    one, other = (_read_team(request.args.get(name, "")) for name in ("a", "b"))
    if not people.names.keys() >= {*one, *other}:
        abort(404)
    if one and other:
        return _show_head_to_head(code, people, one, other)
    return render_page(
        "people/meetings.html",
        access=load_book(code),
        people=people,
        team=team_name(people, one or other),
        meetings=[*islice(_meetings(people, one or other), MAX_MEETINGS)],
    )


def _read_team(text: str) -> Team:
    """Return the team in a text of uids with `UID_SEPARATOR` between them; it may be empty."""
    return tuple(sorted({person for person in text.split(UID_SEPARATOR) if person}))


def _meetings(people: BookPeople, team: Team = ()) -> Iterator[tuple[str, str, str, str]]:
    """Yield each two teams that met: their URL values, their names with their wins, and the matches.

    Those that met most often come first. With `team`, only its meetings, in which it comes first. A team with a
    nameless person is left out.
    """
    meetings = sorted(count_meetings(people.matches).items(), key=lambda item: (-item[1].total, item[0]))
    for (one, other), ratio in meetings:
        if team in ((), one, other):
            sides = [(one, ratio.hits), (other, ratio.misses)]
            # The team in the URL stands first, or else the one that won more often.
            if team == other or (not team and ratio.misses > ratio.hits):
                sides.reverse()
            (first, won), (second, lost) = sides
            names = team_name(people, first), team_name(people, second)
            if all(names):
                label = f"{names[0]} {won}, {names[1]} {lost}"
                yield UID_SEPARATOR.join(first), UID_SEPARATOR.join(second), label, digits(ratio.total, "match")


def _show_head_to_head(code: str, people: BookPeople, one: Team, other: Team) -> Response:
    """Show the figures of two teams against each other; 404 if they never met."""
    met = people.compute_once(compute_head_to_head, one, other)
    if not met.matches:
        abort(404)
    names = team_name(people, one), team_name(people, other)
    letters = distinct_letters(names)
    cards = [
        (
            SideView(side_id=str(number), name=names[number - 1], shape=number, letter=letters[number - 1]),
            team_names(people, pair.team),
            pair.won.hits,
        )
        for number, pair in ((1, met.first), (2, met.second))
    ]
    return render_page(
        "people/pairs.html",
        access=load_book(code),
        people=people,
        since=matches_since_words(met.matches),
        names=names,
        cards=cards,
        steps=draw_steps(met.leads, *names),
        lines=[*_comparison_lines(met.first, met.second)],
        highlights=pair_highlights(people, met) if len(met.matches) > 1 else [],
        last_match=met.matches[-1],
    )


def _comparison_lines(one: TeamFigures, other: TeamFigures) -> Iterator[tuple[str, str, str, int]]:
    """Yield the figures of two teams in words, side by side.

    Each has the words for `one`, a label, the words for `other`, and which is better: 1, 2, or 0 for neither. A figure
    that neither team has is left out.
    """
    for label, mine, theirs in (("bids made", one.made, other.made), ("moons", one.moons, other.moons)):
        if mine.total or theirs.total:
            better_team = _higher_figure(mine.share, theirs.share) if mine.total and theirs.total else 0
            yield _ratio_words(mine), label, _ratio_words(theirs), better_team
    if one.points_per_hand.total and other.points_per_hand.total:
        shares = one.points_per_hand.share, other.points_per_hand.share
        yield _one_decimal(shares[0]), "points a hand", _one_decimal(shares[1]), _higher_figure(*shares)
    if one.largest_lead or other.largest_lead:
        leads = [f"by {side.largest_lead}" if side.largest_lead else "none" for side in (one, other)]
        yield leads[0], "biggest win", leads[1], _higher_figure(one.largest_lead, other.largest_lead)


def _ratio_words(ratio: Ratio) -> str:
    """Return a ratio in words: "16 of 26", or "none" where its total is 0."""
    return f"{ratio.hits} of {ratio.total}" if ratio.total else "none"


def _one_decimal(number: Fraction) -> str:
    """Return a number rounded to one decimal, halves up: "3.5"."""
    return f"{floor(10 * number + Fraction(1, 2)) / 10:.1f}"


def _higher_figure(one: Fraction | int, other: Fraction | int) -> int:
    """Return which of two figures is higher: 1 or 2; 0 if they are equal."""
    return 1 if one > other else 2 if other > one else 0


@bp.get("/pairs/again/<uid>")
@for_watchers
def again(code: str, uid: str) -> Response:
    """Redirect to the form for a new match with the people and the rules of an earlier one."""
    return open_in_book("new.again", code, uid)


# ---------- a year ----------


@bp.get("/years/<int:year>")
@for_watchers
def one_year(code: str, year: int) -> Response:
    """Show the figures of a year; 404 if no match was played in it."""
    people = _load_people(code)
    sheet = year_sheet(people, year, is_paper=False) or abort(404)
    return render_page("people/year.html", access=load_book(code), people=people, year=year, sheet=sheet)


# ---------- names ----------


@bp.get("/names")
@for_owners
def names(code: str) -> Response:
    """Show the names of everybody in the book, and a button for each deleted name that restores it."""
    people = _load_people(code)
    played = {
        who: digits(count.total, "match") if count.total else "some hands"
        for who, count in sort_by_total(people.standings)
    }
    return render_page(
        "people/names.html",
        access=load_book(code),
        people=people,
        played=played,
        done=request.args.get("done", ""),
    )


@bp.get("/names/<person>")
@for_owners
def name(code: str, person: str) -> Response:
    """Show the page of a person's name, with the forms for the changes that `change` makes."""
    return _show_name(code, person)


def _show_name(code: str, person: str, why: str = "") -> Response:
    """Show the page on which a person is changed; 404 for a person who is not in the book.

    `why` is the reason if a posted change was refused; a refused name stays as typed.
    """
    people, form = _load_people(code), request.form
    if person not in people.standings:
        abort(404)
    name, is_renaming = people.names.get(person, ""), form.get("do") == "rename"
    matches = [match for match in reversed(people.matches) if person in match.people]
    return render_page(
        "people/name.html",
        access=load_book(code),
        people=people,
        person=person,
        name=name,
        typed=normalize_spaces(form.get("name", "")) if is_renaming else name,
        is_from_now=form.get("since") == "now",
        fault=why if is_renaming else "",
        refusal="" if is_renaming else why,
        joined=_names_joined_to(people, person),
        others=[who for who, _ in sort_by_total(people.standings) if who != person and who in people.names],
        matches=[
            (match.uid, f"{day_and_venue_words(match.figures)}: {match.figures.title or match.figures.rules_name}")
            for match in matches[:MAX_ASSIGNABLE_MATCHES]
        ],
        done=request.args.get("done", ""),
    )


def _names_joined_to(people: BookPeople, person: str) -> list[tuple[str, str]]:
    """Return the uid and a name of each person who was joined directly to this one.

    The name is "Another name" if none is known.
    """
    book = people.book
    typed = {
        person_uid(book.uid, spelling): spelling
        for who, spelling in reversed(count_spellings(people.matches))
        if who == person
    }
    joined = book.people.people_joined_to(person)
    return [(uid, book.name_of(uid) or typed.get(uid, "Another name")) for uid in joined]


@bp.post("/names/<person>")
@for_owners
def change(code: str, person: str) -> Response:
    """Rename, join, separate or reassign a person, or delete or restore the name, as posted.

    Redirects to the page of the person who remains, if any, or else to the list of names. A refused change shows the
    page again, with the reason; 404 for an unknown person.
    """
    form, by, session, access = request.form, writer(), db.session, load_book(code)
    do, typed = form.get("do", ""), normalize_spaces(form.get("name", ""))
    since = today().isoformat() if form.get("since") == "now" else None
    remaining_person = form.get("into", "") if do == "join" else person
    if person not in _load_people(code).standings:
        drop_loaded_book()
        if not load_book(code).book.has_key(by.idempotency_key):  # this form, sent before, may have removed the person
            abort(404)
    changes: dict[str, Event | Callable[[BookAccess], Event]] = {
        "rename": lambda book: service.renaming_event(session, book, person, typed, since),
        "join": lambda book: service.joining_event(session, book, person, remaining_person),
        "part": PersonSeparated(person=form.get("joined", "")),
        "delete": NameDeleted(person=person),
        "restore": NameRestored(person=person),
        "other": lambda book: service.namesake_event(session, book, person, form.get("match", "")),
    }
    if do not in changes:
        abort(400)
    try:
        after = service.write_change_of_people(session, access, changes[do], by)
    except Refused as refused:
        return _show_name(code, person, str(refused))
    if remaining_person in service.load_people(db.session, after).standings:
        return redirect_to(".name", code=code, person=remaining_person, done=do)
    return redirect_to(".names", code=code, done=do)


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

    The list says what was `done`.
    """
    event = event_class(target=request.form.get("target", 0, type=int))
    service.write_change_of_people(db.session, load_book(code), event, writer())
    return redirect_to(".names", code=code, done=done)
