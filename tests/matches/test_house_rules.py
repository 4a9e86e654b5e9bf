"""House rules are kept as versions that are only added, on both databases."""

import itertools
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.house_rules import (
    StaleHouseRules,
    StoredHouseRules,
    change_house_rules,
    copy_house_rules,
    house_rules_of_code,
    house_rules_of_device,
    latest_house_rules,
    remember_house_rules,
    restore_house_rules,
    retire_house_rules,
    save_house_rules,
)
from scorekeeper.pitch.rules.house_rules import HouseRules
from tests.common.interleaving import before_first_write
from tests.common.library import LIBRARY, MILLERS

KEYS = itertools.count()

every_database = pytest.mark.every_database


def form() -> Writer:
    return Writer(f"form-{next(KEYS)}")


@pytest.fixture
def stored(session: Session) -> StoredHouseRules:
    return save_house_rules(session, LIBRARY, MILLERS, form())


def change(session: Session, stored: StoredHouseRules, **changes: Any) -> StoredHouseRules:
    rules = replace(stored.last.rules, **changes)
    return change_house_rules(session, LIBRARY, stored, rules, form(), seq=stored.last.seq + 1)


@every_database
def test_what_was_saved_is_given_back(session: Session) -> None:
    stored = save_house_rules(session, LIBRARY, MILLERS, Writer("form", "abc"))

    again = house_rules_of_code(session, stored.code)

    assert again.last.rules == MILLERS
    assert (again.last.seq, again.last.actor, again.last.is_retired) == (1, "abc", False)


@every_database
def test_a_form_that_comes_twice_saves_once(session: Session) -> None:
    one, two = (save_house_rules(session, LIBRARY, MILLERS, Writer("the same")) for _ in range(2))

    assert one.code == two.code
    assert len(latest_house_rules(session, 50)[0]) == 1


def test_the_same_rules_are_kept_in_the_same_words(session: Session) -> None:
    rules = HouseRules("Ours", "partnership-pitch", {"jokers": 2, "low_joker": 1, "target": 21})

    assert save_house_rules(session, LIBRARY, rules, form()).last.rules.options == {"jokers": 2}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"options": {"min_bid": 9}}, "house.min_bid"),
        (
            {"notes": tuple("".join(chr(0x4E00 + 97 * i * j % 20000) for j in range(200)) for i in range(3, 13))},
            "notes",
        ),
    ],
)
def test_what_cannot_be_is_not_saved(session: Session, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        save_house_rules(session, LIBRARY, replace(MILLERS, **changes), form())

    assert [item.fault.field for item in refused.value.faults] == [field]
    assert latest_house_rules(session, 50) == ([], None)


@every_database
def test_a_change_adds_a_version(session: Session, stored: StoredHouseRules) -> None:
    changed = change(session, stored, options={"target": 11})

    assert [version.rules.options for version in changed.versions] == [MILLERS.options, {"target": 11}]


def test_a_change_that_changes_nothing_adds_nothing(session: Session, stored: StoredHouseRules) -> None:
    assert len(change(session, stored, name=MILLERS.name).versions) == 1


@every_database
def test_who_comes_second_is_told(session: Session, stored: StoredHouseRules) -> None:
    change(session, stored, name="Ours")

    with pytest.raises(StaleHouseRules) as stale:
        change(session, stored, name="Theirs")

    assert stale.value.stored.last.rules.name == "Ours"


@every_database
def test_a_change_that_comes_twice_is_answered_as_the_first(session: Session, stored: StoredHouseRules) -> None:
    rules = replace(MILLERS, name="Ours")

    for _ in range(2):
        changed = change_house_rules(session, LIBRARY, stored, rules, Writer("the same"), seq=2)

    assert [version.seq for version in changed.versions] == [1, 2]


@every_database
def test_what_is_retired_can_be_put_back(session: Session, stored: StoredHouseRules) -> None:
    retired = retire_house_rules(session, stored.code, form())
    back = restore_house_rules(session, stored.code, form())

    assert (retired.last.is_retired, back.last.is_retired) == (True, False)
    assert back.last.rules == MILLERS


@every_database
def test_rules_that_are_archived_while_another_phone_changes_them_are_archived(
    app: Flask, session: Session, stored: StoredHouseRules
) -> None:
    with before_first_write(app, lambda: change(db.session, stored, name="Ours")):
        retired = retire_house_rules(session, stored.code, form())

    assert (retired.last.rules.name, retired.last.is_retired) == ("Ours", True)


@every_database
def test_undoing_a_change_is_a_new_version_like_the_earlier_one(session: Session, stored: StoredHouseRules) -> None:
    change(session, stored, name="Ours", options={})

    back = restore_house_rules(session, stored.code, form(), to=1)

    assert (back.last.seq, back.last.rules) == (3, MILLERS)


def test_nothing_is_put_back_that_never_was(session: Session, stored: StoredHouseRules) -> None:
    with pytest.raises(Refused):
        restore_house_rules(session, stored.code, form(), to=7)


@every_database
def test_a_copy_is_changed_apart_from_the_first(session: Session, stored: StoredHouseRules) -> None:
    copy = copy_house_rules(session, LIBRARY, stored.code, form())
    change(session, copy, options={})

    assert copy.last.rules == replace(MILLERS, name="The Millers’ Pitch (copy)")
    assert house_rules_of_code(session, stored.code).last.rules == MILLERS


@every_database
def test_a_device_lists_what_it_saved_and_what_it_opened(session: Session) -> None:
    mine, theirs = (save_house_rules(session, LIBRARY, MILLERS, form(), device=device) for device in ("mine", "theirs"))
    remember_house_rules(session, "mine", theirs)
    remember_house_rules(session, "mine", mine)

    listed = [[stored.code for stored in house_rules_of_device(session, device)] for device in ("mine", "theirs")]
    assert listed == [[mine.code, theirs.code], [theirs.code]]


def test_a_code_that_nobody_has_leads_nowhere(session: Session) -> None:
    with pytest.raises(UnknownCode):
        house_rules_of_code(session, "nowhere")
