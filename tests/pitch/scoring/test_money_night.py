"""A money night: sums are zero, all are within a cent of their exact share, and those who left keep theirs."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.scoring.money import round_to_whole_cents, settle_night

PEOPLE = ("ann", "bob", "cal", "dot", "eve", "fay", "gus", "hal")


@st.composite
def matches(draw: st.DrawFn) -> dict[str, Fraction]:
    """Some people, each with a score, settled by the average: the shares are exact, and add up to zero."""
    people = draw(st.permutations(PEOPLE))[: draw(st.integers(2, len(PEOPLE)))]
    points = [draw(st.integers(-40, 40)) for _ in people]
    cents = draw(st.integers(1, 25))
    average = Fraction(sum(points), len(people))
    return {who: (score - average) * cents for who, score in zip(people, points, strict=True)}


nights = st.lists(matches(), min_size=1, max_size=25)


def exact(night: list[dict[str, Fraction]]) -> dict[str, Fraction]:
    return {who: sum((match.get(who, Fraction()) for match in night), Fraction()) for who in PEOPLE}


@given(nights)
def test_after_every_match_all_sums_are_zero_and_within_a_cent_of_the_exact_share(
    night: list[dict[str, Fraction]],
) -> None:
    for number, settled in enumerate(settle_night(night), 1):
        share = exact(night[:number])
        assert sum(settled.cents_by_person.values()) == 0
        assert sum(settled.change_by_person.values()) == 0
        assert all(abs(cents - share[who]) < 1 for who, cents in settled.cents_by_person.items())


@given(nights)
def test_what_the_matches_settle_adds_up_to_the_night(night: list[dict[str, Fraction]]) -> None:
    settled = settle_night(night)

    added = {who: sum(match.change_by_person.get(who, 0) for match in settled) for who in settled[-1].cents_by_person}

    assert added == settled[-1].cents_by_person


@given(matches())
def test_one_match_alone_is_rounded_as_its_own_page_does(match: dict[str, Fraction]) -> None:
    assert settle_night([match])[0].cents_by_person == round_to_whole_cents(match)


def test_whoever_left_keeps_the_cents_that_they_left_with() -> None:
    third = Fraction(100, 3)
    first = {"ann": -third, "bob": -third, "cal": 2 * third}
    second = {"bob": third, "dot": third, "cal": -2 * third}

    left, later = settle_night([first, second])

    assert left.cents_by_person["ann"] == later.cents_by_person["ann"] == -33
    assert "ann" not in later.change_by_person


def test_what_a_match_adds_is_in_its_own_order() -> None:
    later = settle_night([{"ann": Fraction(1), "bob": Fraction(-1)}, {"cal": Fraction(1), "ann": Fraction(-1)}])[1]

    assert [*later.change_by_person] == ["cal", "ann"]


def test_a_cent_of_somebody_who_left_moves_where_it_would_not_add_up_otherwise() -> None:
    share = Fraction(3, 10)
    people = ("ann", "bob", "cal", "dot", "eve", "fay")
    rest = {"gus": -6 * share}
    night = [dict.fromkeys(people, share) | rest, {"gus": 2 * share, "hal": -2 * share}, {"hal": share, "ivy": -share}]

    settled = settle_night(night)

    owed = {
        who: sum((match.get(who, Fraction()) for match in night), Fraction()) for who in settled[-1].cents_by_person
    }
    assert all(abs(cents - owed[who]) < 1 for who, cents in settled[-1].cents_by_person.items())
    assert sum(settled[-1].cents_by_person.values()) == 0
