"""Every hand of the acceptance cases, settled by its address: what comes of it is what its match says."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import parse_qsl, urlencode

from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import RecordsRefused
from scorekeeper.matches.fold import Match
from scorekeeper.matches.what_if import played_match
from scorekeeper.pages.match import page
from scorekeeper.pages.settle.form import form_of_hand, read_form, settle
from scorekeeper.pitch.compare.alternatives import Ruling
from scorekeeper.pitch.compare.ruling import settle_record
from scorekeeper.pitch.compare.what_if import PLAYS_MEANWHILE, other_answers, what_if
from scorekeeper.pitch.records.record import RefusedRecord, read_record, write_record
from scorekeeper.pitch.records.result import Rulebook
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.web.library import library
from tests.common.ci import IS_CI
from tests.common.importing import import_records
from tests.common.library import LIBRARY
from tests.pitch.compare.test_ruling import one_by_one
from tests.pitch.scoring.random_records import random_record

CASES = Path(__file__).parents[1] / "acceptance" / "public.jsonl"


def winning_places(state: MatchState) -> list[int]:
    """Return the places of those who have won."""
    return [list(state.scores).index(side) for side in state.winners]


def test_the_ruling_on_every_hand_agrees_with_its_match(app: Flask) -> None:
    settled: Counter[str] = Counter()
    for number, line in enumerate(CASES.read_text(encoding="utf-8").splitlines()):
        with app.test_request_context():
            case = json.loads(line)
            try:
                (match,) = import_records(db.session, library(), [case["record"]], client_key=f"case-{number}")
            except RecordsRefused:
                continue
            for result in match.state.results:
                if result.status != "scored":
                    continue
                form = form_of_hand(match, result)
                settled["without an address" if form is None else "by address"] += 1
                if form is None:
                    continue
                query = urlencode(form.fields())
                again = settle(read_form(MultiDict(parse_qsl(query)), len(query)), Budget())
                assert again.ruling is not None, (case["id"], result.number, again.unfinished, again.entry.faults)
                state = again.ruling.state
                assert list(state.scores.values()) == list(result.scores.values()), (case["id"], result.number)
                assert again.ruling.result.score is not None
                assert result.score is not None
                assert again.ruling.result.score.made == result.score.made
                if result is match.state.results[-1]:
                    assert winning_places(state) == winning_places(match.state), (case["id"], result.number)
    assert settled["by address"] > 100
    assert not settled["without an address"], settled


Readings = dict[str, list[int] | None]
"""Who wins by each other answer, by their places; `None` where that is not known."""


def readings_of(ruling: Ruling | None) -> Readings:
    """Return who wins by each of the other readings that a page or the command has."""
    if ruling is None:
        return {}
    order = list(ruling.state.scores)
    return {
        str(dict(reading.house)): None if reading.winners is None else sorted(map(order.index, reading.winners))
        for reading in ruling.others
    }


def test_the_match_page_and_what_if_say_the_same_of_every_reading_of_a_whole_match(app: Flask) -> None:
    compared: Counter[str] = Counter()
    random = Random(31)
    for number in range(250):
        with app.test_request_context():
            record = {**random_record(random, LIBRARY), "stopped": False}
            try:
                (match,) = import_records(db.session, library(), [record], client_key=f"whole-{number}")
            except RecordsRefused:
                continue
            ruling, played = page._readings(match), played_match(match)
            for reading in ruling.others if ruling else ():
                other, faults = with_house(played.rules, reading.house)
                assert not faults
                again = what_if(played, other, answered=reading.house)
                # While a match goes on its page tries no more hands than that, and says that it does not know.
                is_cut = reading.replayed and reading.replayed.is_more_untold and again.plays > PLAYS_MEANWHILE
                assert reading.winners == (None if is_cut else again.otherwise.winners), (record, reading, again)
                compared["replayed" if reading.replayed else "of the last hand"] += 1
    assert min(compared["replayed"], compared["of the last hand"]) > 50, compared


def test_every_page_and_the_command_say_the_same_of_every_reading(app: Flask) -> None:
    compared: Counter[str] = Counter()
    rulebook = Rulebook(library())
    for number, line in enumerate(CASES.read_text(encoding="utf-8").splitlines()):
        with app.test_request_context():
            record = json.loads(line)["record"]
            try:
                hands = list(one_by_one(read_record(record)))
            except RefusedRecord:
                continue
            for place, one in enumerate(hands[-2:]):
                key = f"one-{number}-{place}"
                try:
                    (match,) = import_records(db.session, library(), [write_record(one)], client_key=key)
                except RecordsRefused:
                    continue
                form = form_of_hand(match, match.state.results[-1])
                answers = other_answers(played_match(match))
                order = list(match.state.scores)
                told = {
                    "match page": readings_of(page._readings(match)),
                    "settle page": readings_of(settle(form, Budget()).ruling if form else None),
                    "command": readings_of(settle_record(one, rulebook)),
                    "what if": {
                        str(dict(it.house)): None
                        if it.match.otherwise.winners is None
                        else sorted(map(order.index, it.match.otherwise.winners))
                        for it in answers
                    },
                }
                for reading, winners in told["command"].items():
                    for where in ("match page", "settle page", "what if"):
                        if reading in told[where]:
                            compared[where] += 1
                            assert told[where][reading] == winners, (record, reading, where, told)
    assert min(compared["match page"], compared["settle page"], compared["what if"]) > 150, compared


def random_matches(times: int) -> Iterator[Match]:
    """Yield random matches of every game, so many of each where that many can have been."""
    random = Random(58)
    for ruleset in LIBRARY:
        only = Library({ruleset.id: ruleset})
        for number in range(times):
            record = random_record(random, only)
            try:
                yield import_records(db.session, library(), [record], client_key=f"{ruleset.id}-{number}")[0]
            except RecordsRefused:
                continue


def test_a_hand_of_a_match_opens_as_it_stands(app: Flask) -> None:
    settled: Counter[str] = Counter()
    games: set[str] = set()
    with app.test_request_context():
        for match in random_matches(30 if IS_CI else 5):
            for result in match.state.results:
                form = form_of_hand(match, result) if result.changes_scores else None
                if form is None:
                    settled["without an address"] += result.changes_scores
                    continue
                query = urlencode(form.fields())
                again = settle(read_form(MultiDict(parse_qsl(query)), len(query)), Budget())
                told = (match.state.ruleset.id, result.hand, query)
                then = match.state_before(result.place + 1)
                if again.unfinished and again.unfinished.target == "first_there":
                    assert then.question, told
                    settled["asked"] += 1
                    continue
                assert again.ruling is not None, (again.unfinished, again.entry.faults, *told)
                state = again.ruling.state
                assert list(state.scores.values()) == list(result.scores.values()), told
                assert winning_places(state) == winning_places(then), told
                assert (state.outcome and state.outcome.rule) == (then.outcome and then.outcome.rule), told
                assert bool(state.question) == bool(then.question), told
                games.add(match.state.ruleset.id)
                settled[result.status] += 1
    assert games == {ruleset.id for ruleset in LIBRARY}
    assert settled["scored"] > 3 * len(games), settled
    assert not settled["without an address"], settled
