"""A book taken along as one file and back: what would change is said first, nothing is lost, twice changes nothing."""

import gzip
import hashlib
import io
import json
import tracemalloc
from collections.abc import Callable
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
from scorekeeper.book.book_list import Search, find_matches
from scorekeeper.book.book_matches import NO_BOOK, NotInBook, begin_book, move_match, open_match
from scorekeeper.book.books import BookAccess, books_of_device, join_book, write_book
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
from scorekeeper.club.figures.counting import write_hands, write_matches
from scorekeeper.club.figures.names import people_of, rename_person, write_of_people
from scorekeeper.eventlog.stream import SCORER, Event
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import (
    Change,
    Deleted,
    HandAdded,
    PlayerSubstituted,
    RulesChanged,
    StoredEvent,
    renaming,
)
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.files.import_run import Importer
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match, write
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.scoring.hand import Hand
from tests.common import every_event, random_matches
from tests.common.apps import empty
from tests.common.hands import HAND, SET, THEIRS
from tests.common.importing import import_records
from tests.common.interleaving import cut_off_before
from tests.common.large_rules import RULES, TARGET
from tests.common.library import LIBRARY
from tests.common.match_actions import by
from tests.common.pace import counted_calls
from tests.fuzz.costly import record as by_points
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database


class Place:
    """A Scorekeeper with one book: what a phone does there."""

    def __init__(self, session: Session, begin: Begin) -> None:
        self.session, self.begin = session, begin

    def start(self, title: str, device: str = "phone", **agreed: Any) -> Match:
        return self.begin(device=device, title=title, **agreed)

    def import_records(self, *records: Any) -> None:
        import_records(self.session, LIBRARY, records, importer=Importer("phone", "192.0.2.7"))

    def book(self, device: str = "phone") -> BookAccess:
        return books_of_device(self.session, device)[0]

    def matches(self) -> dict[str, Match]:
        """Return the matches of the phone's book, by the titles that they began with."""
        access = self.book()
        setups = matches.setups(self.session, match_ids_of(self.session, access.id))
        codes = {setup.title: open_match(self.session, access, "phone", setup.uid) for setup in setups}
        return {title: load_match(self.session, code) for title, code in codes.items()}

    def write(self, title: str, *changes: Change) -> Match:
        """Write into a match of the phone's book."""
        match = self.matches()[title]
        for change in changes:
            match = write(self.session, match.code, change, by(), expected_version=None)
        return match

    def play(self, title: str, *hands: Any) -> Match:
        return self.write(title, *(HandAdded(hand=hand) for hand in hands))

    def say(self, name: str, event: Callable[[str], Event]) -> None:
        """Write in the book of the person of that name."""
        access = self.book()
        write_of_people(self.session, access, event(access.book.person_named(name)), by())

    def names(self, title: str) -> list[str]:
        """Return what everybody at a table is called now."""
        match = self.matches()[title]
        return [match.names_now[seat.id] for seat in match.setup.seats]

    def scores(self) -> dict[str, list[int]]:
        return {title: [*match.state.scores.values()] for title, match in self.matches().items()}

    def file(self) -> bytes:
        file = io.BytesIO()
        book_file.write_file(self.session, self.book().id, file)
        return file.getvalue()

    def lines(self) -> list[bytes]:
        return gzip.decompress(self.file()).splitlines(keepends=True)

    def look(self, file: bytes, device: str = "phone") -> ImportPreview:
        own = books_of_device(self.session, device)
        return book_file.preview_import(self.session, own[0].id if own else None, io.BytesIO(file))

    def bring_in(self, file: bytes, device: str = "phone") -> Imported:
        own = books_of_device(self.session, device)
        link, importer = own[0].link if own else None, Importer(device, "192.0.2.7")
        return book_file.import_book(self.session, io.BytesIO(file), link=link, importer=importer)

    def bring_in_twice(self, file: bytes) -> None:
        """Bring a file in, and once more, which changes nothing."""
        self.bring_in(file)
        counts = self.counts()
        self.bring_in(file)
        assert self.counts() == counts

    def counts(self) -> list[int]:
        tables = ("match", "event", "book", "book_event", "book_match", "match_figures")
        return [self.session.execute(sa.text(f'SELECT count(*) FROM "{table}"')).scalar_one() for table in tables]

    def elsewhere(self) -> None:
        """Go to another Scorekeeper, where nothing is yet."""
        empty(self.session)


@pytest.fixture
def place(session: Session, begin: Begin) -> Place:
    return Place(session, begin)


def say_everything(place: Place) -> None:
    """Write every kind of event into a match and into its book."""
    match = place.start("Everything")
    access = place.book()

    def stored(events: Any, first: int) -> list[StoredEvent]:
        at = datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC)
        return [StoredEvent(seq, f"said-{seq}", at, "Bea’s phone", event) for seq, event in enumerate(events, first)]

    made = (HandAdded(hand=HAND), PlayerSubstituted(names={"p3": "Cleo"}), *every_event.EVENT_KINDS)
    MATCH_EVENTS.add(place.session, match.id, stored(made, 1))
    # The match is taken out among them, and put in again after all.
    uid, version = match.setup.uid, access.book.version
    said = (*every_event.book_events(uid), MatchAdded(match=uid))
    BOOK_EVENTS.add(place.session, access.id, stored(said, version + 1))
    place.session.commit()


def test_a_file_of_a_book_without_nights_is_byte_for_byte_what_it_was_before_there_were_any(place: Place) -> None:
    kept = (Path(__file__).parents[2] / "golden" / "book.jsonl").read_bytes()

    place.bring_in(kept)

    assert b"".join(place.lines()) == kept


def lines_of(file: bytes, title: str) -> list[bytes]:
    """Return the lines of a match in a book's file."""
    lines = gzip.decompress(file).splitlines()
    [first] = [n for n, line in enumerate(lines) if json.loads(line).get("title") == title]
    return lines[first : first + 1 + int(json.loads(lines[first])["facts"])]


def test_every_kind_of_fact_comes_back_into_an_empty_place(place: Place) -> None:
    say_everything(place)
    file = place.file()

    place.elsewhere()
    place.bring_in_twice(file)

    assert place.file() == file


def test_every_kind_of_fact_of_a_match_comes_into_another_book(place: Place) -> None:
    say_everything(place)
    file = place.file()
    place.elsewhere()
    place.start("Friday")

    place.bring_in_twice(file)

    assert lines_of(place.file(), "Everything") == lines_of(file, "Everything")


def test_a_book_in_which_everything_was_renamed_comes_back(place: Place) -> None:
    place.start("Friday", house={"target": 6})
    changes = PlayerSubstituted(names={"p2": "Bea"}), renaming({"p4": "Dan", "s1": "Winners"}, "Saturday")
    place.write("Friday", HandAdded(hand=HAND), *changes)
    access = place.book()
    for name, other in (("Bo", "Bob"), ("Bea", "Beatrix"), ("Ann", "Anna")):
        rename_person(place.session, access, access.book.person_named(name), other, None, by())
    file, called = place.file(), place.matches()["Friday"].names

    place.elsewhere()
    place.bring_in(file)

    match = place.matches()["Friday"]
    assert match.names == called
    assert [match.names_at(0)["p2"], *place.names("Friday")] == ["Bob", "Anna", "Beatrix", "Cal", "Dan"]
    assert place.file() == file


def test_no_link_and_no_key_that_leads_to_one_is_in_the_file(place: Place) -> None:
    match = place.start("Friday")
    place.play("Friday", HAND)
    text = b"".join(place.lines()).decode()

    codes = place.session.execute(sa.text("SELECT code FROM link UNION SELECT code FROM book_link")).scalars().all()
    began = place.session.execute(sa.text('SELECT client_key FROM "match"')).scalar_one()

    assert match.code in codes
    assert not [code for code in codes if code in text]
    assert f'"{began}"' not in text


def grown_apart(place: Place, here: Callable[[], object], there: Callable[[], object]) -> bytes:
    """Let two places go on from one book, and return the file of the other one."""
    base = place.file()
    there()
    theirs = place.file()
    place.elsewhere()
    place.bring_in(base)
    here()
    return theirs


@pytest.mark.parametrize(
    ("here", "there", "is_deleted"),
    [([THEIRS, HAND], [SET], True), ([HAND], [], False), ([], [HAND], False)],
    ids=["changed in both", "goes on here", "goes on there"],
)
def test_what_is_not_the_same_in_the_file_stays_as_it_is_and_is_named(
    place: Place, here: list[Hand], there: list[Hand], is_deleted: bool
) -> None:
    place.start("Friday")
    place.start("Sunday")
    file = grown_apart(place, lambda: place.play("Sunday", *here), lambda: place.play("Sunday", *there))
    if is_deleted:
        place.write("Sunday", Deleted())
    stood, counts = place.scores(), place.counts()

    looked, done = place.look(file), place.bring_in(file)

    assert looked.counts == done.preview.counts == {"same": 1, "differs": 1}
    [sunday] = done.preview.skipped
    assert (sunday.name, sunday.here.hands, sunday.in_file.hands) == ("“Sunday”", len(here), len(there))
    assert (sunday.here.is_deleted, sunday.in_file.is_deleted) == (is_deleted, False)
    assert (looked.changes_anything, looked.skips_anything) == (False, True)
    assert (place.scores(), place.counts()) == (stood, counts)


def test_into_a_place_that_has_the_book_come_the_matches_that_are_missing(place: Place) -> None:
    place.start("Friday")
    place.start("Sunday")

    def there() -> None:
        place.play("Sunday", SET)
        place.start("Saturday")
        place.play("Saturday", HAND)

    file = grown_apart(place, lambda: place.play("Sunday", THEIRS), there)

    done = place.bring_in(file)

    assert done.preview.counts == {"new": 1, "same": 1, "differs": 1}
    assert place.scores() == {"Friday": [0, 0], "Sunday": [1, 2], "Saturday": [3, 1]}
    assert lines_of(place.file(), "Saturday") == lines_of(file, "Saturday")


def test_another_books_matches_come_into_this_one(place: Place) -> None:
    place.start("Friday")
    file = place.file()
    place.elsewhere()
    place.start("Sunday")

    looked, done = place.look(file), place.bring_in(file)

    assert not looked.is_same_book
    assert looked.counts == done.preview.counts == {"new": 1}
    assert {*place.matches()} == {"Friday", "Sunday"}
    assert not place.look(file).changes_anything


def test_a_match_of_another_book_here_is_left_alone(place: Place) -> None:
    place.start("Friday")
    file = place.file()
    place.start("Sunday", "other")
    stood = place.counts()

    looked, _ = place.look(file, "other"), place.bring_in(file, "other")

    assert (looked.counts["elsewhere"], looked.changes_anything) == (1, False)
    assert place.counts() == stood
    assert {*place.matches()} == {"Friday"}


def test_a_file_opens_no_book_that_is_here(place: Place) -> None:
    place.start("Friday")

    with pytest.raises(BookTaken):
        place.bring_in(place.file(), "other")

    assert books_of_device(place.session, "other") == []


def with_another(place: Place, uid: str = "", **said: Any) -> bytes:
    """Return the file of a book after what it says of a match was written by hand once more, with changes."""
    lines = place.lines()
    of_matches = [n for n, line in enumerate(lines) if b'"kind":"match' in line]
    first = next(json.loads(lines[n]) for n in of_matches if uid.encode() in lines[n])
    lines.insert(of_matches[-1] + 1, json.dumps({**first, "key": "more", **said}).encode() + b"\n")
    return b"".join(lines)


def test_a_file_says_nothing_of_matches_that_it_does_not_have(place: Place) -> None:
    """Otherwise a file written by hand could put a stranger's match into a book."""
    stranger = place.start("Strange", "other")
    place.start("Friday")

    place.bring_in(with_another(place, payload={"v": 1, "match": stranger.setup.uid}))

    assert stranger.setup.uid not in place.book().book.matches
    assert stranger.id not in match_ids_of(place.session, place.book().id)


def test_a_match_in_the_file_comes_in_even_if_the_file_took_it_out_of_the_book(place: Place) -> None:
    uid = place.start("Friday").setup.uid
    file = with_another(place, kind="match_removal")
    place.elsewhere()

    place.bring_in_twice(file)

    assert place.book().book.matches == {uid: None}


@pytest.mark.parametrize("is_early", [True, False])
def test_a_match_that_its_owner_keeps_out_of_the_book_stays_out_whatever_a_file_says(
    place: Place, is_early: bool
) -> None:
    place.start("Friday")
    join_book(place.session, invite(place.session, place.book(), SCORER), "other", "Other")
    theirs = place.start("Strange", "other")
    uid = theirs.setup.uid
    early = with_another(place, uid)
    move_match(place.session, theirs, "other", NO_BOOK, by())
    file = early if is_early else with_another(place, uid)
    stood = place.counts()

    looked, _ = place.look(file), place.bring_in(file)

    assert not looked.changes_anything
    assert place.counts() == stood
    assert uid not in place.book().book.matches
    with pytest.raises(NotInBook):
        open_match(place.session, place.book(), "phone", uid)


def test_what_the_file_says_of_people_stays_outside_where_the_book_is_here(place: Place) -> None:
    place.start("Friday")

    def joined(person: str, into: str) -> None:
        write_book(place.session, place.book().code, PeopleJoined(person=person, into=into), by())

    theirs = grown_apart(place, lambda: joined("c", "d"), lambda: joined("a", "b"))

    done = place.bring_in(theirs)

    assert (done.preview.skipped_changes, done.preview.changes_anything) == (1, False)
    assert [event.data for event in place.book().book.events][1:] == [PeopleJoined(person="c", into="d")]


def refused(place: Place, file: bytes) -> str:
    """Bring a file into an empty place, which refuses it and stays empty; return why."""
    place.elsewhere()
    with pytest.raises(BookFileRefused) as why:
        place.bring_in(file)
    assert place.counts() == [0] * 6
    return str(why.value)


@pytest.fixture
def lines(place: Place) -> list[bytes]:
    """Play three hands of a match, and return the lines of its book's file."""
    place.start("Sunday")
    place.write("Sunday", *(HandAdded(hand=hand) for hand in (HAND, SET, HAND)))
    return place.lines()


def test_a_file_that_stops_says_where(place: Place, lines: list[bytes]) -> None:
    files = {
        "in hand 2 of “Sunday”": lines[:-3],
        "in hand 3 of “Sunday”": [*lines[:-2], lines[-2][:20]],
        "after “Sunday”": lines[:-1],
        "before its first match": lines[:2],
    }

    said = {where: refused(place, gzip.compress(b"".join(file))) for where, file in files.items()}

    assert said == {where: f"This file stops {where}. Download the file again." for where in files}
    assert place.look(b"".join(lines)).counts["new"] == 1


@pytest.mark.parametrize("at", [30, 200, -6])
def test_a_packed_file_that_was_cut_or_damaged_is_refused(place: Place, lines: list[bytes], at: int) -> None:
    content = bytearray(gzip.compress(b"".join(lines)))
    content[at] ^= 0xFF

    refused(place, bytes(content))
    refused(place, bytes(content[: len(content) // 2]))


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[1]\n", b"hello", b'{"format": "pitch-record/1"}\n', b"\x1f\x8b"]
)
def test_another_file_is_no_book(place: Place, content: bytes) -> None:
    with pytest.raises(NoBookFile, match="not a backup"):
        place.look(content)


Line = dict[str, Any]


def changed(lines: list[bytes], change: Callable[[Line], None]) -> bytes:
    """Return a file after a change by hand to each of its lines."""
    read = [json.loads(line) for line in lines]
    for line in read:
        change(line)
    return "".join(f"{json.dumps(line)}\n" for line in read).encode()


def _on(found: str, /, **more: Any) -> Callable[[Line], None]:
    return lambda line: line.update(more) if found in line else None


def _in_hand(**more: Any) -> Callable[[Line], None]:
    return lambda line: line.get("payload", {}).get("hand", {}).update(more)


def _of_nobody(line: Line) -> None:
    if line.get("kind") == "hand":
        line.update(kind="rename", payload={"v": 1, "names": {}, "by_book": True, "left": {"p1/1": "Eve"}})


NEWER: dict[str, Callable[[Line], None]] = {
    "another format": _on("format", format="pitch-book/3"),
    "a fact of a later version": lambda line: line.get("payload", {}).update(v=2),
    "a fact of an unknown kind": _on("kind", kind="wager"),
}
BY_HAND: dict[str, Callable[[Line], None]] = {
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


@pytest.mark.parametrize("name", [*NEWER, *BY_HAND])
def test_a_file_that_was_changed_by_hand_or_is_of_a_newer_version_is_refused(
    place: Place, lines: list[bytes], name: str
) -> None:
    why = refused(place, changed(lines, (NEWER | BY_HAND)[name]))

    assert ("newer Scorekeeper. Update this one first" in why) == (name in NEWER)


def with_rules(lines: list[bytes], change: Callable[[Line], None]) -> bytes:
    """Return a file after a change by hand to its rules, under the digest that they have then."""
    digests: dict[str, str] = {}

    def rewrite(line: Line) -> None:
        if "text" in line:
            rules = json.loads(line["text"])
            change(rules)
            line["text"] = json.dumps(rules)
            was, line["rules"] = line["rules"], hashlib.sha256(line["text"].encode()).hexdigest()
            digests[was] = line["rules"]
        elif "rules" in line:
            line["rules"] = digests[line["rules"]]

    return changed(lines, rewrite)


BEYOND: dict[str, tuple[Callable[[Line], None], str]] = {
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
def test_rules_beyond_all_bounds_are_refused_at_once(place: Place, lines: list[bytes], name: str) -> None:
    change, said = BEYOND[name]
    file = with_rules(lines, change)

    tracemalloc.start()
    with counted_calls() as made:
        why = refused(place, file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert why.startswith("Line ")
    assert said in why
    assert why.endswith(" Download the file again.")
    assert made.calls < 50_000
    assert peak < 10 * 1024**2


@pytest.mark.parametrize("house", ['{"low":1e999}', '{"low":"\\ud800"}', '{"\\ud800":1}', '{"low":"\\u0000"}'])
@pytest.mark.parametrize("before", ['"house":', '"v":1,"house":'])
def test_what_no_file_could_say_again_is_refused(place: Place, house: str, before: str) -> None:
    """Otherwise the next file of the book could not be written, or not be read."""
    place.start("Sunday")
    place.write("Sunday", RulesChanged(house={"target": 300}))
    text, is_house = b"".join(place.lines()).decode(), f'{before}{{"target":300}}'
    assert is_house in text

    refused(place, text.replace(is_house, before + house).encode())


def test_an_import_that_stops_in_the_middle_leaves_nothing(place: Place) -> None:
    for n in range(4):
        place.start(f"Match {n}")
    file = place.file()
    place.elsewhere()

    with cut_off_before("INSERT INTO book_match"):
        place.bring_in(file)
    place.session.rollback()

    assert place.counts() == [0] * 6
    assert place.bring_in(file).preview.counts["new"] == 4


def test_more_than_a_phone_may_send_is_imported_by_a_command(
    place: Place, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_file, "MAX_FROM_A_PHONE", 1)
    file = io.BytesIO(b"".join(lines))
    place.elsewhere()

    with pytest.raises(BookFileRefused, match="scorekeeper books import FILE"):
        book_file.preview_import(place.session, None, file, is_from_phone=True)
    assert place.counts() == [0] * 6
    assert book_file.import_book(place.session, file).preview.counts["new"] == 1


def test_names_that_an_import_was_broken_off_before_are_written_by_the_next(place: Place) -> None:
    place.start("Friday")
    access = place.book()
    renamed = PersonRenamed(person=access.book.person_named("Ann"), name="Anna")
    write_book(place.session, access.code, renamed, by())

    place.bring_in(place.file())

    assert place.names("Friday")[0] == "Anna"


def test_a_name_that_the_book_changed_makes_no_match_another_one(place: Place) -> None:
    place.start("Friday")
    place.play("Friday", HAND)

    def rename(name: str, other: str) -> None:
        place.say(name, lambda person: PersonRenamed(person=person, name=other))

    theirs = grown_apart(place, lambda: rename("Ann", "Anna"), lambda: rename("Bo", "Bob"))

    assert place.look(theirs).counts == {"same": 1}
    place.bring_in(theirs)
    assert place.names("Friday") == ["Anna", "Bo", "Cal", "Di"]


def test_names_joined_and_deleted_here_reach_matches_that_were_only_there(place: Place) -> None:
    place.start("Friday")
    annie = ["Annie", "Bo", "Cal", "Di"]

    def here() -> None:
        place.start("Saturday", players=annie)
        place.say("Ann", lambda ann: PersonRenamed(person=ann, name="Anna"))
        into = place.book().book.person_named("Ann")
        place.say("Annie", lambda person: PeopleJoined(person=person, into=into))
        place.say("Di", lambda di: NameDeleted(person=di))

    def there() -> None:
        place.start("Sunday", players=annie)
        place.start("Monday")

    place.bring_in(grown_apart(place, here, there))

    assert [*map(place.names, ("Saturday", "Sunday", "Monday"))] == [["Anna", "Bo", "Cal", "Player 4"]] * 3
    place.say("Di", lambda di: NameRestored(person=di))
    assert place.names("Sunday")[3] == "Di"


@pytest.mark.parametrize("is_moved", [True, False])
def test_a_deleted_name_is_nowhere_in_a_match_that_went_elsewhere(place: Place, is_moved: bool) -> None:
    sides = [("Zoë & Cal", ["Zoë", "Cal"]), ("Bo & Di", ["Bo", "Di"])]
    place.start("Friday", players=None, sides=sides, house={"target": 4})
    changes = renaming({"p1": "Zoey"}), PlayerSubstituted(names={"p1": "Eva"})
    match = place.write("Friday", HandAdded(hand=HAND), *changes, HandAdded(hand=HAND))
    place.say("Zoey", lambda zoe: NameDeleted(person=zoe))
    assert "Zoë" in b"".join(place.lines()).decode(), "here the name can be restored"
    if is_moved:
        other = begin_book(place.session, device_digest("phone"), "other")
        place.session.commit()
        move_match(place.session, match, "phone", other.code, by())
    else:
        file = place.file()
        place.elsewhere()
        place.start("Monday")
        place.bring_in(file)

    access, moved = place.book(), place.matches()["Friday"]
    tables = io.BytesIO()
    write_hands(place.session, access.id, tables)
    write_matches(place.session, access.id, tables)
    logged, people = moved.without_deleted_names(), people_of(place.session, access)
    shown = [
        b"".join(place.lines()).decode(),
        tables.getvalue().decode(),
        str(export_match(place.session, LIBRARY, moved.code)),
        f"{logged.setup} {logged.log.events}",
        f"{people.names} {find_matches(place.session, [access], Search()).people}",
    ]
    assert [text for text in shown if "Zo" in text] == []
    assert sorted(people.names.values()) == ["Bo", "Cal", "Di", "Eva"]
    assert {*people.standings} == {*people.names}

    again = place.file()
    place.elsewhere()
    place.bring_in(again)
    assert place.scores()["Friday"] == [*match.state.scores.values()]
    assert not place.look(again).changes_anything


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(data=st.data())
def test_any_book_comes_back_as_it_was_and_twice_changes_nothing(place: Place, data: st.DataObject) -> None:
    place.elsewhere()
    place.import_records(*data.draw(st.lists(random_matches.records(LIBRARY), min_size=1, max_size=3)))
    lines, stood = place.lines(), place.scores()
    file = b"".join(lines)

    place.elsewhere()
    place.bring_in_twice(file)

    assert place.lines() == lines
    assert place.scores() == stood


def test_a_file_of_matches_that_take_long_to_tell_costs_no_more_than_a_few_of_them(place: Place) -> None:
    costly = by_points(RULES[2], 1, TARGET - 2)
    for _ in range(12):
        place.import_records(costly)
    file = place.file()

    with counted_calls() as made:
        why = refused(place, file)

    assert "by points alone to check" in why
    assert made.calls < 4_000_000
    assert books_of_device(place.session, "phone") == []
