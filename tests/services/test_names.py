"""Names change, and everything that was written follows."""

import pytest
from sqlalchemy.orm import Session

from scorekeeper.services.matches import record_hand, rename, retitle
from scorekeeper.services.refusals import Refused
from scorekeeper.services.standing import LoadedMatch
from tests.services.conftest import Begin
from tests.services.hands import HAND


def renamed(session: Session, match: LoadedMatch, **names: str) -> LoadedMatch:
    return rename(session, match.code, names, client_key=str(match.version))


def test_a_side_is_called_after_its_players(session: Session, match: LoadedMatch) -> None:
    record_hand(session, match.code, HAND, seq=1, client_key="one")

    after = renamed(session, match, p1="Anna")

    assert after.state.scores == {"Anna & Cal": 3, "Bo & Di": 1}
    assert after.record.players == ("Anna", "Bo", "Cal", "Di")
    assert after.record.sides is None
    assert after.state.hands[0].bidder == "Anna"


def test_a_side_gets_a_name_of_its_own_and_loses_it_again(session: Session, match: LoadedMatch) -> None:
    named = renamed(session, match, s1="Us")
    nameless = rename(session, match.code, {"s1": ""}, client_key="back")

    assert list(named.state.scores) == ["Us", "Bo & Di"]
    assert named.record.sides == (("Us", ("Ann", "Cal")), ("Bo & Di", ("Bo", "Di")))
    assert list(nameless.state.scores) == ["Ann & Cal", "Bo & Di"]
    assert nameless.record.sides is None


def test_a_form_that_repeats_a_sides_name_does_not_make_it_its_own(session: Session, match: LoadedMatch) -> None:
    after = renamed(session, match, p1="Anna", s1="Ann & Cal", s2="Bo & Di")

    assert list(after.state.scores) == ["Anna & Cal", "Bo & Di"]


def test_two_people_swap_names_in_one_form(session: Session, match: LoadedMatch) -> None:
    after = renamed(session, match, p1="Bo", p2="Ann")

    assert after.record.players == ("Bo", "Ann", "Cal", "Di")


def test_where_each_is_alone_a_player_is_a_side(begin: Begin, session: Session) -> None:
    match = begin(variant="cutthroat-pitch", players=["Ann", "Bo", "Cal"], house={})

    after = renamed(session, match, p2="Bob")

    assert list(match.names) == ["p1", "p2", "p3"]
    assert list(after.state.scores) == ["Ann", "Bob", "Cal"]


def test_sides_without_players_have_names(begin: Begin, session: Session) -> None:
    match = begin(players=None, sides=[("Us", []), ("Them", [])])

    after = renamed(session, match, s2="You")

    assert list(after.state.scores) == ["Us", "You"]
    with pytest.raises(Refused, match="1 to 24"):
        rename(session, match.code, {"s1": ""}, client_key="empty")


@pytest.mark.parametrize(
    ("names", "field"),
    [
        ({"p1": ""}, "names.p1"),
        ({"p1": " Ann"}, "names.p1"),
        ({"p1": "x" * 25}, "names.p1"),
        ({"p1": "A\nnn"}, "names.p1"),
        ({"p1": "A\u202eB"}, "names.p1"),
        ({"p1": "\u200b"}, "names.p1"),
        ({"s1": "x" * 25}, "names.s1"),
        ({"p9": "Eve"}, "names.p9"),
        ({"p1": "Bo"}, "players.1"),
        ({"p1": "bidders"}, "players.0"),
        ({"s1": "Bo"}, "sides.0.name"),
        ({"s1": "Us", "s2": "Us"}, "sides.1.name"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_all_the_others(
    session: Session, match: LoadedMatch, names: dict[str, str], field: str
) -> None:
    with pytest.raises(Refused) as refused:
        rename(session, match.code, {"p3": "Carl", **names}, client_key="names")

    assert field in [item.fault.field for item in refused.value.faults]
    assert renamed(session, match, p4="Dee").record.players == ("Ann", "Bo", "Cal", "Dee")


@pytest.mark.parametrize("name", ["Åsa", "李小龍", "שרה", "O’Neill", "👩\u200d🌾", "7"])
def test_a_name_may_be_written_in_any_script(session: Session, match: LoadedMatch, name: str) -> None:
    assert renamed(session, match, p1=name).names["p1"] == name


def test_names_that_stay_are_not_written(session: Session, match: LoadedMatch) -> None:
    assert renamed(session, match, p1="Ann", s1="").version == 0


def test_the_match_gets_a_title_and_loses_it(session: Session, match: LoadedMatch) -> None:
    titled = retitle(session, match.code, "Friday at the lake", client_key="one")
    untitled = retitle(session, match.code, "", client_key="two")

    assert (titled.title, titled.record.title) == ("Friday at the lake", "Friday at the lake")
    assert (untitled.title, untitled.record.title) == ("", None)
    with pytest.raises(Refused, match="60 fit"):
        retitle(session, match.code, "x" * 61, client_key="three")
