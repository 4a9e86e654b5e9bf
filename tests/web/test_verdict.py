"""The page of a match that is won: who, why, and nothing between."""

from tests.web.conftest import Begin, record
from tests.web.phone import Page


def won(begin: Begin) -> Page:
    """Play until somebody has won."""
    match = begin(house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_a_notice_never_stands_between_who_won_and_why(begin: Begin) -> None:
    match = won(begin)

    words = match.text

    assert words.index("Bea & Dan win") < words.index("made it with every point") < words.index("Hand 2 is saved.")
    html = match.response.text
    assert html.index('class="why"') < html.index('id="outbox"')


def test_before_that_what_waits_on_the_phone_comes_first(match: Page) -> None:
    html = match.response.text

    assert html.index('id="outbox"') < html.index('id="turn"')


def test_the_reason_names_the_cards(begin: Begin) -> None:
    match = record(begin(house_target="7"), call="p4:4")

    over = record(match, call="p4:3", took_low="s1")

    assert "Bea & Dan bid 3, made it with High, the Jack and Game, and have 7." in over.part("turn").text


def test_a_house_rule_that_decided_is_marked(begin: Begin) -> None:
    match = record(begin(house_target="7", house_win_rule="first_to_target"), call="p2:4")

    over = record(match, call="p2:4")

    assert "House rule. Whoever reaches the target first wins." in over.part("turn").one(class_="rule").text
    assert "House rule." not in won(begin).text


def test_a_called_partner_did_not_bid(begin: Begin) -> None:
    over = begin("razzle-dazzle", house_target="21")
    for _ in range(3):
        over = record(over, pair="p3:p1", bid="8", called="A")

    board = over.part("board").text
    assert "Cal bid 8, took 10" in board
    assert "Ann with Cal, took 10" in board
    assert board.count("bid 8") == 1
