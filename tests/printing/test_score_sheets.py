"""The score sheet of a match: everything that happened, on as many pages as it takes."""

import itertools
import re

import pytest

from scorekeeper.pitch.rules.share_codes import fingerprint
from scorekeeper.printing.fitting import print_draft
from scorekeeper.printing.pdf import CSS_FOLDER
from scorekeeper.printing.print_options import LARGE, Paper, PrintOptions
from scorekeeper.printing.score_sheet import HandRow, ScoreSheet, draft_score_sheet
from tests.common.library import LIBRARY
from tests.printing.made import each_paper, made
from tests.printing.matches import ALONE, alone, partners, sheet_of, ten_points
from tests.printing.pages import HOSTILE, text_of
from tests.printing.pictures import picture_of

DEFAULT = PrintOptions()
TAKEN = {"high": "Us", "low": "Us", "jack": "Us", "game": "Them"}
COUNTED = {"card_points": {"Us": 36, "Them": 44}, "note": "The cat lay on the cards."}
WON = partners(1, house={}, start={"scores": {"Us": 18, "Them": 24}}) | {
    "hands": [{"bidder": "Cal", "bid": 3, "trump": "hearts", "taken": TAKEN, **COUNTED}]
}


def sheet_text(sheet: ScoreSheet, options: PrintOptions = DEFAULT) -> str:
    """Return the whole text of a printed score sheet."""
    return text_of(print_draft(draft_score_sheet(sheet, options)).content)


def in_money(variant: str, players: int, hands: int) -> dict[str, object]:
    """Return the record of a match for money, in which the points go around."""
    record, awards = alone(players, hands), LIBRARY[variant].in_play
    names = itertools.cycle(ALONE[:players])
    for hand in record["hands"]:
        hand["taken"] = {award: next(names) for award in awards}
        next(names)
    return record | {"variant": variant, "house": {}}


@each_paper
@pytest.mark.parametrize(
    "record",
    [
        *(partners(0), partners(16), ten_points(16)),
        *(in_money("money-pitch", 5, 16), in_money("racehorse", 3, 16), in_money("racehorse", 6, 16)),
    ],
)
def test_a_match_of_up_to_sixteen_hands_fits_one_page(record: dict[str, object], paper: Paper) -> None:
    sheet = made(draft_score_sheet(sheet_of(record), PrintOptions(paper)))

    assert sheet.pages == 1
    assert min(sheet.sizes) >= 9


@each_paper
@pytest.mark.parametrize(("record", "most"), [(partners(40), 3), (partners(100), 6), (alone(8, 100), 9)])
def test_hands_that_do_not_fit_go_on_under_the_same_heads(record: dict[str, object], most: int, paper: Paper) -> None:
    wanted = sheet_of(record)

    sheet = made(draft_score_sheet(wanted, PrintOptions(paper)))

    numbers = re.findall(r"(?<=\s)\d+(?= [A-Z][a-z]+ [234] )", sheet.text)
    assert 1 < sheet.pages <= most
    assert all("#" in text and "Bid" in text for text in sheet.texts)
    assert [f"Page {n} of {sheet.pages}" in text for n, text in enumerate(sheet.texts, 1)] == [True] * sheet.pages
    assert [int(number) for number in numbers] == list(range(1, len(wanted.hands) + 1))
    assert not sheet.warnings


def test_it_says_who_when_by_which_rules_and_why() -> None:
    text = sheet_text(sheet_of(WON))

    for part in (
        *(
            "Thursday at Oma’s",
            "November 20, 2026",
            "Partnership Pitch, to 21",
            "Us",
            "Ann & Cal",
            "Bea & Dan",
            "Us win",
        ),
        "Us bid 3, made it and have 21. Them have 25, but did not bid this hand.",
        *("Cal 3 ♥", "made", "High, Low, Jack: Us +3", "Game, 44 to 36: Them +1", "The cat lay on the cards."),
        "How this match ends: First to 21 at the end of a hand, and only on a made bid. (rule 7.1)",
        "its own bid was made. (rule 7.1)",
        "a set, in which the points taken do not count (rule 6.8)",
        fingerprint(LIBRARY["partnership-pitch"]),
    ):
        assert part in text
    assert "Settled" not in text, "it is not for money"


def test_every_line_of_every_hand_is_there() -> None:
    sheet = sheet_of(alone(5, 8))

    text = sheet_text(sheet).replace("\u00a0", " ")

    every = (": ".join(filter(None, (line.text, line.points))) for hand in sheet.hands for line in hand.lines)
    lines = [line.replace("\u00a0", " ") for line in every]
    assert len(lines) > 20
    assert not [line for line in lines if line not in text]


def test_what_was_put_right_and_taken_out_is_marked() -> None:
    gone = HandRow(number="", bid="Dan 2", corrections=("Deleted 21:14.",))
    sheet = sheet_of(partners(3), corrections={2: ("Corrected 21:10: the bid was 2.",)}, deleted=((1, gone),))

    text = sheet_text(sheet)

    assert "Corrected 21:10: the bid was 2." in text
    assert [hand.number for hand in sheet.hands] == ["1", "", "2", "3"]
    assert "Deleted 21:14." in text


def test_a_change_of_rules_stands_before_the_hand_from_which_it_holds() -> None:
    record = partners(3)
    record["hands"][2] |= {"house": {"min_bid": 2, "target": 52}, "house_on": "2026-11-20"}

    text = sheet_text(sheet_of(record))

    before, after = text.split("From this hand on, November 20, 2026:")
    assert [hand for hand in sheet_of(record).hands if hand.changes] == [sheet_of(record).hands[2]]
    assert "to 500" in before
    assert "52" in after


def test_a_changed_target_is_the_one_that_the_sheet_names() -> None:
    record = partners(3, house={"target": 42})
    record["hands"][1] |= {"house": {"target": 11}}

    text = sheet_text(sheet_of(record))

    assert "Partnership Pitch, to 11" in text
    assert "How this match ends: First to 11 at the end of a hand" in text
    assert "Through hand 1 it was to 42." in text
    assert "House rules at the start Play to 42." in text
    assert "From this hand on: Play to 11." in text
    assert "to 42" not in text.replace("was to 42", "").replace("Play to 42", "")
    assert "(rule" not in sheet_of(record).possible_endings


def test_it_says_who_pays_whom_for_a_hand_and_in_the_end() -> None:
    record = in_money("racehorse", 4, 2)
    taken = {"high": "Ann", "low": "Ann", "jack": "Bob", "game": "Bob"}
    record["hands"] = [{"bidder": who, "bid": bid, "taken": taken} for who, bid in (("Ann", 2), ("Bob", 3))]

    sheet = sheet_of(record)
    text = sheet_text(sheet)

    assert not sheet.chart
    assert not picture_of(record).chart
    assert "for money gets $9 owes $11 gets $1 gets $1 Not over" in text
    assert "Bob, Cleo and Dad each pay Ann $2 +$6 −$2 −$2 −$2" in text
    assert "Bob pays Ann, Cleo and Dad $3 each." in text
    assert "Settled now: Bob pays Ann $9; Bob pays Cleo $1; Bob pays Dad $1." in text
    assert "in points" not in text


def test_an_unfinished_and_a_stopped_match_say_so() -> None:
    assert sheet_of(partners(3)).heading == "Not over yet"
    assert sheet_of(partners(3, stopped=True)).heading == "Stopped"


@pytest.mark.parametrize(("size", "points"), [("ordinary", 11), (LARGE, 16)])
def test_nothing_is_smaller_than_nine_points_and_large_print_is_sixteen(size: str, points: int) -> None:
    sizes = made(draft_score_sheet(sheet_of(partners(6)), PrintOptions(size=size))).sizes

    assert min(sizes) >= 9
    assert points in sizes


@pytest.mark.parametrize("text", HOSTILE)
def test_free_text_is_only_ever_text(text: str) -> None:
    sheet = sheet_of(partners(3, title=text, place=text, note=text), corrections={1: (text,)})

    draft = draft_score_sheet(sheet, PrintOptions())

    ours = f"<style>{(CSS_FOLDER / 'drawings.css').read_text(encoding='utf-8')}</style>"
    assert ours in draft.body
    assert not re.search(r"<(script|img|link|style)", draft.body.replace(ours, ""))
    for options in (PrintOptions(), PrintOptions(ink="black")):
        assert sheet_text(sheet, options).replace(" ", "").count(text.replace(" ", "")) >= 3


NAMES = {
    "wide": tuple(f"{letter * 59}{n}" for n, letter in enumerate("WMWMWMWM")),
    "long words": tuple(f"Donaudampfschifffahrtsgesellschaftskapitän{n}" for n in range(8)),
    "arabic": tuple(f"منزل {n}" for n in range(8)),
    "cyrillic": tuple(f"Александра Константиновна {n}" for n in range(8)),
    "chinese": tuple(f"米勒家的皮奇牌戏{n}" for n in range(8)),
    "signs": tuple(f"<b>&amp;“{n}” ♠ 🂡" for n in range(8)),
}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_no_name_is_cut_or_leaves_its_place(kind: str, players: int) -> None:
    sheet = made(draft_score_sheet(sheet_of(alone(players, 4, NAMES[kind])), PrintOptions("letter")))

    assert sheet.faults == ()
    assert not [warning for warning in sheet.warnings if not warning.startswith(".notdef glyph")]


@pytest.mark.parametrize("size", ["ordinary", LARGE])
def test_the_longest_texts_keep_to_their_page(size: str) -> None:
    record = partners(4, title="W" * 200, place="place " * 33, note="A note. " * 249)
    record["hands"][1]["note"] = "Wörterschlangen" * 130
    sheet = sheet_of(record, corrections={2: ("Corrected: " + "x" * 300,)})

    faults = made(draft_score_sheet(sheet, PrintOptions(size=size))).faults
    assert not [fault for fault in faults if "is left alone by" not in fault]


@pytest.mark.parametrize("players", [3, 8])
def test_in_large_print_neither_who_bid_nor_a_sign_and_its_number_are_broken(players: int) -> None:
    names = ("Bartholomew Cholmondeley", *ALONE[1:])

    text = sheet_text(sheet_of(alone(players, 9, names)), PrintOptions("letter", size=LARGE))

    assert "Bartholomew Cholmondeley 2" in text
    assert not re.search(r"[+−] \d", text)


LOST = partners(1, house={"all_pass": "may_take_set"}, start={"scores": {"Us": 5, "Them": 20}}) | {
    "hands": [
        {"bidder": "Ann", "bid": 4, "taken": TAKEN},
        {"bidder": "Ann", "bid": "smudge", "taken": dict.fromkeys(TAKEN, "Us"), "all_tricks": False},
        {"dealer": "Ann", "auction": [["Bea", "pass"], ["Cal", "pass"], ["Dan", "pass"], ["Ann", "take_set"]]},
    ]
}


def test_it_says_what_a_set_side_took_in_vain_and_by_which_rule() -> None:
    text = sheet_text(sheet_of(LOST))

    assert re.search(r"bid 4, took 3: set: Us\s−4; does not count: High, Low, Jack; Game: Them\s\+1", text)
    assert re.search(r"not every trick: set: Us\s−5; does not count: High, Low, Jack, Game; rule 3\.3", text)
    assert re.search(r"went set instead of bidding: Us\s−2; rule 3\.4", text)


def test_it_says_how_everybody_comes_to_what_they_are_owed() -> None:
    record = in_money("money-pitch", 4, 1)
    record |= {"start": {"scores": {"Ann": 4, "Bob": 1, "Cleo": 0, "Dad": 2}}}
    taken = dict.fromkeys(LIBRARY["money-pitch"].in_play, "Ann")
    record["hands"] = [{"bidder": "Ann", "bid": "moon", "taken": taken, "all_tricks": True}]

    text = sheet_text(sheet_of(record))

    assert "Settled now: " in text
    assert re.search(r"Ann: \+22\.5 cents for 4 points, \+\$3 in hand 1: gets \$3\.2", text)
    assert "The average is 1.75 points" in text
    assert "(rules 3.6, 7.2)" in text


def test_what_is_an_agreed_reading_has_its_dagger_as_on_the_screen() -> None:
    hand = {"bidder": "Ann", "bid": 3, "taken": {"high": "Ann", "low": "Ann", "jack": "Ann", "game": "Bob"}}
    sheet = sheet_of(alone(4, 0) | {"variant": "solo-with-bidding", "house": {"target": 7}, "hands": [hand] * 3})

    assert sheet.deciding_rule.endswith("(rule 7.1†)")
    assert sheet.legend.endswith(". † In whole or part an agreed reading.")
    assert "(rule 7.1†)" in sheet_text(sheet)
    assert "†" not in sheet_text(sheet_of(WON))
