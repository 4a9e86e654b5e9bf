"""The pages of a match link to the numbered rules by which it was played."""

import pytest

from tests.common.gallery import ruled
from tests.common.importing import brought_in
from tests.common.phone import Phone
from tests.pages.conftest import PEOPLE, Begin
from tests.scenarios.scene import told_record


@pytest.mark.parametrize("ruleset_id", ["partnership-pitch", "colorado-ten-point", "cutthroat-pitch"])
def test_every_award_of_the_entry_has_the_rule_by_which_it_scores(begin: Begin, ruleset_id: str) -> None:
    page = begin(ruleset_id).tap("Record hand")

    rows = page.all(class_="award")

    assert len(rows) in (4, 8)
    assert all(row.one("p").text.startswith("The ") and row.one(class_="cite").text.startswith("Rule ") for row in rows)


def test_the_called_card_and_who_held_it_lead_to_the_rule_of_the_call(begin: Begin) -> None:
    page = begin("pawnee-call-your-partner").tap("Record hand")
    auction = page.phone.open(f"{begin('razzle-dazzle').path}hands/new?by=auction")

    link = page.part("called").one(class_="cite").one("a")
    path, _, anchor = link.attrs["href"].partition("#")
    assert link.text.startswith("Rule ")
    assert "holds it is the partner" in page.phone.open(path).part(anchor).text
    assert "called" not in auction.text


# ---------- rules that were changed in the middle of a match ----------


def test_rules_that_are_new_from_the_next_hand_on_are_not_those_of_the_hands_so_far(phone: Phone) -> None:
    match = ruled(phone)

    assert match.tap("Record hand").part("row-low").one("details").one("p").text.endswith("Rule 6.2")
    assert "rules?hand=" in match.open("history?open=1").response.text


def test_a_verdict_rests_on_the_rules_of_the_hand_that_decided(phone: Phone) -> None:
    hands = ["Ann bid 4 | Ann & Cal the rest", "Ann bid 3 | Ann & Cal high | Bea & Dan low jack game"]
    match = brought_in(phone, told_record("partnership-pitch", hands, PEOPLE[:4], house={"target": 7}))
    match.open("rules/change").send("/rules/change", {"rule-low": "held"}, press="Start with")

    page = match.open("hands/2").send("/2", {"took-low": "s1", "took-jack": "s1"}, press="Save")

    assert page.one(class_="by-rule").all("a", href=f"{page.path}rules?hand=1#win.target")
