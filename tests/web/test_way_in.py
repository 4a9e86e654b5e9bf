"""Every way in to a match: what its page promised is what is asked, played, recorded, printed and taken away."""

from tests.web.conftest import record
from tests.web.phone import Page, Phone

PITCH = "/new/partnership-pitch"
NAMES = {"seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan"}


def exported(match: Page) -> dict[str, object]:
    """Return the record of a match as it is downloaded."""
    record: dict[str, object] = match.phone.client.get(f"{match.path.partition('?')[0]}record.json").get_json()
    return record


def sheet(match: Page) -> str:
    """Return the words of a match's rule sheet."""
    return match.phone.open(f"{match.path}rules").root.one("article").text


def test_low_that_was_switched_off_is_not_scored(phone: Phone) -> None:
    finder = phone.open("/new?answered=yes&players=4&cards=High&cards=Jack&cards=Game&target=21")
    row = next(it for it in finder.root.all("a") if it.attrs["href"].startswith(PITCH))
    assert "without Low" in row.text

    table = phone.open(row.attrs["href"])
    assert "3 points a hand" in table.text
    assert "Nobody scores Low." in table.text

    match = table.send(PITCH, NAMES, press="Start")
    entry = match.tap("Record hand")
    assert "took-low" not in entry.form("/hands/new").offered
    match = record(match, call="p2:3")
    assert match.scores == {"s1": "0", "s2": "3"}
    assert "three points in a hand" in sheet(match)
    assert exported(match)["house"] == {"low": False}


def test_what_low_is_worth_is_kept_on_the_way(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?seats=4&house-low=2")
    assert "Low scores 2." in table.text
    assert "house-low" not in table.form(PITCH).offered

    match = record(table.send(PITCH, NAMES, press="Start"), call="p2:5")

    assert match.scores == {"s1": "0", "s2": "5"}
    assert exported(match)["house"] == {"low": 2}


def test_who_scores_low_is_asked_as_a_link_has_it(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?house-low=held")

    assert table.form(PITCH).fields["house-low"] == "held"
    assert exported(table.send(PITCH, NAMES, press="Start"))["house"] == {"low": "held"}


def test_a_table_without_a_target_has_none(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?house-target=none")
    assert table.form(PITCH).fields["house-target"] == "none"
    assert "no target" in table.text

    match = record(table.send(PITCH, NAMES, press="Start"), call="p2:4")

    assert exported(match)["house"] == {"target": "none"}
    assert "No score ends the match." in sheet(match)


def test_a_link_without_a_target_is_not_the_last_word(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?house-target=none")

    assert "house" not in exported(table.send(PITCH, {**NAMES, "house-target": "21"}, press="Start"))
