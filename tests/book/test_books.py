"""A phone's book: what begins one, what goes into it, who may write in it, and how its phones come and go."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import invite
from scorekeeper.access.links import MATCH_LINKS, device_digest
from scorekeeper.access.phones import end_link, give_role, reopen_link
from scorekeeper.access.roles import Link, LinkEnded
from scorekeeper.book import store as books
from scorekeeper.book.book_list import Search, find_matches, newest_matches
from scorekeeper.book.book_matches import (
    NO_BOOK,
    MatchMove,
    NotInBook,
    begin_book,
    count_and_list_unplaced,
    move_match,
    move_match_back,
    open_match,
    put_matches_in_one_book,
    put_matches_in_owners_books,
)
from scorekeeper.book.books import (
    BookAccess,
    book_of_id,
    books_of_device,
    join_book,
    load_book,
    write_book,
)
from scorekeeper.book.events import BookRenamed, MatchAdded, MatchRemoved, Redone, Undone
from scorekeeper.book.store import match_ids_of
from scorekeeper.club.nights.service import load_night
from scorekeeper.commands.installation import bring_up_to_date
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER, Event, NotAllowed, Refused
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import matches_of_device, record_visit
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.rules.library import Library
from tests.common.interleaving import after_read, before_first_write
from tests.common.match_actions import delete, rename, start_match
from tests.common.nights import store_night
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database

Start = Callable[..., Match]


@pytest.fixture
def start(begin: Begin, session: Session) -> Start:
    """Start a match on a phone, which then has it on its list."""

    def start(device: str = "ann", **overrides: object) -> Match:
        match = begin(device=device, **overrides)
        record_visit(session, device, match)
        return match

    return start


def own(session: Session, device: str = "ann") -> BookAccess:
    """Return the book that a phone opened last."""
    return books_of_device(session, device)[0]


def let_in(session: Session, device: str, role: str = WATCHER, by: str = "ann") -> Link:
    """Let a phone join another one's book."""
    return join_book(session, invite(session, own(session, by), role), device, device.title())


def uids(session: Session, device: str = "ann") -> tuple[str, ...]:
    """Return the matches in a phone's book."""
    return tuple(own(session, device).book.matches)


def opened(session: Session, link: Link, match: Match) -> str:
    """Open a match by a phone's link to its book, and return the code of the link that the phone has to the match."""
    return open_match(session, load_book(session, link.code), "bea", match.setup.uid)


def test_a_book_that_was_rolled_back_is_not_taken_for_the_next_one(session: Session) -> None:
    begun = begin_book(session, "ann", uid="rolled-back")
    assert book_of_id(session, begun.stream_id).uid == "rolled-back"
    session.rollback()
    begun = begin_book(session, "ann", uid="kept")

    assert book_of_id(session, begun.stream_id).uid == "kept"


def test_the_first_match_of_a_phone_begins_a_book_and_the_next_goes_into_it(session: Session, start: Start) -> None:
    first, second = start(), start()

    assert [
        (access.link.role, access.book.name, tuple(access.book.matches)) for access in books_of_device(session, "ann")
    ] == [(OWNER, "", (first.setup.uid, second.setup.uid))]
    assert match_ids_of(session, own(session).id) == [first.id, second.id]


def test_the_first_match_and_the_first_night_of_a_phone_at_once_begin_one_book(
    app: Flask, session: Session, library: Library
) -> None:
    def other_page() -> None:
        start_match(
            db.session, library, variant="partnership-pitch", players=[*"ABCD"], idempotency_key="m", device="ann"
        )

    with before_first_write(app, other_page):
        store_night(session, "ann")

    assert len(books_of_device(session, "ann")) == 1


def test_a_match_without_a_phone_goes_into_no_book(session: Session, begin: Begin) -> None:
    match = begin()

    assert books.book_id_of_match(session, match.id) is None
    assert count_and_list_unplaced(session, 5)[0] == 1


def test_a_match_can_be_kept_out_before_it_starts(session: Session, start: Start) -> None:
    match = start(book=NO_BOOK)
    put_matches_in_owners_books(session)

    assert books_of_device(session, "ann") == []
    assert books.book_id_of_match(session, match.id) is None
    assert count_and_list_unplaced(session, 5)[0] == 0


def test_a_guests_own_match_goes_to_the_guests_book(session: Session, start: Start) -> None:
    match = start()
    guest = match_phones.join_match(session, invite(session, match, SCORER), "bea", None)
    theirs = start("bea")

    assert guest.role == SCORER
    assert uids(session, "bea") == (theirs.setup.uid,)
    assert uids(session) == (match.setup.uid,)


def test_a_phone_in_several_books_puts_a_match_into_the_one_it_joined_last_whatever_it_opens(
    session: Session, start: Start
) -> None:
    start()
    start("bea")
    let_in(session, "bea", SCORER)
    into_anns = start("bea")
    (opened,) = [access for access in books_of_device(session, "bea") if access.link.is_owner]
    record_visit(session, "bea", opened)
    as_well = start("bea")

    assert uids(session)[1:] == (into_anns.setup.uid, as_well.setup.uid)


def test_a_book_that_a_phone_only_opened_takes_no_match_and_no_night_by_itself(session: Session, start: Start) -> None:
    strange = start()
    record_visit(session, "bea", own(session))
    night = store_night(session, "bea", title="Pitch night", rounds=1)
    mine = start("bea")

    assert load_night(session, night).setup.book_id == books.book_id_of_match(session, mine.id) != own(session).id
    assert uids(session) == (strange.setup.uid,)
    rights = [(access.is_chosen, access.link.may_score) for access in books_of_device(session, "bea")]
    assert rights == [(True, True), (False, True)]

    chosen, next_one = start("bea", book=own(session).code), start("bea")

    assert uids(session)[1:] == (chosen.setup.uid, next_one.setup.uid)


def test_the_book_is_chosen_before_the_start_and_is_the_last_one_then(session: Session, start: Start) -> None:
    start()
    start("bea")
    link = let_in(session, "bea", SCORER)
    (mine,) = [access.code for access in books_of_device(session, "bea") if access.link.is_owner]

    chosen, next_one = start("bea", book=mine), start("bea")

    assert uids(session, "bea")[-2:] == (chosen.setup.uid, next_one.setup.uid)
    assert start("bea", book=link.code).setup.uid in uids(session)


def test_whoever_only_watches_a_book_puts_no_match_into_it(session: Session, start: Start) -> None:
    start()
    link = let_in(session, "bea")
    match = start("bea")

    with pytest.raises(Refused, match="Choose again"):
        start("bea", book=link.code)
    assert match.setup.uid not in uids(session)
    assert len(books_of_device(session, "bea")) == 2


def test_phones_that_start_at_the_same_moment_all_get_into_the_book(
    app: Flask, session: Session, library: Library, start: Start
) -> None:
    start()
    for device in ("bea", "cal", "dan"):
        let_in(session, device, SCORER)

    def start_one(device: str) -> str:
        with app.app_context():
            return start_match(
                db.session,
                library,
                variant="partnership-pitch",
                idempotency_key=device,
                players=[*"ABCD"],
                device=device,
            ).setup.uid

    with ThreadPoolExecutor() as pool:
        started = set(pool.map(start_one, ("bea", "cal", "dan")))

    assert started < {*uids(session)}


def test_a_book_is_renamed_undone_and_redone(session: Session, start: Start) -> None:
    start()
    code = own(session).code
    named = write_book(session, code, BookRenamed(name="Thursdays"), Writer("a"))
    again = write_book(session, code, BookRenamed(name="Fridays"), Writer("a"))

    undone = write_book(session, code, Undone(target=named.book.version), Writer("b"))
    redone = write_book(session, code, Redone(target=undone.book.version), Writer("c"))

    names = [access.book.name for access in (named, again, undone, redone)]
    assert names == ["Thursdays", "Thursdays", "", "Thursdays"]
    with pytest.raises(Refused, match="changed since"):
        write_book(session, code, Undone(target=undone.book.version), Writer("d"))


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (MatchAdded(match="x"), NotAllowed),
        (MatchRemoved(match="x"), NotAllowed),
        (BookRenamed(name="x" * 61), Refused),
    ],
)
def test_no_link_to_a_book_takes_a_match_by_its_uid_or_a_name_that_is_too_long(
    session: Session, start: Start, event: Event, why: type[Exception]
) -> None:
    start()

    with pytest.raises(why):
        write_book(session, own(session).code, event, Writer("a"))


@pytest.mark.parametrize("role", [WATCHER, SCORER])
def test_a_phone_opens_a_match_of_the_book_by_a_link_of_its_own(session: Session, start: Start, role: str) -> None:
    match = start()
    link = let_in(session, "bea", role)

    code = opened(session, link, match)

    assert code != match.code
    assert load_match(session, code).link.role == role
    assert opened(session, link, match) == code
    assert [listed.setup.id for listed in matches_of_device(session, "bea")] == [match.id]


def test_a_match_of_another_book_is_not_opened(session: Session, start: Start) -> None:
    start()
    other = start("bea")

    for uid in (other.setup.uid, "nothing"):
        with pytest.raises(NotInBook):
            open_match(session, own(session), "ann", uid)


def test_a_phone_that_started_a_match_keeps_its_own_link(session: Session, start: Start) -> None:
    match = start()

    assert open_match(session, own(session), "ann", match.setup.uid) == match.code


def test_a_phone_that_is_removed_from_the_book_while_it_opens_a_match_does_not_get_it(
    app: Flask, session: Session, start: Start
) -> None:
    match, joined = start(), let_in(session, "bea")
    access = load_book(session, joined.code)

    with (
        before_first_write(app, lambda: end_link(db.session, own(db.session), joined.id, "ann")),
        pytest.raises(LinkEnded),
    ):
        open_match(session, access, "bea", match.setup.uid)

    assert MATCH_LINKS.link_of_last_visit(session, device_digest("bea"), match.id) is None


def test_removing_a_phone_ends_the_matches_that_it_got_by_the_book_and_no_others(
    session: Session, start: Start
) -> None:
    match, other = start(), start()
    own_link = match_phones.join_match(session, invite(session, other, WATCHER), "bea", None)
    link = let_in(session, "bea", SCORER)
    mine = start("bea")
    by_book = [opened(session, link, each) for each in (match, other)]
    assert by_book[1] != own_link.code

    end_link(session, own(session), link.id, "ann")

    with pytest.raises(LinkEnded):
        load_book(session, link.code)
    for code in by_book:
        with pytest.raises(LinkEnded):
            load_match(session, code)
    assert load_match(session, own_link.code).link.role == WATCHER
    assert load_match(session, mine.code).link.role == OWNER
    assert {listed.link.code for listed in matches_of_device(session, "bea")} == {own_link.code, mine.code}


def test_a_phone_that_is_let_in_again_has_its_matches_again(session: Session, start: Start) -> None:
    match, link = start(), let_in(session, "bea", SCORER)
    code = opened(session, link, match)
    end_link(session, own(session), link.id, "ann")

    reopen_link(session, own(session), link.id)
    assert load_match(session, code).link.role == SCORER

    end_link(session, own(session), link.id, "ann")
    again = let_in(session, "bea")
    assert (again.code, load_match(session, code).link.role) == (link.code, WATCHER)


def test_a_role_in_the_book_is_the_role_in_its_matches(session: Session, start: Start) -> None:
    match, link = start(), let_in(session, "bea")
    code = opened(session, link, match)

    for role in (SCORER, WATCHER):
        give_role(session, own(session), link.id, role)
        assert load_match(session, code).link.role == role


def test_a_match_keeps_an_owner_of_its_own(session: Session, start: Start) -> None:
    match, link = start(), let_in(session, "bea", SCORER)
    give_role(session, own(session), link.id, OWNER)
    code = opened(session, link, match)

    with pytest.raises(Refused, match="needs an owner"):
        end_link(session, load_match(session, code), match.link.id, "bea")


def test_an_invitation_to_a_match_does_not_make_what_came_by_the_book_its_own(session: Session, start: Start) -> None:
    match, link = start(), let_in(session, "bea", SCORER)
    by_book = opened(session, link, match)

    joined = match_phones.join_match(session, invite(session, match, WATCHER), "bea", None)
    end_link(session, own(session), link.id, "ann")

    assert (joined.role, joined.code == by_book) == (WATCHER, False)
    assert load_match(session, joined.code).link.role == WATCHER


def test_a_phone_that_was_removed_from_a_match_does_not_come_back_by_the_book(session: Session, start: Start) -> None:
    match = start()
    joined = match_phones.join_match(session, invite(session, match, SCORER), "bea", None)
    end_link(session, match, joined.id, "ann")

    assert opened(session, let_in(session, "bea", SCORER), match) == joined.code
    with pytest.raises(LinkEnded):
        load_match(session, joined.code)


def beside_another_book(session: Session, start: Start) -> tuple[Match, BookAccess, BookAccess]:
    """Start a match, and return it with another book that its phone may score in, and with its own."""
    match = start()
    start("bea")
    let_in(session, "ann", SCORER, by="bea")
    target, before = books_of_device(session, "ann")
    return match, target, before


def test_a_match_is_moved_and_moved_back_and_each_form_counts_once(session: Session, start: Start) -> None:
    match, target, before = beside_another_book(session, start)

    def matches_in(access: BookAccess) -> list[str]:
        return [*load_book(session, access.code).book.matches]

    moved = move_match(session, match, "ann", target.code, Writer("move"))
    assert moved
    assert (matches_in(target)[-1:], matches_in(before)) == ([match.setup.uid], [])
    assert books.book_id_of_match(session, match.id) == target.id
    assert move_match(session, match, "ann", target.code, Writer("again")) is None

    move_match_back(session, match, "ann", moved, Writer("back"))
    assert move_match(session, match, "ann", target.code, Writer("move")) is None
    move_match_back(session, match, "ann", moved, Writer("move"))
    assert matches_in(before) == [match.setup.uid]
    assert match.setup.uid not in matches_in(target)


def test_a_match_that_two_phones_move_at_once_is_in_one_book(app: Flask, session: Session, start: Start) -> None:
    match, target, before = beside_another_book(session, start)
    third = begin_book(session, device_digest("ann"))
    session.commit()

    with after_read(app, "book_match", lambda: move_match(db.session, match, "ann", third.code, Writer("other"))):
        move_match(session, match, "ann", target.code, Writer("mine"))

    found = [load_book(session, code) for code in (before.code, target.code, third.code)]
    assert [access.id for access in found if match.setup.uid in access.book.matches] == [
        books.book_id_of_match(session, match.id)
    ]


def test_a_form_that_moves_a_match_and_comes_twice_at_once_is_answered_alike(
    app: Flask, session: Session, start: Start
) -> None:
    match, target, before = beside_another_book(session, start)
    answers = list[MatchMove | None]()

    def move() -> None:
        answers.append(move_match(db.session, match, "ann", target.code, Writer("move"), shown_book_uid=before.uid))

    with after_read(app, "book_link", move):
        move()

    assert answers == [MatchMove(before.uid, "move")] * 2


def test_a_match_is_kept_out_and_put_back_even_into_a_book_that_the_phone_cannot_open(
    session: Session, start: Start
) -> None:
    match = start()
    moved = move_match(session, match, "nobody", NO_BOOK, Writer("out"))
    assert moved
    assert uids(session) == ()
    put_matches_in_owners_books(session)
    assert uids(session) == ()

    move_match_back(session, match, "nobody", moved, Writer("back"))
    assert uids(session) == (match.setup.uid,)


def test_nobody_puts_a_match_back_to_where_it_never_was(session: Session, start: Start) -> None:
    start()
    other = start("bea")
    moved = move_match(session, start(), "ann", NO_BOOK, Writer("out"))
    assert moved

    with pytest.raises(Refused, match="Choose again"):
        move_match_back(session, other, "bea", moved, Writer("steal"))
    with pytest.raises(Refused, match="Choose again"):
        move_match(session, other, "bea", own(session).code, Writer("guess"))


def test_a_phone_that_was_removed_from_a_book_puts_no_match_back_into_it(session: Session, start: Start) -> None:
    start()
    link = let_in(session, "bea", SCORER)
    match = start("bea")
    moved = move_match(session, match, "bea", NO_BOOK, Writer("out", "bea"))
    assert moved
    end_link(session, own(session), link.id, "ann")

    with pytest.raises(Refused, match="Choose again"):
        move_match_back(session, match, "bea", moved, Writer("back", "bea"))
    # Without its cookie it is another phone, which did not take the match out.
    with pytest.raises(Refused, match="Choose again"):
        move_match_back(session, match, "new", moved, Writer("again", "new"))
    assert match.setup.uid not in own(session).book.matches

    reopen_link(session, own(session), link.id)
    move_match_back(session, match, "bea", moved, Writer("last", "p1:bea"))
    assert match.setup.uid in own(session).book.matches


def test_a_start_puts_matches_from_before_books_into_a_book_of_the_phone_that_owns_them(
    app: Flask, session: Session, begin: Begin
) -> None:
    mine, again, lost = begin(), begin(), begin()
    for match in (mine, again):
        record_visit(session, "ann", match)
    guest = match_phones.join_match(session, invite(session, mine, SCORER), "bea", None)
    give_role(session, mine, guest.id, OWNER)
    session.rollback()

    bring_up_to_date(app)
    bring_up_to_date(app)

    assert uids(session) == (mine.setup.uid, again.setup.uid)
    assert books_of_device(session, "bea") == []
    assert (count_and_list_unplaced(session, 5)[0], count_and_list_unplaced(session, 5)[1][0].id) == (1, lost.id)


def test_the_host_puts_what_is_left_into_a_book(session: Session, begin: Begin) -> None:
    match = begin()

    book_id = put_matches_in_one_book(session)
    later = begin()
    assert put_matches_in_one_book(session, book_id) == book_id

    assert match_ids_of(session, book_id) == [match.id, later.id]
    assert count_and_list_unplaced(session, 5) == (0, [])


def test_a_search_finds_people_games_and_years(session: Session, start: Start) -> None:
    first = start(played_on=date(2025, 3, 1))
    start(players=["Eve", "Fay", "Gus", "Hal"])
    renamed = start(players=["Eve", "Fay", "Gus", "Ida"])
    rename(session, renamed.code, {"p4": "Joanna"})
    deleted = start()
    delete(session, deleted.code)

    def found(**criteria: str) -> int:
        return find_matches(session, [own(session)], Search(**criteria)).fit_count

    assert (found(), found(person="ann"), found(person="joanna"), found(person="ida")) == (3, 2, 1, 0)
    assert (found(year="2025"), found(variant="partnership-pitch"), found(variant="racehorse")) == (1, 3, 0)
    page = find_matches(session, [own(session)], Search())
    assert page.matches[-1].uid == first.setup.uid
    assert page.people[:3] == ("Eve", "Fay", "Gus")


def test_the_newest_matches_are_the_first_of_the_list(session: Session, start: Start) -> None:
    late, early, newest = start(), start(played_on=date(2025, 3, 1)), start()
    delete(session, start().code)

    listed = find_matches(session, [own(session)], Search(), device="ann").matches
    first = newest_matches(session, [own(session)], "ann", 3)

    assert [found.uid for found in listed] == [match.setup.uid for match in (newest, late, early)]
    assert [(found.uid, bool(found.listed_match.link.code)) for found in first] == [
        (found.uid, True) for found in listed[:2]
    ]


def test_a_long_list_has_pages(session: Session, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.book.book_list.PAGE_SIZE", 2)
    matches = [start() for _ in range(5)]

    last = find_matches(session, [own(session)], Search(), page=99)

    assert (last.page, last.page_count, last.fit_count) == (3, 3, 5)
    assert [match.uid for match in last.matches] == [matches[0].setup.uid]
