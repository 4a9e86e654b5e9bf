"""Every page from which a match is begun: its rules are those in the form, the match, the record, print and export."""

import pytest

from scorekeeper.pages.new_match import views
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE, record

PITCH = "/new/partnership-pitch"
OURS = encode(HouseRules("The Millers’ Pitch", "partnership-pitch", {"target": 11, "dealer_steal": "no"}))
NAMES = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:4])}


def sheet(match: Page) -> str:
    """Return the words of a match's rule sheet."""
    return match.open("rules").one("article").text


def test_a_link_without_a_target_is_not_the_last_word(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?house-target=none")

    assert "house" not in table.send(PITCH, {**NAMES, "house-target": "21"}, press="Start").record


def test_what_was_typed_is_kept_at_its_address_until_another_match_is_begun(phone: Phone) -> None:
    def best() -> str:
        return phone.open("/new").part("bottom_bar").one("a").attrs["href"]

    address = best()
    phone.open(address).send(PITCH, {"house-target": "11"}, press="Rules")
    assert phone.open(address).form(PITCH).fields["house-target"] == "11"

    table = phone.open(best())
    match = table.send(PITCH, NAMES, press="Start")

    assert table.form(PITCH).fields["house-target"] == "21"
    assert "to 21" in match.text
    assert "house" not in match.record


def test_what_was_typed_another_day_is_forgotten(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    phone.open(PITCH).send(PITCH, {"house-target": "11"}, press="Rules")
    monkeypatch.setattr(views, "DRAFT_TIMEOUT_S", 0)

    assert phone.open(PITCH).form(PITCH).fields["house-target"] == "21"


def test_own_rules_open_as_they_are_whatever_was_typed_at_their_game(phone: Phone) -> None:
    typed = {"house-target": "15", "house-dealer_steal": "yes"}
    phone.open(PITCH).send(PITCH, typed, press="Rules")

    table = phone.open(f"{PITCH}?r={OURS}")
    match = table.send(PITCH, NAMES, press="Start")

    assert table.form(PITCH).fields["house-target"] == "11"
    assert match.record["house"] == {"dealer_steal": "no", "target": 11}


def test_scores_from_paper_stay_with_the_table_that_has_them(phone: Phone) -> None:
    phone.open(PITCH).send(PITCH, {**NAMES, "paper-score-0": "9"}, press="Choose another game")

    other = phone.open("/new/colorado-ten-point?seats=4")

    assert other.form("colorado-ten-point").fields["paper-score-0"] == ""
    assert other.form("colorado-ten-point").fields["seat-0"] == "Ann"
    assert phone.open(PITCH).form(PITCH).fields["paper-score-0"] == "9"


def test_what_the_table_taps_goes_before_its_link(phone: Phone) -> None:
    link = f"{PITCH}?seats=4&house-target=15"
    rules = phone.open(link).send(PITCH, {**NAMES, "house-target": "11"}, press="Rules")
    assert "11" in rules.text

    back = phone.open(link)
    assert back.form(PITCH).fields["house-target"] == "11"

    assert back.send(PITCH, press="Start").record["house"] == {"target": 11}
    assert phone.open(link).form(PITCH).fields["house-target"] == "15"


def test_players_who_were_added_stay_while_the_rules_are_read_and_are_as_many_elsewhere(phone: Phone) -> None:
    link = "/new/cutthroat-pitch?seats=3"
    five = {f"seat-{i}": name for i, name in enumerate(PEOPLE[:5])}
    phone.open(link).send("cutthroat-pitch", press="5").send("cutthroat-pitch", five, press="Rules")

    back = phone.open(link)
    finder = back.send("cutthroat-pitch", press="Choose another game")

    assert five.items() <= back.form("cutthroat-pitch").fields.items()
    assert finder.form("/new#found").fields["players"] == "5"
    assert back.send("cutthroat-pitch", press="Start").record["players"] == list(five.values())


def test_a_link_that_contradicts_itself_says_what_is_left_out(phone: Phone) -> None:
    table = phone.open(f"{PITCH}?house-target=15&house-count_down_from=21")

    assert "Left out, because it can’t be played here:" in table.text
    assert "Scores that count down end at 0, not at a target." in table.text
    match = table.send(PITCH, NAMES, press="Start")
    assert "to 15" in match.text
    assert match.record["house"] == {"target": 15}


NOTED = encode(HouseRules("Oma’s <Pitch>", "partnership-pitch", {"low": False}, ("No talking.", "Loser washes up.")))


def test_a_match_that_is_downloaded_comes_back_with_the_name_and_notes_of_its_rules(
    phone: Phone, other_phone: Phone
) -> None:
    match = record(phone.open(f"{PITCH}?r={NOTED}").send(PITCH, NAMES, press="Start"), call="p2:3")
    assert match.record["house_rules"] == {"name": "Oma’s <Pitch>", "notes": ["No talking.", "Loser washes up."]}

    back = brought_in(other_phone, match.record)

    assert "Oma’s <Pitch>" in back.text
    assert sheet(back) == sheet(match)
    assert back.record == match.record
    assert "Oma’s <Pitch>" in other_phone.open(f"/new/again/{back.code}").text


@pytest.mark.parametrize("link", [f"{PITCH}?seats=4&house-target=15", f"{PITCH}?r={OURS}"])
def test_the_rules_lead_back_to_the_table_that_reads_them(phone: Phone, link: str) -> None:
    rules = phone.open(link).send(PITCH, {**NAMES, "house-target": "7"}, press="Rules")

    back = rules.tap("Play by these rules") if "r=" in link else rules.tap("New match")

    fields = back.form(PITCH).fields
    assert fields | NAMES | {"house-target": "7"} == fields
