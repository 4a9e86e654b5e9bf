"""Names change, and everything that was written follows."""

from typing import Any

import pytest
from sqlalchemy.orm import Session

from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from tests.common.hands import HAND
from tests.common.importing import import_records
from tests.common.library import LIBRARY
from tests.common.match_actions import record_hand, rename, sit_in, store_names
from tests.common.tables import table
from tests.matches.conftest import Begin


def renamed(session: Session, match: Match, **names: str) -> Match:
    return rename(session, match.code, names)


def scores(match: Match) -> dict[str, int]:
    return {match.names[side]: score for side, score in match.state.scores.items()}


def players(match: Match) -> tuple[str, ...]:
    return tuple(match.names[seat.id] for seat in match.setup.seats)


def test_a_side_is_called_after_its_players(session: Session, match: Match) -> None:
    record_hand(session, match.code, HAND)

    after = renamed(session, match, p1="Anna")

    assert scores(after) == {"Anna & Cal": 3, "Bo & Di": 1}
    assert players(after) == ("Anna", "Bo", "Cal", "Di")
    assert not after.setup.has_named_sides(after.log.renamed)


@pytest.mark.parametrize(
    ("first", "shown"),
    [("Us", "Ann & Cal"), ("Porch", "Porch"), ("Bo & Di", "Bo & Di")],
    ids=["nobody chose it", "somebody chose it", "it is the other side’s"],
)
def test_a_name_that_nobody_chose_gives_way_to_the_players_unless_two_would_be_alike(
    session: Session, begin: Begin, first: str, shown: str
) -> None:
    sides = [(first, ["Ann", "Cal"]), ("Them", ["Bo", "Di"])]
    match = begin(players=None, sides=sides)

    record = export_match(session, LIBRARY, match.code)
    (again,) = import_records(session, LIBRARY, [record])

    assert [*scores(match)] == [*scores(again)] == [shown, "Them" if first == "Bo & Di" else "Bo & Di"]
    assert record["sides"] == [{"name": name, "players": players} for name, players in sides]
    assert export_match(session, LIBRARY, again.code) == record


def test_a_side_gets_a_name_of_its_own_and_loses_it_again(session: Session, match: Match) -> None:
    named = renamed(session, match, s1="Us")
    porch = renamed(session, match, s1="Porch")
    nameless = renamed(session, match, s1="")

    assert [match.names["s1"] for match in (named, porch)] == ["Us", "Porch"]
    assert named.setup.has_named_sides(named.log.renamed)
    assert list(scores(nameless)) == ["Ann & Cal", "Bo & Di"]
    assert not nameless.setup.has_named_sides(nameless.log.renamed)


def test_a_form_that_repeats_a_sides_name_does_not_make_it_its_own(session: Session, match: Match) -> None:
    after = renamed(session, match, p1="Anna", s1="Ann & Cal", s2="Bo & Di")

    assert list(scores(after)) == ["Anna & Cal", "Bo & Di"]


def test_where_each_is_alone_a_player_is_a_side(begin: Begin, session: Session) -> None:
    match = begin(variant="cutthroat-pitch", players=["Ann", "Bo", "Cal"], house={})

    after = renamed(session, match, p2="Bob")

    assert list(match.names) == ["p1", "p2", "p3"]
    assert list(scores(after)) == ["Ann", "Bob", "Cal"]


def test_sides_without_players_have_names(begin: Begin, session: Session) -> None:
    match = begin(players=None, sides=[("Us", []), ("Them", [])])

    after = renamed(session, match, s2="You")

    assert list(scores(after)) == ["Us", "You"]
    with pytest.raises(Refused, match="1 to 24"):
        renamed(session, match, s1="")


@pytest.mark.parametrize("refusal", table(__file__, "refused_names.toml")["refused"], ids=lambda row: str(row["names"]))
def test_a_name_that_cannot_be_or_reads_as_another_is_refused_with_all_the_others(
    session: Session, match: Match, refusal: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refused:
        rename(session, match.code, {"p3": "Carl", **refusal["names"]})

    assert [(item.fault.field, item.fault.message) for item in refused.value.faults] == [
        (refusal["at"], refusal["says"])
    ]
    assert players(renamed(session, match, p4="Dee")) == ("Ann", "Bo", "Cal", "Dee")


def test_a_match_that_was_stored_with_one_name_twice_takes_every_change_and_mends_it(
    session: Session, match: Match
) -> None:
    store_names(session, match, p4="cal")
    opened = load_match(session, match.code)

    assert players(opened) == ("Ann", "Bo", "Cal", "cal")
    assert rename(session, match.code, {}, title="Friday").title == "Friday"
    assert players(renamed(session, match, p2="Bob")) == ("Ann", "Bob", "Cal", "cal")
    assert sit_in(session, match.code, "p1", "Eva").version == 4
    with pytest.raises(Refused, match="Cal and CAL are the same name"):
        renamed(session, match, p4="CAL")
    assert players(renamed(session, match, p4="Di")) == ("Eva", "Bob", "Cal", "Di")


@pytest.mark.parametrize("name", ["\u200b", "\u2800\u2800", "\u3164", "\u2800\u115f \uffa0\U0001d159", "\u0301"])
def test_a_name_of_which_nothing_can_be_seen_is_refused(session: Session, match: Match, name: str) -> None:
    with pytest.raises(Refused, match=r"Nothing can be seen of this name\. Type it in letters\."):
        renamed(session, match, p1=name)
    with pytest.raises(Refused, match="Type it in letters, or type none"):
        rename(session, match.code, {}, title=name)


@pytest.mark.parametrize("name", ["Åsa", "李小龍", "שרה", "O’Neill", "👩\u200d🌾", "7"])
def test_a_name_may_be_written_in_any_script(session: Session, match: Match, name: str) -> None:
    assert renamed(session, match, p1=name).names["p1"] == name


def test_names_that_stay_are_not_written(session: Session, match: Match) -> None:
    assert renamed(session, match, p1="Ann", s1="").version == 0


def test_the_match_gets_a_title_and_loses_it(session: Session, match: Match) -> None:
    titled = rename(session, match.code, {}, title="Friday at the lake")
    untitled = rename(session, match.code, {}, title="")

    assert titled.title == "Friday at the lake"
    assert untitled.title == ""
    with pytest.raises(Refused, match="60 fit"):
        rename(session, match.code, {}, title="x" * 61)
