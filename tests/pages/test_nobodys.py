"""A point that cannot be missing: somebody has its card, or the hand is dealt again."""

from tests.common.phone import Page
from tests.pages.conftest import Begin


def king_pedro(begin: Begin) -> Page:
    return begin("king-pedro").tap("Record hand")


def test_somebody_has_the_king(begin: Begin) -> None:
    entry = king_pedro(begin)
    told = {f"took-{award}": "s1" for award in ("ace", "jack", "ten", "five", "off_five", "deuce")}

    refused = entry.send("/hands/new", {"bidder": "p1", "bid": "30", **told, "took-king": "nobody"}, press="Save")

    assert refused.status == 422
    assert "Someone has to get King. If you can’t tell who had it, deal again." in refused.text
    again = refused.send("/hands/new", press="We can’t tell: redeal")
    assert again.scores == {"s1": "0", "s2": "0"}
    assert "Redeal." in again.text
