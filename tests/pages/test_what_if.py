"""The page of a match under other rules: what it compares, what it asks in place, and what no address can break."""

from typing import Any
from urllib.parse import quote

import pytest

from scorekeeper.pages.what_if.views import NOBODY, told_field, told_word
from scorekeeper.pitch.compare.what_if import what_if
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules, with_house
from scorekeeper.pitch.rules.library import Library
from scorekeeper.web.library import library
from tests.acceptance.test_public_cases import CASES
from tests.common.guests import SCORER, WATCHER, let_in
from tests.common.library import LAW_RULESETS, LIBRARY, repeated
from tests.common.pace import counted_calls
from tests.common.phone import Page, Phone
from tests.common.thursday import imported, thursday
from tests.pages.conftest import Begin
from tests.pitch.compare.matches_again import played

WITHOUT = "off_jack=no"


@pytest.fixture
def match(phone: Phone) -> Page:
    """Play ten hands, of which the sixth has points only."""
    return imported(phone, thursday())


def what_if_of(match: Page, query: str = "", *, part: bool = False) -> Page:
    return match.phone.open(f"{match.path}what-if{'?' if query else ''}{query}", part=part)


def cards(page: Page) -> list[str]:
    """Read both results."""
    return [it.text for it in page.part("results").all("section")]


def hands(page: Page) -> list[str]:
    """Read the rows, hand by hand."""
    return [it.text for it in page.part("hands").one("tbody").all("tr")]


def other_rules(page: Page) -> dict[str, str]:
    """Return the other rules that are listed, with their addresses."""
    return {it.text: it.attrs["href"] for it in page.root.all("a") if "what-if?" in it.attrs["href"]}


def test_both_results_stand_side_by_side(match: Page) -> None:
    page = what_if_of(match, WITHOUT)

    assert cards(page) == [
        "As played A Ann & Cal 43 B Bea & Dan 44 Ann & Cal win had the bid",
        "Without the Off Jack A Ann & Cal 13–14 ? B Bea & Dan 42–43 ? Bea & Dan win either way",
    ]
    assert "Nobody scores the Off Jack. 9 points a hand, all else as played." in page.text
    assert "? means that the total is not known until hand 6 is settled" in page.text


def test_equal_hands_fold_into_a_line_and_the_first_difference_is_marked(match: Page) -> None:
    same, third, why, *_ = hands(what_if_of(match, WITHOUT))

    assert same == "1, 2 the same 7 11 7 11"
    assert third == "3 Ann 7 hearts +7 14 +3 14 −7 0 +3 14"
    assert why == "The first difference. Ann took 7, and one was the Off Jack: 6 of 7, set ."


def house(variants: Library, rules: dict[str, Any]) -> Any:
    return with_house(variants["colorado-ten-point"], rules)[0]


@pytest.mark.parametrize(
    "rules",
    [
        {"off_jack": "no"},
        {"trey": 2},
        {"target": 30},
        {"target": 60},
        {"tie_rule": "higher_score"},
        {"score_on_made": "bid"},
        {"low": "held"},
        {"max_bid": 7},
        {"win_rule": "made_bid", "target": 52},
    ],
)
def test_the_page_shows_what_the_reckoning_comes_to(match: Page, rules: dict[str, Any]) -> None:
    known = what_if(played(thursday(title="Again")), house(library(), rules))
    page = what_if_of(match, "&".join(f"{option}={answer}" for option, answer in rules.items()))

    shown = [it.text for it in page.part("results").all("section")[1].all("span") if "digits" in it.attrs["class"]]
    low = [number.replace("−", "-").split("–")[0].split(" ")[0] for number in shown]
    assert low == [str(span.lowest) for span in known.otherwise.scores.values()]
    assert ("?" in "".join(shown)) == any(not span.is_known for span in known.otherwise.scores.values())
    assert len(page.part("hands").all("fieldset")) == len(known.questions)
    by_side = {"Us": "Ann & Cal", "Them": "Bea & Dan"}
    for side in known.otherwise.winners or ():
        assert f"{by_side[side]} win" in cards(page)[1]
    if known.otherwise.winners == ():
        assert "Nobody yet" in cards(page)[1]
    if known.otherwise.winners is None:
        assert "Not known" in cards(page)[1]


def test_what_nobody_wrote_down_is_told_in_place(match: Page) -> None:
    page = what_if_of(match, WITHOUT)
    assert "Hand 6 has points only. Who took the Off Jack? Bea & Dan win either way." in page.text

    told = what_if_of(match, f"{WITHOUT}&told-6-off_jack=s2")
    assert "Without the Off Jack A Ann & Cal 14 B Bea & Dan 42 Bea & Dan win reached 42" in cards(told)[1]
    assert "?" not in told.part("hands").text.replace("Who took the Off Jack?", "")
    chosen = [it for it in told.root.all("input") if it.attrs["name"] == "told-6-off_jack" and "checked" in it.attrs]
    assert [it.attrs["value"] for it in chosen] == ["s2"]


def test_the_form_carries_the_other_rules_and_leaves_what_is_open_open(match: Page) -> None:
    form = what_if_of(match, f"{WITHOUT}&target=40").form("/what-if")

    assert form.fields == {"off_jack": "no", "target": "40", "told-6-off_jack": ""}
    assert form.offered["told-6-off_jack"] > {"s1", "s2"}


def test_a_part_is_all_that_changes(match: Page) -> None:
    part = what_if_of(match, f"{WITHOUT}&told-6-off_jack=s1", part=True)

    assert all(part.has(it) for it in ("results", "share_it", "announcement", "hands"))
    assert "<html" not in part.response.text
    assert part.part("announcement").text == "Without the Off Jack: Bea & Dan win, reached 42."


def test_other_rules_are_listed_with_what_comes_of_each(match: Page) -> None:
    page = what_if_of(match)
    listed = other_rules(page)

    higher = next(text for text in listed if "the higher score" in text)
    assert higher == "Both reach it: the higher score as played up to hand 10, 43 to 44 B Bea & Dan win"
    assert len(page.part("results").all("section")) == 1
    leads_to = match.phone.open(listed[higher])
    assert "Both reach it: the higher score" in cards(leads_to)[1]
    assert "The better score wins, so Bea & Dan win with 44." in leads_to.text
    assert higher not in other_rules(leads_to)


def test_every_other_rule_leads_to_the_result_that_the_list_gives(match: Page) -> None:
    for text, path in other_rules(what_if_of(match)).items():
        page = match.phone.open(path)

        assert page.status == 200
        outcome = next(it for it in ("Ann & Cal win", "Bea & Dan win", "obody yet", "ot known") if it in text)
        assert outcome in cards(page)[1]


def test_nobody_may_have_won_yet(phone: Phone) -> None:
    match = imported(phone, thursday(5))

    page = what_if_of(match, WITHOUT)

    assert cards(page)[0].endswith("Nobody yet, 11 to 26")
    assert cards(page)[1].endswith("Nobody yet, −3 to 25")


def test_the_other_match_may_be_over_earlier(match: Page) -> None:
    page = what_if_of(match, "target=30")

    assert cards(page)[1].endswith("Bea & Dan win reached 30")
    assert "7 Ann 8 clubs +9 22 +1 35 already over" in hands(page)
    assert "The first difference. Bea & Dan have 34 and win: nobody else has reached 30." in page.text


def test_the_match_as_played_may_be_over_earlier(phone: Phone) -> None:
    match = imported(phone, thursday(house={"target": 30}))

    page = what_if_of(match, "target=42")

    assert "7 Ann 8 clubs already over +9 22 +1 35" in hands(page)


def test_it_stops_at_a_hand_that_the_other_rules_cannot_have(match: Page) -> None:
    page = what_if_of(match, "max_bid=7")

    assert cards(page)[1].endswith("Not known stops at hand 7")
    assert "Can’t go on past hand 7: 8 is too high: the highest number is 7." in page.text
    assert "8 Cal 5 spades +6 28 +4 39 not scored" in hands(page)


def test_the_winner_may_hang_on_what_is_open(match: Page) -> None:
    page = what_if_of(match, f"{WITHOUT}&target=43")

    assert cards(page)[1].endswith("13–14 ? B Bea & Dan 42–43 ? Not known depends on hand 6")
    assert "Nobody yet, 14 to 42, or Bea & Dan win: that depends on what is open." in page.text
    assert cards(what_if_of(match, f"{WITHOUT}&target=43&told-6-off_jack=s1"))[1].endswith("Bea & Dan win reached 43")
    assert cards(what_if_of(match, f"{WITHOUT}&target=43&told-6-off_jack=s2"))[1].endswith("Nobody yet, 14 to 42")


def test_the_match_under_its_own_rules_is_the_match(match: Page) -> None:
    page = what_if_of(match, "target=42")

    assert "These are the rules that the match was played by." in page.text
    assert hands(page)[0] == "1–10 the same 43 44 43 44"
    assert "Nothing changes." in page.text


def test_more_than_two_sides_have_a_row_each(phone: Phone) -> None:
    taken = {"high": "Ann", "low": "Bea", "jack": None, "game": "Ann"}
    hands_told = [{"bidder": "Ann", "bid": 2, "taken": taken}]
    three = {"variant": "cutthroat-pitch", "players": ["Ann", "Bea", "Cal"], "hands": hands_told}
    match = imported(phone, {"format": "pitch-record/1", **three})

    page = what_if_of(match, "game=no")

    assert [it.text for it in page.part("hands").one("thead").all("th")] == ["#", "Bid", "as played", "without"]
    assert hands(page)[:4] == ["1 Ann 2", "A Ann +2 2 −2 −2", "B Bea +1 1 +1 1", "C Cal 0 0 0 0"]
    assert "Ann took 2, and one was Game: 1 of 2, set ." in page.text


def test_another_game_of_the_same_points(match: Page) -> None:
    choose = what_if_of(match).tap("Try another rule")
    games = {text: path for text, path in other_rules(choose).items() if "variant=" in path}

    assert any("Oklahoma Ten Point" in text for text in games)
    assert not any("Pawnee" in text for text in games)
    for path in games.values():
        page = match.phone.open(path)
        assert page.status == 200
        assert "As played" in page.text


def test_house_rules_on_the_phone_and_by_their_code(match: Page) -> None:
    millers = HouseRules("The Millers’ Ten Point", "colorado-ten-point", {"tie_rule": "higher_score"})
    match.phone.open(f"/rules?r={encode(millers)}").send("/house/take")

    choose = what_if_of(match).tap("Try another rule")
    path = next(path for text, path in other_rules(choose).items() if "Millers" in text)

    assert "The Millers’ Ten Point A Ann & Cal 43 B Bea & Dan 44 Bea & Dan win the higher score" in cards(
        match.phone.open(path)
    )
    assert "Bea & Dan win" in cards(what_if_of(match, f"r={encode(millers)}&trey=3"))[1]


def test_every_rule_that_can_be_chosen_has_a_page(match: Page) -> None:
    choose = match.phone.open(f"{match.path}what-if/rules")
    forms = [it for it in choose.root.all("form") if it.attrs["action"].endswith("/what-if")]
    fields = [it.attrs["name"] for form in forms for it in form.all("input")]

    assert {"off_jack", "target", "tie_rule", "r"} <= set(fields)
    for field in sorted(set(fields) - {"r"}):
        assert what_if_of(match, f"{field}=2").status in (200, 422), field


def test_looking_changes_nothing(match: Page) -> None:
    before = match.phone.open(f"{match.path}history/journal").text
    version = match.phone.open(f"{match.path}record.json").response.json

    what_if_of(match, WITHOUT)
    match.phone.open(f"{match.path}what-if/rules")

    assert match.phone.open(f"{match.path}history/journal").text == before
    assert match.phone.open(f"{match.path}record.json").response.json == version


def test_it_opens_from_the_verdict_and_from_the_menu(match: Page) -> None:
    assert match.tap("What if?").path.endswith("/what-if")
    assert any(path.endswith("/what-if") for path in (it.attrs["href"] for it in match.tap("Menu").root.all("a")))


def test_a_match_without_hands_has_nothing_to_compare(begin: Begin) -> None:
    match = begin()

    assert "What if?" not in match.tap("Menu").text
    assert "No hands yet." in what_if_of(match).text
    assert what_if_of(match, "target=11").status == 200


PLAYED = [case["record"] for case in CASES if case["expect"].get("status") != "refused"]
LONGEST = {record["variant"]: record for record in sorted(PLAYED, key=lambda record: len(record["hands"]))}


@pytest.mark.parametrize("variant", [it.id for it in repeated(map(LIBRARY.__getitem__, sorted(LONGEST)), 9)])
def test_a_match_of_every_game_is_compared(phone: Phone, variant: str) -> None:
    match = imported(phone, LONGEST[variant])
    own = library()[variant]
    assert match.phone.open(f"{match.path}what-if/rules").status == 200

    for path in list(other_rules(what_if_of(match)).values())[:3]:
        assert match.phone.open(path).status == 200
    same = what_if_of(match, f"reverse={'yes' if own.points.reverse else 'no'}")

    played, other = same.part("results").all("section")
    assert "These are the rules that the match was played by." in same.text
    assert [it.text for it in played.all("p")] == [it.text for it in other.all("p")]


# ---------- sharing ----------


def sent(page: Page) -> str:
    """Read what is to be copied."""
    return str(page.root.one("textarea").inside[0]).strip()


@pytest.mark.every_database
def test_a_link_shows_the_same_comparison_to_whoever_watches(match: Page, other_phone: Phone) -> None:
    page = what_if_of(match, f"{WITHOUT}&told-6-off_jack=s2").tap("Share")

    *words, link = sent(page).splitlines()
    assert words[:3] == [
        "What if? Thursday at Grandma’s",
        "As played: Ann & Cal win. Ann & Cal 43, Bea & Dan 44.",
        "Without the Off Jack: Bea & Dan win. Ann & Cal 14, Bea & Dan 42.",
    ]
    assert match.path.split("/")[2] not in link
    watched = other_phone.open(link.partition("//")[2].partition("/")[2].join(("/", "")))
    assert cards(watched) == cards(what_if_of(match, f"{WITHOUT}&told-6-off_jack=s2"))
    assert not other_phone.open(watched.path.removesuffix("what-if")).offers("Record hand")
    assert page.tap("Back to what if").path == f"{match.path}what-if"


@pytest.mark.parametrize("role", [SCORER, WATCHER])
def test_other_phones_send_the_words_alone(match: Page, other_phone: Phone, role: str) -> None:
    mine = let_in(match, other_phone, role, "p2")

    page = other_phone.open(f"{mine.path}what-if?{WITHOUT}").tap("Share")

    assert "Without the Off Jack: Bea & Dan win. Ann & Cal 13 or 14, Bea & Dan 42 or 43." in sent(page)
    assert "/matches/" not in sent(page)


def test_nothing_is_shared_where_there_is_nothing_to_compare(match: Page) -> None:
    for query in ("", "?target=zz", "?variant=nosuch"):
        assert match.phone.open(f"{match.path}what-if/share{query}").response.status_code == 303


# ---------- addresses that nobody's page has ----------

HOSTILE = {
    "target=zz": 422,
    "target=99999999999999999999": 422,
    "target=-3": 422,
    "off_jack=61": 422,
    "off_jack=0": 200,
    "low=captured&low=held": 200,
    "low=none": 422,
    "variant=nosuch": 422,
    "variant=../../etc/passwd": 422,
    "variant=pawnee-call-your-partner": 422,
    "variant=colorado-six-player": 422,
    "r=1.nonsense": 422,
    f"r={'A' * 5000}": 422,
    f"target={'9' * 3000}": 422,
    "nosuch=1": 200,
    "told-6-off_jack=s2": 200,
    f"{WITHOUT}&told-6-off_jack=nobody": 200,
    f"{WITHOUT}&told-6-off_jack=s1.s2.s1": 200,
    f"{WITHOUT}&told-6-off_jack=%01%ff": 200,
    f"{WITHOUT}&told-0-off_jack=s1": 200,
    f"{WITHOUT}&told-9999-nosuch=s1": 200,
    f"{WITHOUT}&told-99999999-off_jack=s1": 200,
    f"{WITHOUT}&told-6-off_jack={'s1.' * 2000}": 200,
    f"{WITHOUT}&" + "&".join(f"told-{place}-off_jack=s1" for place in range(500)): 422,
    f"target={quote('<script>')}": 422,
    "count_down_from=42": 200,
}


@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: query[:40])
def test_no_address_breaks_the_page(match: Page, query: str) -> None:
    page = what_if_of(match, query)

    assert page.status == HOSTILE[query]
    assert "What if?" in page.text
    assert not [it for it in page.part("main").all("script")]
    if page.status == 422:
        assert page.faults.startswith("These rules can’t be compared")
        assert len(page.faults) < 400


@pytest.mark.parametrize("variant", [ruleset.id for ruleset in LAW_RULESETS])
def test_no_game_breaks_the_page(match: Page, variant: str) -> None:
    assert what_if_of(match, f"variant={variant}").status in (200, 422)


def test_no_search_finds_it_and_its_title_names_nobody(match: Page) -> None:
    page = what_if_of(match, WITHOUT)

    assert "noindex" in page.response.headers["X-Robots-Tag"]
    assert page.root.one("title").text == "What if? · Scorekeeper"


def test_an_answer_is_written_as_its_field_reads_it() -> None:
    assert (told_field((6, "off_jack")), told_word(("s1", "s2")), told_word(())) == ("told-6-off_jack", "s1.s2", NOBODY)


def test_a_match_of_a_thousand_hands_is_compared_with_little_work(match: Page) -> None:
    what_if_of(match)  # what is read and compiled once is no part of it
    hand = {"bidder": "Us", "bid": 4, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": "Them"}}
    sides = [{"name": "Us"}, {"name": "Them"}]
    record = {"format": "pitch-record/1", "variant": "partnership-pitch", "sides": sides, "hands": [hand] * 1000}
    long_one = imported(match.phone, {**record, "house": {"target": 1000}})

    with counted_calls() as first:
        what_if_of(long_one)
    with counted_calls() as again:
        what_if_of(long_one)

    assert first.calls < 900_000
    assert again.calls < 100_000
