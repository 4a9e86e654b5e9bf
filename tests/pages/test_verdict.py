"""The page of a match that is won: who, why, and between them only that a hand may be wrong."""

from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def won(begin: Begin, ruleset_id: str = "partnership-pitch") -> Page:
    """Play until somebody has won."""
    match = begin(ruleset_id, house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def opened(page: Page) -> Page:
    """Open the details of a verdict."""
    return page.open("?more=yes")


def test_between_who_won_and_why_stands_only_what_waits_on_the_phone(begin: Begin) -> None:
    match = won(begin)

    assert match.text.index("Bea & Dan win") < match.text.index("bid 4, made it and have 8")
    assert "is saved" not in match.part("turn").text
    html = match.response.text
    assert html.index('id="outbox"') < html.index('class="why"') < html.index('id="touch"')


def test_a_verdict_is_one_sentence_and_one_rule_under_the_sums_of_the_scores(begin: Begin) -> None:
    match = record(begin(house_target="7"), call="p4:4")

    over = record(match, call="p4:3", took_low="s1")

    assert "Bea & Dan win A Ann & Cal 1 0 + 1 = 1 B Bea & Dan 7 4 + 3 = 7" in over.part("board").text
    assert over.part("turn").text == (
        "Why Bea & Dan bid 3, made it and have 7. A side wins when it makes its own bid and then has 7 or more. "
        "Rule 7.1 More Undo hand 2"
    )
    assert over.one(class_="by-rule").one("a").attrs["href"] == f"{over.path}rules#win.target"
    text = "Hand 2: Dan bid 3, made. Ann & Cal 1, Bea & Dan 7. Bea & Dan win. Bea & Dan bid 3, made it and have 7."
    assert over.part("announcement").text == text


def test_a_poll_leaves_more_as_it_is(begin: Begin) -> None:
    over = won(begin)
    board = over.part("board").attrs["hx-get"]

    version = over.open(f"board?{board.partition('?')[2].replace('v=2', 'v=1')}&more=yes")

    assert "4 + 4 = 8" in version.text


def test_who_is_at_the_target_and_did_not_bid_plays_on(phone: Phone) -> None:
    match = brought_in(phone, {**record_of(), "start": {"scores": {"Us": 20}}})

    page = record(match, call="p4:2", took_high="s1", took_game="s1")

    why = "Ann & Cal have 22, but did not bid this hand."
    rule = "A side wins when it makes its own bid and then has 21 or more. Rule 7.1"
    next_bid = "The next bid that Ann & Cal make wins."
    assert page.part("board").text == "Play on A Ann & Cal 22 20 + 2 = 22 B Bea & Dan 2 0 + 2 = 2"
    assert page.open().part("turn").text == f"Why {why} {rule} {next_bid} Hand 2 is next. More"
    assert f"{why} {next_bid}" in page.part("announcement").text
    assert page.offers("Record hand")
    assert page.offers("Undo")


def test_the_points_of_the_last_hand_stand_in_its_row_alone(begin: Begin) -> None:
    saved = record(begin(), call="p4:4", took_low="s1")

    assert saved.part("turn").text.startswith("Hand 1 is saved. ")
    for page in (saved, saved.open()):
        assert "−4" not in page.part("turn").text
        assert "Dan 4" not in page.part("turn").text
        assert page.rows[0].startswith("1 Dan 4 set +1 1 −4 −4")
        assert page.part("announcement").text.startswith("Hand 1: Dan bid 4, set.")


def test_a_correction_says_how_the_match_had_ended(begin: Begin) -> None:
    over = won(begin)
    ours = {f"took-{award}": "s1" for award in ("high", "low", "jack", "game")}

    corrected = over.open("hands/2").send("/2", {**ours, "call": "p1:4"}, press="Save")

    assert "corrected" in corrected.rows[0]
    assert "Before the last change Bea & Dan had won 8 to 0." in corrected.text
