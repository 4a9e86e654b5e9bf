"""The list of a night on paper: as few pages as it needs."""

from random import Random

from scorekeeper.club.nights.events import EntrantArrived, GameWon, PartnersDrawn, RoundsAgreed
from scorekeeper.club.nights.night import SINGLES, NightPlanned
from scorekeeper.club.nights.sheets import draft_standings
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.print_options import PrintOptions
from tests.club.nights.nights import fold_night, moved, seated, won, written
from tests.printing.made import each_paper
from tests.printing.pages import text_of

ROUNDS = 7


@each_paper
def test_seven_rounds_of_twelve_tables_take_two_pages(paper: str) -> None:
    rng = Random(1)
    night = written(seated(*(f"Ann{number} & Cal{number}" for number in range(24))), RoundsAgreed(rounds=ROUNDS))
    for number in range(1, ROUNDS + 1):
        night = won(night, *(night.name(rng.choice(game.sides)) for game in night.current_round.games))
        first = night.rounds[-1].games[0]
        assert first.winner
        night = written(night, GameWon(round=number, table=1, winner=first.winner, scores=(11, 7)))
        night = night if night.is_over else moved(night)

    assert print_draft(draft_standings(night, PrintOptions(paper=paper))).pages == 2  # type: ignore[arg-type]


def test_no_word_of_the_standings_is_broken_beside_long_names() -> None:
    night = seated(*(f"Maximilian Featherstone{number} & Bartholomew Cholmondele{number}" for number in range(8)))

    assert "Where Won # Name Where Won" in text_of(print_draft(draft_standings(night, PrintOptions())).content)


def test_all_who_sat_out_a_round_are_named_in_one_line() -> None:
    players = (EntrantArrived(players=(name,)) for name in ("Ann", "Bea", "Cal", "Dan", "Sue", "Carla"))
    drawn = PartnersDrawn(round=1, partners=(((2, 3), (4, 5)),), out=(6, 7))

    night = fold_night(NightPlanned(mode=SINGLES), *players, drawn)

    assert "Round 1 <small>Sue and Carla sat out</small>" in draft_standings(night, PrintOptions()).body
