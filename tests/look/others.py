"""Sample pages beside the match: home, a new match, menu, confirmations, files, errors."""

from dataclasses import replace

from scorekeeper.rules.faults import Fault
from scorekeeper.web.new_match.choose_game import Search, choose_game_page
from scorekeeper.web.new_match.form import empty_form
from scorekeeper.web.new_match.page import table_page
from scorekeeper.web.shared.library import library
from tests.look.people import ALONE

CHOOSE = choose_game_page(library(), Search(name="setback"), [], "partnership-pitch")
NEW = table_page(
    replace(
        empty_form(library()["partnership-pitch"], 4),
        names=("Ann", "Dan", "Cal", "Bea"),
        answers={"target": "21", "dealer_steal": "no"},
        title="Thursday at Oma’s",
    ),
    "k",
    share_code="",
    known_names=(),
)
NEW_FIVE = table_page(
    replace(
        empty_form(library()["pawnee-call-your-partner"], 5),
        names=(*(side.name for side in ALONE[:3]), "", ""),
        dealer=4,
    ),
    "k",
    share_code="",
    known_names=("Ann", "Bea"),
    faults=(Fault("players.1", "same_name", "Two people are called Bob."),),
)
