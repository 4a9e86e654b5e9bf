"""A side is called by its players, unless the table chose a name for it; a record has the names as they were stored."""

import pytest
from sqlalchemy.orm import Session

from scorekeeper.matches.files.import_export import export_match
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.house_rules import Variants
from tests.common.importing import import_records
from tests.common.match_actions import rename
from tests.matches.conftest import Begin

STANDING = [("Us", ["Ann", "Cal"]), ("Them", ["Bo", "Di"])]


def sides(match: Match) -> list[str]:
    return [match.name(side) for side in match.state.seats.ids]


def test_a_name_that_nobody_chose_gives_way_to_the_players(begin: Begin) -> None:
    assert sides(begin(players=None, sides=STANDING)) == ["Ann & Cal", "Bo & Di"]


def test_a_side_that_chose_a_name_keeps_it(begin: Begin) -> None:
    chosen = [("Porch", ["Ann", "Cal"]), ("Them", ["Bo", "Di"])]

    assert sides(begin(players=None, sides=chosen)) == ["Porch", "Bo & Di"]


def test_a_name_that_is_given_in_the_menu_is_chosen(session: Session, begin: Begin) -> None:
    match = begin(players=None, sides=STANDING)
    named = rename(session, match.code, {"s1": "Porch"})
    back = rename(session, match.code, {"s1": "Us"})
    nameless = rename(session, match.code, {"s1": ""})

    assert [sides(it)[0] for it in (named, back, nameless)] == ["Porch", "Us", "Ann & Cal"]


def test_two_sides_never_have_one_name(begin: Begin) -> None:
    match = begin(players=None, sides=[("Bo & Di", ["Ann", "Cal"]), ("Them", ["Bo", "Di"])])

    assert sides(match) == ["Bo & Di", "Them"]


@pytest.mark.parametrize("said", [STANDING, [("Porch", ["Ann", "Cal"]), ("Them", ["Bo", "Di"])]])
def test_a_record_has_the_names_as_they_were_stored(
    session: Session, begin: Begin, library: Variants, said: list[tuple[str, list[str]]]
) -> None:
    match = begin(players=None, sides=said)

    record = export_match(session, library, match.code)
    (again,) = import_records(session, library, [record])

    assert record["sides"] == [{"name": name, "players": players} for name, players in said]
    assert export_match(session, library, again.code) == record
    assert sides(again) == sides(match)
