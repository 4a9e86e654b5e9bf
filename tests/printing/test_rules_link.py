"""What is scanned from a sheet opens exactly its rules."""

import re
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import decode, fingerprint
from scorekeeper.printing.rules_link import MAX_MODULES, MODULE_SIZE_MM, rules_link
from tests.common.library import LIBRARY, every_ruleset
from tests.printing.made import NEARLY_EVERYTHING, changed, draft

URL = "https://pitch.example/rules"
COLORADO = LIBRARY["colorado-fourteen-point"]
each_kind = pytest.mark.parametrize("kind", ["rules", "large", "pocket", "pad"])


def played_by(code: str) -> Ruleset:
    ruleset, faults = resolve_house_rules(decode(code), LIBRARY)
    assert not faults
    assert ruleset
    return ruleset


@every_ruleset
def test_the_code_of_a_variant_opens_that_variant(ruleset: Ruleset) -> None:
    link = rules_link(ruleset, ruleset, URL)

    assert link.url == f"{URL}?r={link.code}"
    assert fingerprint(played_by(link.code)) == fingerprint(ruleset)


def test_the_code_of_a_house_opens_its_rules_with_its_name_and_its_notes() -> None:
    house = HouseRules("Millers’ Pitch", COLORADO.id, NEARLY_EVERYTHING, ("The loser washes up.",))
    ruleset, _ = resolve_house_rules(house, LIBRARY)
    assert ruleset

    again = played_by(rules_link(ruleset, COLORADO, URL).code)

    assert again == ruleset


def test_what_is_scanned_is_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    scanned = []
    make = __import__("segno").make

    def watched(text: str, **how: Any) -> Any:
        scanned.append(text)
        return make(text, **how)

    monkeypatch.setattr("segno.make", watched)
    ours = with_house(COLORADO, {"target": 47})[0]  # of no other test: a QR code is made once
    linked, alone = rules_link(ours, COLORADO, URL), rules_link(ours, COLORADO)

    assert linked.qr_svg
    assert alone.qr_svg
    assert set(scanned) == {linked.url, alone.code}
    assert alone.url == ""


@pytest.mark.parametrize("url", [URL, f"{URL}{'/' * 600}"], ids=["notes", "address"])
def test_what_is_too_long_to_be_scanned_stays_behind_and_the_rules_do_not(url: str) -> None:
    notes = [f"{i} " + "".join(chr(0x4E00 + (i * 211 + n * 97) % 20000) for n in range(190)) for i in range(10)]
    ruleset = COLORADO.copy_with(notes=notes)

    link = rules_link(ruleset, COLORADO, url)

    assert link.width
    assert fingerprint(played_by(link.code)) == fingerprint(ruleset)


def test_of_a_code_that_is_too_fine_to_be_scanned_paper_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.printing.rules_link.MAX_MODULES", 20)

    link = rules_link(COLORADO, COLORADO)

    assert link.width == 0
    assert fingerprint(played_by(link.code)) == fingerprint(COLORADO)
    assert "Scan" not in draft("rules", COLORADO).body


def test_rules_that_no_code_can_say_have_no_qr_code() -> None:
    older = COLORADO.copy_with(cards=COLORADO.cards.copy_with(dealt=11))

    link = rules_link(older, COLORADO, URL)

    assert (link.code, link.url, link.width, str(link.qr_svg)) == ("", "", 0, "")


@each_kind
def test_rules_without_a_code_are_printed_all_the_same(kind: str) -> None:
    older = COLORADO.copy_with(cards=COLORADO.cards.copy_with(dealt=11))

    body = draft(kind, older, base=COLORADO).body

    assert fingerprint(older) in body
    assert 'class="qr"' not in body


@each_kind
@pytest.mark.parametrize("answers", [{}, NEARLY_EVERYTHING], ids=["book", "house"])
def test_squares_are_large_enough_to_be_read(kind: str, answers: dict[str, Any]) -> None:
    ruleset = changed(COLORADO, **answers)
    wanted = draft(kind, ruleset)

    across = re.search(r'viewBox="0 0 (\d+) \d+"[^>]*class="qr"|class="qr"[^>]*viewBox="0 0 (\d+)', wanted.body)
    width = re.search(r"\.qr\{width:([\d.]+)mm", wanted.style_rows[0].styles[0])
    assert across
    assert width
    assert float(width[1]) / int(across[1] or across[2]) >= MODULE_SIZE_MM - 0.005
    assert int(across[1] or across[2]) <= MAX_MODULES


@each_kind
def test_no_sheet_has_the_long_code_in_type(kind: str) -> None:
    link = rules_link(COLORADO, COLORADO, URL)

    body = draft(kind, COLORADO).body

    assert link.code not in body
    assert fingerprint(COLORADO) in body
