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
from scorekeeper.pages.settle.form import form_of_hand, read_form, settle
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.web.library import library
from tests.common.ci import IS_CI
from tests.common.importing import import_records
from tests.common.library import LIBRARY
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
