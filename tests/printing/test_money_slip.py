"""A slip of a money night: one page of A4 or Letter, however many people and matches."""

import pytest

from scorekeeper.club.nights.sheets import MoneySlip, draft_money_slip
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.print_options import LARGE, ORDINARY, Paper, PrintOptions
from tests.printing.made import each_paper
from tests.printing.pages import text_of


def slip_of(people: int, matches: int = 3, name: str = "Ann") -> MoneySlip:
    names = [f"{name[: 24 - len(str(n))]}{n}" for n in range(people)]
    return MoneySlip(
        title="Money night",
        subtitle="Money Pitch, November 21, 2026, three matches",
        due_payment_texts=tuple(f"{name} pays {names[0]} $1.20" for name in names[1:]),
        people_and_amounts=tuple((name, "−$1.20") for name in names),
        matches_and_amounts=((", ".join(names[:8]), f"{names[0]} gets $1.20"),) * matches,
    )


@pytest.mark.parametrize("size", [ORDINARY, LARGE])
@each_paper
def test_a_night_is_one_page(paper: Paper, size: str) -> None:
    printed = print_draft(draft_money_slip(slip_of(5), PrintOptions(paper, "black", size)))

    assert printed.pages == 1
    assert "none" not in printed.style, "the matches are on it"
    assert "Ann1 pays Ann0 $1.20" in text_of(printed.content)


@pytest.mark.parametrize("name", ["Ann", "W" * 24])
@each_paper
def test_a_night_of_many_people_with_long_names_is_one_page(paper: Paper, name: str) -> None:
    printed = print_draft(draft_money_slip(slip_of(20, 25, name), PrintOptions(paper)))

    assert printed.pages == 1
