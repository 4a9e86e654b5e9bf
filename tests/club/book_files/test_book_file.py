"""A book taken along as one file and back: what would change is said first, nothing is lost, twice changes nothing."""

import gzip
import hashlib
import io
import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from scorekeeper.access.invitations import invite
from scorekeeper.access.links import device_digest
from scorekeeper.access.phones import give_role
from scorekeeper.book.book_list import Search, find_matches
from scorekeeper.book.book_matches import NO_BOOK, NotInBook, begin_book, move_match, open_match
from scorekeeper.book.books import BookAccess, books_of_device, join_book, load_book, write_book
from scorekeeper.book.events import (
    MatchAdded,
    NameDeleted,
    NameRestored,
    PeopleJoined,
    PersonRenamed,
)
from scorekeeper.book.store import BOOK_EVENTS, match_ids_of
from scorekeeper.club.book_files import service as book_file
from scorekeeper.club.book_files.file import BookFileRefused, NoBookFile
from scorekeeper.club.book_files.service import BookTaken, Imported, ImportPreview
from scorekeeper.club.figures import counting
from scorekeeper.club.figures.counting import write_hands, write_matches
from scorekeeper.club.figures.names import people_of, rename_person, write_of_people
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import SCORER, Event
from scorekeeper.matches import service
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import Deleted, HandAdded, PlayerSubstituted, RulesChanged, StoredEvent, renaming
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.files.import_run import Importer
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match, write
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.rules.library import Library
from tests.common import every_event, random_matches
from tests.common.hands import HAND, SET, THEIRS
from tests.common.importing import import_records
from tests.common.interleaving import cut_off_before
from tests.common.large_rules import RULES, TARGET
from tests.common.match_actions import start_match
from tests.common.pace import counted_calls
from tests.fuzz.costly import record as by_points

PHONE, OTHER = Importer("phone", "192.0.2.7"), Importer("other", "192.0.2.8")
pytestmark = pytest.mark.every_database


class Place:
    """A Scorekeeper with one book: what a phone does there."""

    def __init__(self, session: Session, library: Library) -> None:
        self.session, self.library, self.forms = session, library, iter(range(10**6))

    def key(self) -> str:
        return f"form-{next(self.forms)}"

    def start(self, title: str = "", **said: Any) -> Match:
        agreed: dict[str, Any] = {
            "variant": "partnership-pitch",
            "players": ["Ann", "Bo", "Cal", "Di"],
            "house": {"target": 300},
            "device": "phone",
            "title": title,
        }
        return start_match(self.session, self.library, idempotency_key=self.key(), **{**agreed, **said})

    def book(self, device: str = "phone") -> BookAccess:
        return books_of_device(self.session, device)[0]

    def code(self, title: str) -> str:
        """Return the phone's link to a match of its book."""
        access = self.book()
        setups = matches.setups(self.session, match_ids_of(self.session, access.id))
        [uid] = [it.uid for it in setups if it.title == title]
        return open_match(self.session, access, "phone", uid)

    def play(self, title: str, *hands: Any) -> Match:
        code = self.code(title)
        for hand in hands:
            write(self.session, code, HandAdded(hand=hand), Writer(self.key()), expected_version=None)
        return load_match(self.session, code)

    def file(self) -> io.BytesIO:
        file = io.BytesIO()
        book_file.write_file(self.session, self.book().id, file)
        return file

    def look(self, file: io.BytesIO) -> ImportPreview:
        found = books_of_device(self.session, "phone")
        return book_file.preview_import(self.session, found[0].id if found else None, file)

    def bring_in(self, file: io.BytesIO) -> Imported:
        found = books_of_device(self.session, "phone")
        link = found[0].link if found else None
        return book_file.import_book(self.session, file, link=link, importer=PHONE)

    def scores(self) -> dict[str, list[int]]:
        """Return the scores of every match of the book, by its title."""
        found = matches.setups(self.session, match_ids_of(self.session, self.book().id))
        codes = [open_match(self.session, self.book(), "phone", it.uid) for it in found]
        return {it.title: list(it.state.scores.values()) for it in (load_match(self.session, c) for c in codes)}

    def counts(self) -> list[int]:
        tables = ("match", "event", "book", "book_event", "book_match", "match_figures")
        return [self.session.execute(sa.text(f'SELECT count(*) FROM "{it}"')).scalar_one() for it in tables]

    def elsewhere(self) -> None:
        """Go to another Scorekeeper, where nothing is yet."""
        for it in ("match_figures", "book_match", "device_book", "link", "device_match", "book_link", "book_event"):
            self.session.execute(sa.text(f"DELETE FROM {it}"))
        for it in ("event", "ending", "book", "import_run", "match"):
            self.session.execute(sa.text(f'DELETE FROM "{it}"'))
        self.session.commit()
        service._cache.clear()
        counting._cache.clear()


@pytest.fixture
def place(session: Session, library: Library) -> Place:
    return Place(session, library)


NOW = datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC)


def say_everything(place: Place) -> None:
    """Write every kind of event into a match and into its book."""
    match = place.start("Everything")
    made = (HandAdded(hand=HAND), PlayerSubstituted(names={"p3": "Cleo"}), *every_event.EVENT_KINDS)
    events = [StoredEvent(seq, f"said-{seq}", NOW, "Bea’s phone", event) for seq, event in enumerate(made, 1)]
    MATCH_EVENTS.add(place.session, match.id, events)
    uid, access = match.setup.uid, place.book()
    # The match is taken out among them, and put in again after all.
    told = enumerate((*every_event.book_events(uid), MatchAdded(match=uid)), access.book.version + 1)
    said = [StoredEvent(seq, f"told-{seq}", NOW, "Bea’s phone", event) for seq, event in told]
    BOOK_EVENTS.add(place.session, access.id, said)
    place.session.commit()


def test_a_file_of_a_book_without_nights_is_byte_for_byte_what_it_was_before_there_were_any(place: Place) -> None:
    kept = (Path(__file__).parents[2] / "golden" / "book.jsonl").read_bytes()

    place.bring_in(io.BytesIO(kept))

    assert gzip.decompress(place.file().getvalue()) == kept


def lines_of(file: io.BytesIO, title: str) -> list[bytes]:
    """Return the lines of a match in a book's file."""
    lines = gzip.decompress(file.getvalue()).splitlines()
    [first] = [n for n, line in enumerate(lines) if json.loads(line).get("title") == title]
    return lines[first : first + 1 + int(json.loads(lines[first])["facts"])]


def test_every_kind_of_fact_comes_back_into_an_empty_place(place: Place) -> None:
    say_everything(place)
    file = place.file()

    place.elsewhere()
    place.bring_in(file)
    counts = place.counts()
    place.bring_in(file)

    assert place.file().getvalue() == file.getvalue()
    assert place.counts() == counts


def test_every_kind_of_fact_of_a_match_comes_into_another_book(place: Place) -> None:
    say_everything(place)
    file = place.file()
    place.elsewhere()
    place.start("Friday")

    place.bring_in(file)
    counts = place.counts()
    place.bring_in(file)

    assert lines_of(place.file(), "Everything") == lines_of(file, "Everything")
    assert place.counts() == counts


def names_of(place: Place) -> list[str]:
    """Return what everybody was called who sat at the book's one match, those of the beginning first."""
    [found] = matches.setups(place.session, match_ids_of(place.session, place.book().id))
    match = load_match(place.session, open_match(place.session, place.book(), "phone", found.uid))
    first, last = match.names_at(0), match.names
    seats = [seat.id for seat in match.setup.seats]
    return [*(first[seat] for seat in seats), *(last[seat] for seat in seats if last[seat] != first[seat])]


def names_in(match: Match) -> list[str]:
    """Return what everybody at the table is called now."""
    return [match.names_now[seat.id] for seat in match.setup.seats]


def test_a_book_in_which_everything_was_renamed_comes_back(place: Place) -> None:
    place.start("Friday", house={"target": 6})
    place.play("Friday", HAND)
    code = place.code("Friday")
    for change in (PlayerSubstituted(names={"p2": "Bea"}), renaming({"p4": "Dan", "s1": "Winners"}, "Saturday")):
        write(place.session, code, change, Writer(place.key()), expected_version=None)
    access = place.book()
    for name, other in (("Bo", "Bob"), ("Bea", "Beatrix"), ("Ann", "Anna")):
        person = access.book.person_named(name)
        rename_person(place.session, access, person, other, None, Writer(place.key()))
    file, called = place.file(), names_of(place)

    place.elsewhere()
    place.bring_in(file)

    assert names_of(place) == called
    assert called == ["Anna", "Bob", "Cal", "Dan", "Beatrix"]
    assert place.file().getvalue() == file.getvalue()


def test_no_link_and_no_key_that_leads_to_one_is_in_the_file(place: Place) -> None:
    match = place.start("Friday")
    place.play("Friday", HAND)
    text = gzip.decompress(place.file().getvalue()).decode()

    codes = place.session.execute(sa.text("SELECT code FROM link UNION SELECT code FROM book_link")).scalars().all()
    began = place.session.execute(sa.text('SELECT client_key FROM "match"')).scalar_one()

    assert match.code in codes
    assert not [code for code in codes if code in text]
    assert f'"{began}"' not in text


def changed_in_both(place: Place) -> io.BytesIO:
    """Return the file of a book whose match was changed there and here."""
    place.start("Friday")
    place.start("Sunday")
    place.play("Sunday", HAND)
    base = place.file()
    place.play("Sunday", SET)
    theirs = place.file()
    place.elsewhere()
    place.bring_in(base)
    place.play("Sunday", THEIRS)
    return theirs


def delete(place: Place) -> None:
    write(place.session, place.code("Sunday"), Deleted(), Writer(place.key()), expected_version=None)


def test_what_is_not_the_same_in_the_file_stays_as_it_is_and_is_named(place: Place) -> None:
    file = changed_in_both(place)
    place.play("Sunday", HAND)
    delete(place)
    stood, counts = place.scores(), place.counts()

    looked, done = place.look(file), place.bring_in(file)

    assert looked.counts == done.preview.counts == {"same": 1, "differs": 1}
    [sunday] = done.preview.skipped
    assert (sunday.name, sunday.here.hands, sunday.in_file.hands) == ("“Sunday”", 3, 2)
    assert (sunday.here.is_deleted, sunday.in_file.is_deleted) == (True, False)
    assert sunday.here.written_at
    assert sunday.in_file.written_at
    assert sunday.here.written_at > sunday.in_file.written_at
    assert (looked.changes_anything, looked.skips_anything) == (False, True)
    assert (place.scores(), place.counts()) == (stood, counts)


@pytest.mark.parametrize("is_longer_here", [True, False])
def test_a_match_that_only_goes_on_in_one_place_stays_as_it_is_too(place: Place, is_longer_here: bool) -> None:
    place.start("Friday")
    files = [place.file()]
    place.play("Friday", HAND)
    files.append(place.file())
    place.elsewhere()
    place.bring_in(files[is_longer_here])
    stood = place.scores()

    done = place.bring_in(files[not is_longer_here])

    assert [(it.name, it.here.hands, it.in_file.hands) for it in done.preview.skipped] == [
        ("“Friday”", int(is_longer_here), int(not is_longer_here))
    ]
    assert place.scores() == stood


def test_into_a_place_that_has_the_book_come_the_matches_that_are_missing(place: Place) -> None:
    file = changed_in_both(place)
    stood = place.scores()["Sunday"]
    place.start("Saturday")
    place.play("Saturday", HAND)
    mine = place.file()
    place.elsewhere()
    place.bring_in(file)
    theirs = place.scores()["Sunday"]

    done = place.bring_in(mine)

    assert done.preview.counts == {"new": 1, "same": 1, "differs": 1}
    assert place.scores() == {"Friday": [0, 0], "Sunday": theirs, "Saturday": [3, 1]}
    assert theirs != stood
    assert lines_of(place.file(), "Saturday") == lines_of(mine, "Saturday")


def test_another_books_matches_come_into_this_one(place: Place) -> None:
    place.start("Friday")
    file = place.file()
    place.elsewhere()
    place.start("Sunday")

    looked, done = place.look(file), place.bring_in(file)

    assert not looked.is_same_book
    assert looked.counts == done.preview.counts == {"new": 1}
    assert set(place.scores()) == {"Friday", "Sunday"}
    assert not place.look(file).changes_anything


def test_a_match_of_another_book_here_is_left_alone(place: Place) -> None:
    match = place.start("Friday")
    file = place.file()
    place.start("Sunday", device="other")
    other = place.book("other")
    stood = place.counts()

    looked = book_file.preview_import(place.session, other.id, file)
    book_file.import_book(place.session, file, link=other.link, importer=OTHER)

    assert (looked.counts["elsewhere"], looked.changes_anything) == (1, False)
    assert place.counts() == stood
    assert match_ids_of(place.session, place.book().id) == [match.id]


def test_a_file_opens_no_book_that_is_here(place: Place) -> None:
    place.start("Friday")
    file = place.file()

    with pytest.raises(BookTaken):
        book_file.import_book(place.session, file, importer=OTHER)

    assert books_of_device(place.session, "other") == []


def test_a_file_says_nothing_of_matches_that_it_does_not_have(place: Place) -> None:
    """Otherwise a file written by hand could put a stranger's match into a book."""
    stranger = place.start("Strange", device="other")
    place.start("Friday")
    lines = gzip.decompress(place.file().getvalue()).decode().splitlines()
    uid = next(json.loads(line) for line in lines if '"kind":"match"' in line)
    more = {**uid, "key": "more", "payload": {"v": 1, "match": stranger.setup.uid}}
    file = io.BytesIO("\n".join([lines[0], json.dumps(more), *lines[1:], ""]).encode())

    place.bring_in(file)

    assert stranger.setup.uid not in place.book().book.matches
    assert stranger.id not in match_ids_of(place.session, place.book().id)


def test_a_match_in_the_file_comes_in_even_if_the_file_took_it_out_of_the_book(place: Place) -> None:
    place.start("Friday")
    lines = gzip.decompress(place.file().getvalue()).decode().splitlines()
    said = next(json.loads(line) for line in lines if '"kind":"match"' in line)
    out = {**said, "kind": "match_removal", "key": "out"}
    file = io.BytesIO("\n".join([*lines[:2], json.dumps(out), *lines[2:], ""]).encode())
    place.elsewhere()

    place.bring_in(file)
    counts = place.counts()
    place.bring_in(file)

    assert place.book().book.matches == {said["payload"]["match"]: None}
    assert place.counts() == counts


def let_in(place: Place, role: str) -> BookAccess:
    """Let the other phone join the book, and return what it opens then."""
    link = join_book(place.session, invite(place.session, place.book(), SCORER), "other", "Other")
    give_role(place.session, place.book(), link.id, role)
    return load_book(place.session, link.code)


@pytest.mark.parametrize("is_early", [True, False])
def test_a_match_that_its_owner_keeps_out_of_the_book_stays_out_whatever_a_file_says(
    place: Place, is_early: bool
) -> None:
    place.start("Friday")
    let_in(place, SCORER)
    theirs = place.start("Strange", device="other")
    uid = theirs.setup.uid
    assert uid in place.book().book.matches
    early = place.file()
    move_match(place.session, theirs, "other", NO_BOOK, Writer("out"))
    lines = gzip.decompress((early if is_early else place.file()).getvalue()).decode().splitlines()
    said = next(json.loads(line) for line in lines if uid in line)
    told = sum('"kind":"match' in line for line in lines)
    file = io.BytesIO(
        "\n".join([*lines[: told + 1], json.dumps({**said, "key": "new"}), *lines[told + 1 :], ""]).encode()
    )
    stood = place.counts()

    looked = place.look(file)
    place.bring_in(file)

    assert not looked.changes_anything
    assert place.counts() == stood
    assert uid not in place.book().book.matches
    with pytest.raises(NotInBook):
        open_match(place.session, place.book(), "phone", uid)


def test_what_the_file_says_of_people_stays_outside_where_the_book_is_here(place: Place) -> None:
    place.start("Friday")
    base = place.file()
    write_book(place.session, place.book().code, PeopleJoined(person="a", into="b"), Writer("there"))
    theirs = place.file()
    place.elsewhere()
    place.bring_in(base)
    write_book(place.session, place.book().code, PeopleJoined(person="c", into="d"), Writer("here"))

    done = place.bring_in(theirs)

    assert (done.preview.skipped_changes, done.preview.changes_anything) == (1, False)
    assert [event.data for event in place.book().book.events][1:] == [PeopleJoined(person="c", into="d")]


def cut(place: Place, keep: Callable[[list[bytes]], bytes]) -> io.BytesIO:
    lines = gzip.decompress(place.file().getvalue()).splitlines(keepends=True)
    return io.BytesIO(gzip.compress(keep(lines)))


def test_a_file_that_stops_says_where(place: Place) -> None:
    place.start("Sunday")
    place.play("Sunday", HAND, SET, HAND)
    whole = place.file()
    files = {
        "in hand 2 of “Sunday”": cut(place, lambda lines: b"".join(lines[:-3])),
        "in hand 3 of “Sunday”": cut(place, lambda lines: b"".join(lines[:-2]) + lines[-2][:20]),
        "after “Sunday”": cut(place, lambda lines: b"".join(lines[:-1])),
        "before its first match": cut(place, lambda lines: b"".join(lines[:2])),
    }
    place.elsewhere()

    said = {}
    for where, file in files.items():
        with pytest.raises(BookFileRefused) as refused:
            place.bring_in(file)
        said[where] = str(refused.value)

    assert said == {where: f"This file stops {where}. Download the file again." for where in files}
    assert place.counts() == [0] * 6
    assert place.look(whole).counts["new"] == 1


@pytest.mark.parametrize("at", [30, 200, -6])
def test_a_packed_file_that_was_cut_or_damaged_is_refused(place: Place, at: int) -> None:
    place.start("Sunday")
    place.play("Sunday", HAND, SET, HAND)
    content = bytearray(place.file().getvalue())
    content[at] ^= 0xFF
    place.elsewhere()

    with pytest.raises(BookFileRefused):
        place.bring_in(io.BytesIO(bytes(content)))
    with pytest.raises(BookFileRefused):
        place.bring_in(io.BytesIO(bytes(content[: len(content) // 2])))

    assert place.counts() == [0] * 6


NO_BOOKS = [b"", b"\n", b"{}\n", b"[1]\n", b"hello", b'{"format": "pitch-record/1"}\n', b"\x1f\x8b"]


@pytest.mark.parametrize("content", NO_BOOKS)
def test_another_file_is_no_book(place: Place, content: bytes) -> None:
    with pytest.raises(NoBookFile, match="not a backup"):
        place.look(io.BytesIO(content))


def changed(place: Place, change: Callable[[dict[str, Any]], None]) -> io.BytesIO:
    """Return the file of a book after a change by hand to each of its lines."""
    lines = [json.loads(line) for line in gzip.decompress(place.file().getvalue()).splitlines()]
    for line in lines:
        change(line)
    return io.BytesIO("".join(f"{json.dumps(line)}\n" for line in lines).encode())


@contextmanager
def elsewhere(place: Place) -> Iterator[None]:
    place.elsewhere()
    yield
    assert place.counts() == [0] * 6


NEWER: dict[str, Callable[[dict[str, Any]], None]] = {
    "another format": lambda line: line.update({"format": "pitch-book/3"} if "format" in line else {}),
    "a fact of a later version": lambda line: line.get("payload", {}).update(v=2) if "payload" in line else None,
    "a fact of an unknown kind": lambda line: line.update({"kind": "wager"} if "kind" in line else {}),
}


@pytest.mark.parametrize("name", NEWER)
def test_a_file_of_a_newer_version_says_so(place: Place, name: str) -> None:
    place.start("Sunday")
    place.play("Sunday", HAND)
    file = changed(place, NEWER[name])

    with elsewhere(place), pytest.raises(BookFileRefused, match=r"newer Scorekeeper\. Update this one first"):
        place.bring_in(file)


def _on(found: str, /, **more: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line.update(more) if found in line else None


def _in_hand(**more: Any) -> Callable[[dict[str, Any]], None]:
    return lambda line: line["payload"]["hand"].update(more) if "hand" in line.get("payload", {}) else None


def _of_nobody(line: dict[str, Any]) -> None:
    if line.get("kind") == "hand":
        line.update(kind="rename", payload={"v": 1, "names": {}, "by_book": True, "left": {"p1/1": "Eve"}})


BY_HAND: dict[str, Callable[[dict[str, Any]], None]] = {
    "a name for somebody who never left": _of_nobody,
    "a stranger bids": _in_hand(bidder="zz"),
    "a hand with an unknown key": _in_hand(trick=1),
    "a moment that is none": _on("kind", at="yesterday"),
    "a moment without a zone": _on("kind", at="2026-11-20T18:20:00"),
    "a key that is none": _on("kind", key=""),
    "keys that are alike": _on("kind", key="same"),
    "a name that cannot be shown": _on("seats", title="a\u202eb"),
    "no seats": _on("seats", seats=[]),
    "two seats of one name": _on("seats", seats=[{"id": f"p{i}", "name": "Ann"} for i in range(1, 5)]),
    "a side of strangers": _on("seats", sides=[{"id": "s1", "seats": ["p9"]}, {"id": "s2", "seats": ["p2"]}]),
    "one side": _on("seats", sides=[{"id": "s1", "seats": ["p1", "p2", "p3", "p4"]}]),
    "rules that are not there": _on("seats", rules="0" * 64),
    "rules of another digest": _on("text", text="{}"),
    "a dealer who is not there": _on("seats", first_dealer="p7"),
    "a uid that is none": _on("seats", match="../../x"),
    "another number of matches": _on("end", end=7),
    "too few facts": _on("seats", events=0),
    "an unknown key": _on("seats", link="abc"),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_file_that_was_changed_by_hand_is_refused(place: Place, name: str) -> None:
    place.start("Sunday")
    place.play("Sunday", HAND, SET)
    file = changed(place, BY_HAND[name])

    with elsewhere(place), pytest.raises(BookFileRefused):
        place.bring_in(file)


def with_rules(place: Place, change: Callable[[dict[str, Any]], None]) -> io.BytesIO:
    """Return the file of a book after a change by hand to its rules, under the digest that they have then."""
    digests: dict[str, str] = {}

    def rewrite(line: dict[str, Any]) -> None:
        if "text" in line:
            rules = json.loads(line["text"])
            change(rules)
            line["text"] = json.dumps(rules)
            was, line["rules"] = line["rules"], hashlib.sha256(line["text"].encode()).hexdigest()
            digests[was] = line["rules"]
        elif "rules" in line:
            line["rules"] = digests[line["rules"]]

    return changed(place, rewrite)


BEYOND: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "too many players": (
        lambda rules: rules["table"].update(fewest=2, most=3_000_000),
        "text.table.most: Input should be less than or equal to 10. Found 3000000.",
    ),
    "too many awards": (
        lambda rules: rules["awards"].update({f"a{i}": rules["awards"]["high"] for i in range(99)}),
        "text.awards: Dictionary should have at most 44 items",
    ),
    "a sentence that grows": (
        lambda rules: rules.update(sheet={"sentences": {"bid.own": {"text": "{target:>2000000000}"}}}),
        "text.sheet.sentences.bid.own.text: String should match",
    ),
    "too long rules": (lambda rules: rules.update(notes=["x" * 40_000]), "text: This has "),
}


@pytest.mark.parametrize("name", BEYOND)
def test_rules_beyond_all_bounds_are_refused_at_once(place: Place, name: str) -> None:
    place.start("Sunday")
    change, said = BEYOND[name]
    file = with_rules(place, change)

    with elsewhere(place):
        tracemalloc.start()
        with pytest.raises(BookFileRefused) as refused, counted_calls() as count:
            place.bring_in(file)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert said in str(refused.value)
    assert str(refused.value).startswith("Line ")
    assert str(refused.value).endswith(" Download the file again.")
    assert count.calls < 50_000
    assert peak < 10 * 1024**2


@pytest.mark.parametrize("house", ['{"low":1e999}', '{"low":"\\ud800"}', '{"\\ud800":1}', '{"low":"\\u0000"}'])
@pytest.mark.parametrize("before", ['"house":', '"v":1,"house":'])
def test_what_no_file_could_say_again_is_refused(place: Place, house: str, before: str) -> None:
    """Otherwise the next file of the book could not be written, or not be read."""
    place.start("Sunday")
    write(
        place.session, place.code("Sunday"), RulesChanged(house={"target": 300}), Writer("rules"), expected_version=None
    )
    text, is_house = gzip.decompress(place.file().getvalue()).decode(), f'{before}{{"target":300}}'
    assert is_house in text
    file = io.BytesIO(text.replace(is_house, before + house).encode())

    with elsewhere(place), pytest.raises(BookFileRefused):
        place.bring_in(file)


def test_an_import_that_stops_in_the_middle_leaves_nothing(place: Place) -> None:
    for n in range(4):
        place.start(f"Match {n}")
        place.play(f"Match {n}", HAND)
    file = place.file()

    with elsewhere(place):
        with cut_off_before("INSERT INTO book_match"):
            place.bring_in(file)
        place.session.rollback()
    assert place.bring_in(file).preview.counts["new"] == 4


def test_more_than_a_phone_may_send_is_imported_by_a_command(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.start("Friday")
    place.play("Friday", HAND, HAND)
    file = place.file()
    monkeypatch.setattr(book_file, "MAX_FROM_A_PHONE", 1)

    with elsewhere(place), pytest.raises(BookFileRefused, match="scorekeeper books import FILE"):
        book_file.preview_import(place.session, None, file, is_from_phone=True)
    assert book_file.import_book(place.session, file).preview.counts["new"] == 1


def test_names_that_an_import_was_broken_off_before_are_written_by_the_next(place: Place) -> None:
    match, book = place.start("Friday"), place.book().book
    renamed = PersonRenamed(person=book.person_named("Ann"), name="Anna")
    write_book(place.session, place.book().code, renamed, Writer("name"))

    place.bring_in(place.file())

    assert load_match(place.session, match.code).name("p1") == "Anna"


def say(place: Place, name: str, event: Callable[[str], Event]) -> None:
    """Say something of the person of a name in the place's book."""
    access = place.book()
    write_of_people(place.session, access, event(access.book.person_named(name)), Writer(place.key()))


def grown_apart(place: Place, here: Callable[[], object], there: Callable[[], object]) -> io.BytesIO:
    """Let two places go on from one book, and return the file of the other one."""
    base = place.file()
    there()
    theirs = place.file()
    place.elsewhere()
    place.bring_in(base)
    here()
    return theirs


def test_a_name_that_the_book_changed_makes_no_match_another_one(place: Place) -> None:
    place.start("Friday")
    place.play("Friday", HAND)

    def there() -> None:
        say(place, "Bo", lambda bo: PersonRenamed(person=bo, name="Bob"))

    theirs = grown_apart(place, lambda: say(place, "Ann", lambda ann: PersonRenamed(person=ann, name="Anna")), there)

    assert place.look(theirs).counts == {"same": 1}
    place.bring_in(theirs)
    assert names_in(place.play("Friday")) == ["Anna", "Bo", "Cal", "Di"]


def test_names_joined_and_deleted_here_reach_matches_that_were_only_there(place: Place) -> None:
    place.start("Friday", house={"target": 4})

    def here() -> None:
        place.play("Friday", HAND, HAND)
        place.start("Saturday", house={"target": 4}, players=["Annie", "Bo", "Cal", "Di"])
        place.play("Saturday", HAND, HAND)
        say(place, "Ann", lambda ann: PersonRenamed(person=ann, name="Anna"))
        into = place.book().book.person_named("Ann")
        say(place, "Annie", lambda annie: PeopleJoined(person=annie, into=into))
        say(place, "Di", lambda di: NameDeleted(person=di))

    def there() -> None:
        place.start("Sunday", house={"target": 4}, players=["Annie", "Bo", "Cal", "Di"])
        place.play("Sunday", HAND, HAND)
        place.start("Monday")

    theirs = grown_apart(place, here, there)
    place.bring_in(theirs)

    assert names_in(place.play("Saturday")) == names_in(place.play("Sunday")) == ["Anna", "Bo", "Cal", "Player 4"]
    assert names_in(place.play("Monday")) == ["Anna", "Bo", "Cal", "Player 4"]
    say(place, "Di", lambda di: NameRestored(person=di))
    assert names_in(place.play("Sunday"))[3] == "Di"


def test_a_deleted_name_gives_way_to_a_number_that_nobody_has(place: Place) -> None:
    place.start("Friday", players=["Player 2", "Bo", "Cal", "Di"])

    say(place, "Bo", lambda bo: NameDeleted(person=bo))

    assert names_in(place.play("Friday")) == ["Player 2", "Player 1", "Cal", "Di"]


@pytest.mark.parametrize("is_moved", [True, False])
def test_a_deleted_name_is_nowhere_in_a_match_that_went_elsewhere(place: Place, is_moved: bool) -> None:
    sides = [{"name": "Zoë & Cal", "players": ["Zoë", "Cal"]}, {"name": "Bo & Di", "players": ["Bo", "Di"]}]
    record: dict[str, Any] = {"format": "pitch-record/1", "variant": "partnership-pitch", "sides": sides, "hands": []}
    record |= {"title": "Friday", "house": {"target": 4}}
    place.start("Sunday")
    import_records(place.session, place.library, [record], importer=PHONE)
    place.play("Friday", HAND)
    for change in (renaming({"p1": "Zoey"}), PlayerSubstituted(names={"p1": "Eva"}), HandAdded(hand=HAND)):
        write(place.session, place.code("Friday"), change, Writer(place.key()), expected_version=None)
    say(place, "Zoey", lambda zoe: NameDeleted(person=zoe))
    match = place.play("Friday")
    uid, scores = match.setup.uid, match.state.scores
    assert b"Zo\xc3\xabe" not in gzip.decompress(place.file().getvalue())
    assert b"Zo\xc3\xab" in gzip.decompress(place.file().getvalue()), "here the name can be restored"
    if is_moved:
        other = begin_book(place.session, device_digest("phone"), place.key())
        place.session.commit()
        move_match(place.session, match, "phone", other.code, Writer(place.key()))
    else:
        file = place.file()
        place.elsewhere()
        place.start("Monday")
        place.bring_in(file)

    access, text = place.book(), io.BytesIO()
    assert uid in access.book.matches
    book_file.write_file(place.session, access.id, text)
    said = [gzip.decompress(text.getvalue()).decode()]
    for write_csv in (write_hands, write_matches):
        table = io.BytesIO()
        write_csv(place.session, access.id, table)
        said.append(table.getvalue().decode())
    code = open_match(place.session, access, "phone", uid)
    said.append(json.dumps(export_match(place.session, place.library, code), ensure_ascii=False))
    logged = load_match(place.session, code).without_deleted_names()
    said += [logged.setup.seats[0].name, *(f"{it.data}" for it in logged.log.events)]
    people = people_of(place.session, access)
    said += [*people.names.values(), *find_matches(place.session, [access], Search()).people]

    assert [text for text in said if "Zoë" in text or "Zoey" in text] == []
    assert sorted(people.names.values()) == ["Bo", "Cal", "Di", "Eva"]
    assert {*people.standings} == {*people.names}

    place.elsewhere()
    place.bring_in(text)
    assert [*place.play("Friday").state.scores.values()] == [*scores.values()]
    assert not place.look(text).changes_anything


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(data=st.data())
def test_any_book_comes_back_as_it_was_and_twice_changes_nothing(place: Place, data: st.DataObject) -> None:
    place.elsewhere()
    records = data.draw(st.lists(random_matches.records(place.library), min_size=1, max_size=3))
    import_records(place.session, place.library, records, importer=PHONE)
    file, stood = place.file(), place.scores()

    place.elsewhere()
    place.bring_in(file)
    counts = place.counts()
    place.bring_in(file)

    assert place.counts() == counts
    assert gzip.decompress(place.file().getvalue()).splitlines() == gzip.decompress(file.getvalue()).splitlines()
    assert place.file().getvalue() == file.getvalue()
    assert place.scores() == stood


def test_a_file_of_matches_that_take_long_to_tell_costs_no_more_than_a_few_of_them(place: Place) -> None:
    costly = by_points(RULES[2], 1, TARGET - 2)
    for _ in range(12):
        import_records(place.session, place.library, [costly], importer=PHONE)
    file = place.file()

    with elsewhere(place):
        with counted_calls() as count, pytest.raises(BookFileRefused, match="by points alone to check"):
            place.bring_in(file)
        shown = books_of_device(place.session, "phone")

    assert count.calls < 4_000_000
    assert not shown
