"""The page of a match that is won: who, why, and between them only that a hand may be wrong."""

from tests.common.phone import Page
from tests.pages.conftest import Begin, record


def won(begin: Begin) -> Page:
    """Play until somebody has won."""
    match = begin(house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_between_who_won_and_why_stands_only_what_waits_on_the_phone(begin: Begin) -> None:
    match = won(begin)

    assert match.text.index("Bea & Dan win") < match.text.index("bid 4, made it and have 8")
    assert "is saved" not in match.part("turn").text
    html = match.response.text
    assert html.index('id="outbox"') < html.index('class="why"') < html.index('id="touch"')


def test_a_poll_leaves_more_as_it_is(begin: Begin) -> None:
    over = won(begin)
    board = over.part("board").attrs["hx-get"]

    version = over.open(f"board?{board.partition('?')[2].replace('v=2', 'v=1')}&more=yes")

    assert "4 + 4 = 8" in version.text


def test_the_points_of_the_last_hand_stand_in_its_row_alone(begin: Begin) -> None:
    saved = record(begin(), call="p4:4", took_low="s1")

    assert saved.part("turn").text.startswith("Hand 1 is saved. ")
    for page in (saved, saved.open()):
        assert "−4" not in page.part("turn").text
        assert "Dan 4" not in page.part("turn").text
        assert page.rows[0].startswith("1 Dan 4 set +1 1 −4 −4")
        assert page.part("announcement").text.startswith("Hand 1: Dan bid 4, set.")
