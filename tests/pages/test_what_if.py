"""What if: the rules, games and house rules that a match is compared with, and the comparison that is shared."""

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.web.library import library
from tests.acceptance.test_public_cases import CASES
from tests.common.guests import SCORER, WATCHER, let_in
from tests.common.importing import brought_in
from tests.common.library import LIBRARY, repeated
from tests.common.phone import Page, Phone
from tests.common.thursday import thursday

WITHOUT = "off_jack=no"


@pytest.fixture
def match(phone: Phone) -> Page:
    """Play ten hands, of which the sixth has points only."""
    return brought_in(phone, thursday())


def what_if_of(match: Page, query: str = "") -> Page:
    return match.open(f"what-if{'?' if query else ''}{query}")


def verdict(page: Page) -> str:
    """Read who would have won, the cards, and why."""
    heading, why = page.one("h2").text, page.all("p", class_="why")[0].text
    return " | ".join((heading, *(section.text for section in page.all("section")), why))


def rules(page: Page) -> dict[str, str]:
    """Return the rules that are offered, with their addresses."""
    return {link.text: link.attrs["href"] for link in page.all("a") if "what-if?" in link.attrs["href"]}


def test_words_find_a_rule(match: Page) -> None:
    found = rules(what_if_of(match, "q=moon+points"))

    assert found
    assert all("moon" in text.casefold() for text in found)


def test_another_game_of_the_same_points(match: Page) -> None:
    choose = what_if_of(match).tap("All rules, by section")
    games = {text: path for text, path in rules(choose).items() if "variant=" in path}

    assert any("Oklahoma Ten Point" in text for text in games)
    assert not any("Pawnee" in text for text in games)
    for path in games.values():
        page = match.phone.open(path)
        assert page.status == 200
        assert "By your own rules" in page.text


def test_house_rules_on_the_phone_and_by_their_code(match: Page) -> None:
    millers = HouseRules("The Millers’ Ten Point", "colorado-ten-point", {"tie_rule": "higher_score"})
    match.phone.open(f"/rules?r={encode(millers)}").send("/house/take")

    choose = what_if_of(match).tap("All rules, by section")
    path = next(path for text, path in rules(choose).items() if "Millers" in text)

    assert "By the rule The Millers’ Ten Point" in match.phone.open(path).text
    assert "Bea & Dan would win" in verdict(match.phone.open(path))
    assert "Bea & Dan would win" in verdict(what_if_of(match, f"r={encode(millers)}&trey=3"))


def test_every_rule_that_can_be_chosen_has_a_page(match: Page) -> None:
    forms = [form for form in match.open("what-if/rules").all("form") if form.attrs["action"].endswith("/what-if")]
    fields = {found.attrs["name"] for form in forms for found in form.all("input")}

    assert {"off_jack", "target", "tie_rule", "r"} <= fields
    for field in sorted(fields - {"r"}):
        assert what_if_of(match, f"{field}=2").status in (200, 422), field


PLAYED = [case["record"] for case in CASES if case["expect"].get("status") != "refused"]
LONGEST = {record["variant"]: record for record in sorted(PLAYED, key=lambda record: len(record["hands"]))}


@pytest.mark.parametrize("variant", [found.id for found in repeated(map(LIBRARY.__getitem__, sorted(LONGEST)), 9)])
def test_a_match_of_every_game_is_compared(phone: Phone, variant: str) -> None:
    match = brought_in(phone, LONGEST[variant])
    assert match.open("what-if/rules").status == 200

    for path in list(rules(what_if_of(match)).values())[:3]:
        assert match.phone.open(path).status == 200
    same = what_if_of(match, f"reverse={'yes' if library()[variant].points.reverse else 'no'}")

    assert "By your own rules it is the same." in same.text
    assert "All hands come out the same." in same.tap("More").text


# ---------- sharing ----------


def sent(page: Page) -> str:
    """Return the text to copy."""
    return str(page.one("textarea").inside[0]).strip()


@pytest.mark.every_database
def test_a_link_shows_the_same_comparison_to_whoever_watches(match: Page, other_phone: Phone) -> None:
    page = what_if_of(match, f"{WITHOUT}&told-6-off_jack=s2").tap("Share")

    *words, link = sent(page).splitlines()
    assert words[:3] == [
        "What if? Thursday at Grandma’s",
        "As played: Ann & Cal win, 43 to 44.",
        "Nobody scores the Off Jack: Bea & Dan win, 42 to 14.",
    ]
    assert match.code not in link
    watched = other_phone.open(link.partition("//")[2].partition("/")[2].join(("/", "")))
    assert verdict(watched) == verdict(what_if_of(match, f"{WITHOUT}&told-6-off_jack=s2"))
    assert not other_phone.open(watched.path.removesuffix("what-if")).offers("Record hand")
    assert page.tap("Back to what if").path == f"{match.path}what-if"


@pytest.mark.parametrize("role", [SCORER, WATCHER])
def test_other_phones_send_the_words_alone(match: Page, other_phone: Phone, role: str) -> None:
    mine = let_in(match, other_phone, role, "p2")

    page = other_phone.open(f"{mine.path}what-if?{WITHOUT}").tap("Share")

    assert "Nobody scores the Off Jack: Bea & Dan win either way." in sent(page)
    assert "/matches/" not in sent(page)
