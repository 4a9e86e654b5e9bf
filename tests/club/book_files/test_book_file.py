"""Export a book as one file and import it: preview first, lose nothing, and change nothing the second time."""

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
from scorekeeper.club.book_files.file import BookFileRefused, NotABookFile
from scorekeeper.club.book_files.service import BookTaken, ImportPreview, ImportResult
from scorekeeper.club.figures.counting import write_hands_csv, write_matches_csv
from scorekeeper.club.figures.names import load_people, write_change_of_people
from scorekeeper.eventlog.stream import SCORER, Event
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import (
    Change,
    Deleted,
    HandAdded,
    HandCorrected,
    PlayerSubstituted,
    RulesChanged,
    StoredEvent,
    rename_change,
)
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.files.import_run import Importer
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match, write_match
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.scoring.hand import Hand
from tests.common import every_event
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
from tests.pitch.scoring.strategies import records

pytestmark = pytest.mark.every_database


class Server:
    """A Scorekeeper server with one book, as a phone uses it."""

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
        setups = matches.setups_by_ids(self.session, match_ids_of(self.session, access.id))
        codes = {setup.title: open_match(self.session, access, "phone", setup.uid) for setup in setups}
        return {title: load_match(self.session, code) for title, code in codes.items()}

    def write(self, title: str, *changes: Change) -> Match:
        """Write into a match of the phone's book."""
        match = self.matches()[title]
        for change in changes:
            match = write_match(self.session, match.code, change, by(), expected_version=None)
        return match

    def play(self, title: str, *hands: Any) -> Match:
        return self.write(title, *(HandAdded(hand=hand) for hand in hands))

    def write_of_person(self, who: str, kind: Callable[..., Event], **fields: str) -> None:
        """Write an event about the person of that name into the book."""
        access = self.book()
        write_change_of_people(self.session, access, kind(person=access.book.person_named(who), **fields), by())

    def names(self, title: str) -> list[str]:
        """Return what everybody at a table is called now."""
        match = self.matches()[title]
        return [match.names_now[seat.id] for seat in match.setup.seats]

    def scores(self) -> dict[str, list[int]]:
        return {title: [*match.state.scores.values()] for title, match in self.matches().items()}

    def file(self) -> bytes:
        file = io.BytesIO()
        book_file.write_book_file(self.session, self.book().id, file)
        return file.getvalue()

    def lines(self) -> list[bytes]:
        return gzip.decompress(self.file()).splitlines(keepends=True)

    def preview(self, file: bytes, device: str = "phone") -> ImportPreview:
        own = books_of_device(self.session, device)
        return book_file.preview_import(self.session, own[0].id if own else None, io.BytesIO(file))

    def import_file(self, file: bytes, device: str = "phone") -> ImportResult:
        own = books_of_device(self.session, device)
        link, importer = own[0].link if own else None, Importer(device, "192.0.2.7")
        return book_file.import_book(self.session, io.BytesIO(file), link=link, importer=importer)

    def import_twice(self, file: bytes) -> None:
        """Import a file, and once more, which changes nothing."""
        self.import_file(file)
        counts = self.counts()
        self.import_file(file)
        assert self.counts() == counts

    def counts(self) -> list[int]:
        tables = ("match", "event", "book", "book_event", "book_match", "match_figures")
        return [self.session.execute(sa.text(f'SELECT count(*) FROM "{table}"')).scalar_one() for table in tables]

    def elsewhere(self) -> None:
        """Empty the database, which stands for going to another server."""
        empty(self.session)


@pytest.fixture
def server(session: Session, begin: Begin) -> Server:
    return Server(session, begin)


def write_every_event(server: Server) -> None:
    """Write every kind of event into a match and into its book."""
    match = server.start("Everything")
    access = server.book()

    def stored(events: Any, first: int) -> list[StoredEvent]:
        at = datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC)
        return [StoredEvent(seq, f"said-{seq}", at, "Bea’s phone", event) for seq, event in enumerate(events, first)]

    made = (HandAdded(hand=HAND), PlayerSubstituted(names={"p3": "Cleo"}), *every_event.EVENT_KINDS)
    MATCH_EVENTS.add(server.session, match.id, stored(made, 1))
    # One of these events takes the match out of the book; the last one puts it back.
    uid, version = match.setup.uid, access.book.version
    events = (*every_event.book_events(uid), MatchAdded(match=uid))
    BOOK_EVENTS.add(server.session, access.id, stored(events, version + 1))
    server.session.commit()


def test_a_file_of_a_book_without_nights_is_byte_for_byte_what_it_was_before_there_were_any(server: Server) -> None:
    kept = (Path(__file__).parents[2] / "golden" / "book.jsonl").read_bytes()

    server.import_file(kept)

    assert b"".join(server.lines()) == kept


def lines_of(file: bytes, title: str) -> list[bytes]:
    """Return the lines of a match in a book's file."""
    lines = gzip.decompress(file).splitlines()
    [first] = [n for n, line in enumerate(lines) if json.loads(line).get("title") == title]
    return lines[first : first + 1 + int(json.loads(lines[first])["facts"])]


def test_every_kind_of_event_is_imported_into_an_empty_server(server: Server) -> None:
    write_every_event(server)
    file = server.file()

    server.elsewhere()
    server.import_twice(file)

    assert server.file() == file


def test_a_match_with_every_kind_of_event_is_imported_into_another_book(server: Server) -> None:
    write_every_event(server)
    file = server.file()
    server.elsewhere()
    server.start("Friday")

    preview = server.preview(file)
    server.import_twice(file)

    assert (preview.is_same_book, preview.counts_by_status) == (False, {"new": 1})
    assert lines_of(server.file(), "Everything") == lines_of(file, "Everything")


def test_a_book_in_which_everything_was_renamed_comes_back(server: Server) -> None:
    server.start("Friday", house={"target": 6})
    changes = PlayerSubstituted(names={"p2": "Bea"}), rename_change({"p4": "Dan", "s1": "Winners"}, "Saturday")
    server.write("Friday", HandAdded(hand=HAND), *changes)
    for name, other in (("Bo", "Bob"), ("Bea", "Beatrix"), ("Ann", "Anna")):
        server.write_of_person(name, PersonRenamed, name=other)
    file, called = server.file(), server.matches()["Friday"].names

    server.elsewhere()
    server.import_file(file)

    match = server.matches()["Friday"]
    assert match.names == called
    assert [match.names_at(0)["p2"], *server.names("Friday")] == ["Bob", "Anna", "Beatrix", "Cal", "Dan"]
    assert server.file() == file


def test_no_link_and_no_key_that_leads_to_one_is_in_the_file(server: Server) -> None:
    match = server.start("Friday")
    server.play("Friday", HAND)
    text = b"".join(server.lines()).decode()

    codes = server.session.execute(sa.text("SELECT code FROM link UNION SELECT code FROM book_link")).scalars().all()
    began = server.session.execute(sa.text('SELECT client_key FROM "match"')).scalar_one()

    assert match.code in codes
    assert not [code for code in codes if code in text]
    assert f'"{began}"' not in text


def diverge(server: Server, here: Callable[[], object], elsewhere: Callable[[], object]) -> bytes:
    """Let a book change on two servers, and return the file of the other one."""
    base = server.file()
    elsewhere()
    theirs = server.file()
    server.elsewhere()
    server.import_file(base)
    here()
    return theirs


@pytest.mark.parametrize(
    ("here", "elsewhere", "words"),
    [
        ([THEIRS, HAND], [SET], ("deleted, 2 hands", "1 hand")),
        ([HAND], [], ("1 hand", "0 hands")),
        ([], [HAND], ("0 hands", "1 hand")),
    ],
    ids=["changed in both", "goes on here", "goes on there"],
)
def test_what_is_not_the_same_in_the_file_stays_as_it_is_and_is_named(
    server: Server, here: list[Hand], elsewhere: list[Hand], words: tuple[str, str]
) -> None:
    server.start("Friday")
    server.start("Sunday")
    file = diverge(server, lambda: server.play("Sunday", *here), lambda: server.play("Sunday", *elsewhere))
    if words[0].startswith("deleted"):
        server.write("Sunday", Deleted())
    stood, counts = server.scores(), server.counts()

    preview, done = server.preview(file), server.import_file(file)

    assert preview.counts_by_status == done.preview.counts_by_status == {"same": 1, "differs": 1}
    [sunday] = done.preview.skipped_matches
    assert (sunday.name, sunday.copy_here.size_words, sunday.copy_in_file.size_words) == ("“Sunday”", *words)
    assert (preview.changes_anything, preview.skips_anything) == (False, True)
    assert (server.scores(), server.counts()) == (stood, counts)


def test_matches_that_are_missing_are_imported_into_the_same_book(server: Server) -> None:
    server.start("Friday")
    server.start("Sunday")

    def play_elsewhere() -> None:
        server.play("Sunday", SET)
        server.start("Saturday")
        server.play("Saturday", HAND)

    file = diverge(server, lambda: server.play("Sunday", THEIRS), play_elsewhere)

    done = server.import_file(file)

    assert done.preview.counts_by_status == {"new": 1, "same": 1, "differs": 1}
    assert server.scores() == {"Friday": [0, 0], "Sunday": [1, 2], "Saturday": [3, 1]}
    assert lines_of(server.file(), "Saturday") == lines_of(file, "Saturday")


def test_a_match_of_another_book_here_is_left_alone(server: Server) -> None:
    server.start("Friday")
    file = server.file()
    server.start("Sunday", "other")
    stood = server.counts()

    preview, _ = server.preview(file, "other"), server.import_file(file, "other")

    assert (preview.counts_by_status["elsewhere"], preview.changes_anything) == (1, False)
    assert server.counts() == stood
    assert {*server.matches()} == {"Friday"}


def test_a_file_opens_no_book_that_is_here(server: Server) -> None:
    server.start("Friday")

    with pytest.raises(BookTaken):
        server.import_file(server.file(), "other")

    assert books_of_device(server.session, "other") == []


def with_another(server: Server, uid: str = "", **fields: Any) -> bytes:
    """Return the file of a book with a second event about a match, written by hand with these fields."""
    lines = server.lines()
    of_matches = [n for n, line in enumerate(lines) if b'"kind":"match' in line]
    first = next(json.loads(lines[n]) for n in of_matches if uid.encode() in lines[n])
    lines.insert(of_matches[-1] + 1, json.dumps({**first, "key": "more", **fields}).encode() + b"\n")
    return b"".join(lines)


def test_a_file_says_nothing_of_matches_that_it_does_not_have(server: Server) -> None:
    """Otherwise a file written by hand could put a stranger's match into a book."""
    stranger = server.start("Strange", "other")
    server.start("Friday")

    server.import_file(with_another(server, payload={"v": 1, "match": stranger.setup.uid}))

    assert stranger.setup.uid not in server.book().book.matches
    assert stranger.id not in match_ids_of(server.session, server.book().id)


def test_a_match_in_the_file_comes_in_even_if_the_file_took_it_out_of_the_book(server: Server) -> None:
    uid = server.start("Friday").setup.uid
    file = with_another(server, kind="match_removal")
    server.elsewhere()

    server.import_twice(file)

    assert server.book().book.matches == {uid: None}


@pytest.mark.parametrize("is_early", [True, False])
def test_a_match_that_its_owner_keeps_out_of_the_book_stays_out_whatever_a_file_says(
    server: Server, is_early: bool
) -> None:
    server.start("Friday")
    join_book(server.session, invite(server.session, server.book(), SCORER), "other", "Other")
    theirs = server.start("Strange", "other")
    uid = theirs.setup.uid
    early = with_another(server, uid)
    move_match(server.session, theirs, "other", NO_BOOK, by())
    file = early if is_early else with_another(server, uid)
    stood = server.counts()

    preview, _ = server.preview(file), server.import_file(file)

    assert not preview.changes_anything
    assert server.counts() == stood
    assert uid not in server.book().book.matches
    with pytest.raises(NotInBook):
        open_match(server.session, server.book(), "phone", uid)


def test_what_the_file_says_of_people_stays_outside_where_the_book_is_here(server: Server) -> None:
    server.start("Friday")

    def joined(person: str, into: str) -> None:
        write_book(server.session, server.book().code, PeopleJoined(person=person, into=into), by())

    theirs = diverge(server, lambda: joined("c", "d"), lambda: joined("a", "b"))

    done = server.import_file(theirs)

    assert (done.preview.skipped_change_count, done.preview.changes_anything) == (1, False)
    assert [event.data for event in server.book().book.events][1:] == [PeopleJoined(person="c", into="d")]


def refused(server: Server, file: bytes) -> str:
    """Import a file into an empty server, which refuses it and stays empty; return the reason."""
    server.elsewhere()
    with pytest.raises(BookFileRefused) as why:
        server.import_file(file)
    assert server.counts() == [0] * 6
    return str(why.value)


@pytest.fixture
def lines(server: Server) -> list[bytes]:
    """Play three hands of a match, and return the lines of its book's file."""
    server.start("Sunday")
    server.write("Sunday", *(HandAdded(hand=hand) for hand in (HAND, SET, HAND)))
    return server.lines()


def test_a_file_that_stops_says_where(server: Server, lines: list[bytes]) -> None:
    files = {
        "in hand 2 of “Sunday”": lines[:-3],
        "in hand 3 of “Sunday”": [*lines[:-2], lines[-2][:20]],
        "after “Sunday”": lines[:-1],
        "before its first match": lines[:2],
    }

    reasons = {where: refused(server, gzip.compress(b"".join(file))) for where, file in files.items()}

    assert reasons == {where: f"This file stops {where}. Download the file again." for where in files}
    assert server.preview(b"".join(lines)).counts_by_status["new"] == 1


@pytest.mark.parametrize("at", [30, 200, -6])
def test_a_packed_file_that_was_cut_or_damaged_is_refused(server: Server, lines: list[bytes], at: int) -> None:
    content = bytearray(gzip.compress(b"".join(lines)))
    content[at] ^= 0xFF

    refused(server, bytes(content))
    refused(server, bytes(content[: len(content) // 2]))


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[1]\n", b"hello", b'{"format": "pitch-record/1"}\n', b"\x1f\x8b"]
)
def test_another_file_is_no_book(server: Server, content: bytes) -> None:
    with pytest.raises(NotABookFile, match="not a backup"):
        server.preview(content)


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


def test_a_fault_names_its_line_and_the_hand_that_is_wrong(server: Server, lines: list[bytes]) -> None:
    server.write("Sunday", HandCorrected(uid=1, hand=THEIRS))
    lines = server.lines()

    for number, hand in ((6, 2), (8, 1)):
        file = [*lines[: number - 1], changed(lines[number - 1 : number], _in_hand(bidder="zz")), *lines[number:]]
        why = f"Line {number}, hand {hand} of “Sunday”, bidder: Nobody at this table is known as 'zz'. "
        assert refused(server, b"".join(file)).startswith(why)


NEWER: dict[str, Callable[[Line], None]] = {
    "another format": _on("format", format="pitch-book/4"),
    "a fact of a later version": lambda line: line.get("payload", {}).update(v=2),
    "a fact of an unknown kind": _on("kind", kind="wager"),
}
BY_HAND: dict[str, Callable[[Line], None]] = {
    "a name for somebody who never left": _of_nobody,
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
    "too few facts": _on("seats", facts=0),
    "an unknown key": _on("seats", link="abc"),
}


@pytest.mark.parametrize("name", [*NEWER, *BY_HAND])
def test_a_file_that_was_changed_by_hand_or_is_of_a_newer_version_is_refused(
    server: Server, lines: list[bytes], name: str
) -> None:
    why = refused(server, changed(lines, (NEWER | BY_HAND)[name]))

    assert ("newer Scorekeeper. Update this one first" in why) == (name in NEWER)


def with_rules(lines: list[bytes], change: Callable[[Line], None]) -> bytes:
    """Return a file after a change by hand to its rules, with their new digest."""
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
def test_rules_beyond_all_bounds_are_refused_at_once(server: Server, lines: list[bytes], name: str) -> None:
    change, message = BEYOND[name]
    file = with_rules(lines, change)

    tracemalloc.start()
    with counted_calls() as made:
        why = refused(server, file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert why.startswith("Line ")
    assert message in why
    assert why.endswith(" Download the file again.")
    assert made.calls < 50_000
    assert peak < 10 * 1024**2


@pytest.mark.parametrize("house", ['{"low":1e999}', '{"low":"\\ud800"}', '{"\\ud800":1}', '{"low":"\\u0000"}'])
@pytest.mark.parametrize("before", ['"house":', '"v":1,"house":'])
def test_a_value_that_no_file_could_have_again_is_refused(server: Server, house: str, before: str) -> None:
    """Otherwise the next file of the book could not be written, or not be read."""
    server.start("Sunday")
    server.write("Sunday", RulesChanged(house={"target": 300}))
    text, is_house = b"".join(server.lines()).decode(), f'{before}{{"target":300}}'
    assert is_house in text

    refused(server, text.replace(is_house, before + house).encode())


def test_an_import_that_stops_in_the_middle_leaves_nothing(server: Server) -> None:
    for n in range(4):
        server.start(f"Match {n}")
    file = server.file()
    server.elsewhere()

    with cut_off_before("INSERT INTO book_match"):
        server.import_file(file)
    server.session.rollback()

    assert server.counts() == [0] * 6
    assert server.import_file(file).preview.counts_by_status["new"] == 4


def test_more_than_a_phone_may_send_is_imported_by_a_command(
    server: Server, lines: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_file, "MAX_EVENTS_FROM_PHONE", 1)
    file = io.BytesIO(b"".join(lines))
    server.elsewhere()

    with pytest.raises(BookFileRefused, match="scorekeeper books import FILE"):
        book_file.preview_import(server.session, None, file, is_from_phone=True)
    assert server.counts() == [0] * 6
    assert book_file.import_book(server.session, file).preview.counts_by_status["new"] == 1


def test_names_that_an_import_was_broken_off_before_are_written_by_the_next(server: Server) -> None:
    server.start("Friday")
    access = server.book()
    renamed = PersonRenamed(person=access.book.person_named("Ann"), name="Anna")
    write_book(server.session, access.code, renamed, by())

    server.import_file(server.file())

    assert server.names("Friday")[0] == "Anna"


def test_a_name_that_the_book_changed_makes_no_match_another_one(server: Server) -> None:
    server.start("Friday")
    server.play("Friday", HAND)

    def rename(name: str, other: str) -> Callable[[], None]:
        return lambda: server.write_of_person(name, PersonRenamed, name=other)

    theirs = diverge(server, rename("Ann", "Anna"), rename("Bo", "Bob"))

    assert server.preview(theirs).counts_by_status == {"same": 1}
    server.import_file(theirs)
    assert server.names("Friday") == ["Anna", "Bo", "Cal", "Di"]


def test_names_joined_and_deleted_here_reach_matches_that_were_only_there(server: Server) -> None:
    server.start("Friday")
    annie = ["Annie", "Bo", "Cal", "Di"]

    def here() -> None:
        server.start("Saturday", players=annie)
        server.write_of_person("Ann", PersonRenamed, name="Anna")
        server.write_of_person("Annie", PeopleJoined, into=server.book().book.person_named("Ann"))
        server.write_of_person("Di", NameDeleted)

    def play_elsewhere() -> None:
        server.start("Sunday", players=annie)
        server.start("Monday")

    server.import_file(diverge(server, here, play_elsewhere))

    assert [*map(server.names, ("Saturday", "Sunday", "Monday"))] == [["Anna", "Bo", "Cal", "Player 4"]] * 3
    server.write_of_person("Di", NameRestored)
    assert server.names("Sunday")[3] == "Di"


@pytest.mark.parametrize("is_moved", [True, False])
def test_a_deleted_name_is_nowhere_in_a_match_that_went_elsewhere(server: Server, is_moved: bool) -> None:
    sides = [("Zoë & Cal", ["Zoë", "Cal"]), ("Bo & Di", ["Bo", "Di"])]
    server.start("Friday", players=None, sides=sides, house={"target": 4})
    changes = rename_change({"p1": "Zoë May"}), PlayerSubstituted(names={"p1": "Eva"})
    match = server.write("Friday", HandAdded(hand=HAND), *changes, HandAdded(hand=HAND))
    server.write_of_person("Zoë May", NameDeleted)
    assert "Zoë" in b"".join(server.lines()).decode(), "here the name can be restored"
    if is_moved:
        other = begin_book(server.session, device_digest("phone"))
        server.session.commit()
        move_match(server.session, match, "phone", other.code, by())
    else:
        file = server.file()
        server.elsewhere()
        server.start("Monday")
        server.import_file(file)

    access, moved = server.book(), server.matches()["Friday"]
    tables = io.BytesIO()
    write_hands_csv(server.session, access.id, tables)
    write_matches_csv(server.session, access.id, tables)
    logged, people = moved.without_deleted_names(), load_people(server.session, access)
    shown = [
        b"".join(server.lines()).decode(),
        tables.getvalue().decode(),
        str(export_match(server.session, LIBRARY, moved.code)),
        f"{logged.setup} {logged.log.events}",
        f"{people.names_by_person} {find_matches(server.session, [access], Search()).people}",
    ]
    assert [text for text in shown if "Zoë" in text] == []
    assert sorted(people.names_by_person.values()) == ["Bo", "Cal", "Di", "Eva"]
    assert {*people.win_ratios} == {*people.names_by_person}

    again = server.file()
    server.elsewhere()
    server.import_file(again)
    assert server.scores()["Friday"] == [*match.state.scores.values()]
    assert not server.preview(again).changes_anything


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=10)
@given(data=st.data())
def test_any_book_comes_back_as_it_was_and_twice_changes_nothing(server: Server, data: st.DataObject) -> None:
    server.elsewhere()
    server.import_records(*data.draw(st.lists(records(), min_size=1, max_size=3)))
    lines, stood = server.lines(), server.scores()
    file = b"".join(lines)

    server.elsewhere()
    server.import_twice(file)

    assert server.lines() == lines
    assert server.scores() == stood


def test_a_file_of_matches_that_take_long_to_settle_costs_no_more_than_a_few_of_them(server: Server) -> None:
    costly = by_points(RULES[2], 1, TARGET - 2)
    for _ in range(12):
        server.import_records(costly)
    file = server.file()

    with counted_calls() as made:
        why = refused(server, file)

    assert "by points alone to check" in why
    assert made.calls < 4_000_000
    assert books_of_device(server.session, "phone") == []
