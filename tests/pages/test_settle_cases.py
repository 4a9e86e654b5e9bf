"""Every hand of many matches, settled by its address, has the result that it has in its match."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import RecordsRefused
from scorekeeper.matches.fold import Match
from scorekeeper.pages.settle.form import SettledHand, form_of_hand, read_form, settle
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.web.library import library
from tests.acceptance.test_public_cases import CASES
from tests.common.ci import IS_CI
from tests.common.importing import import_records
from tests.common.library import LIBRARY
from tests.common.phone import Phone
from tests.pitch.scoring.random_records import random_record


def ending(state: MatchState) -> tuple[object, ...]:
    """Return the scores and the outcome of a match by the order of its sides, whatever their names."""
    winners = [list(state.scores).index(side) for side in state.winners]
    return [*state.scores.values()], winners, state.outcome and state.outcome.rule, bool(state.question)


def settled_by(query: str) -> SettledHand:
    """Settle the hand of an address."""
    return settle(read_form(MultiDict(parse_qsl(query)), len(query)), Budget())


def records(times: int) -> Iterator[dict[str, Any]]:
    """Yield the acceptance cases, and so many random matches of every game."""
    yield from (case["record"] for case in CASES)
    random = Random(58)
    for ruleset in LIBRARY:
        for _ in range(times):
            yield random_record(random, ruleset)


def matches(times: int) -> Iterator[Match]:
    """Yield the matches whose records can be imported."""
    for number, record in enumerate(records(times)):
        try:
            yield import_records(db.session, library(), [record], idempotency_key=f"match-{number}")[0]
        except RecordsRefused:
            continue


def test_a_hand_of_a_match_opens_as_it_stands(app: Flask) -> None:
    settled: Counter[str] = Counter()
    games: set[str] = set()
    addresses: dict[str, str] = {}
    """An address for each field, which the page of that address has to keep."""
    with app.test_request_context():
        for match in matches(30 if IS_CI else 5):
            for result in filter(lambda result: result.changes_scores, match.state.results):
                form = form_of_hand(match, result)
                case = (match.state.ruleset.id, result.hand)
                assert form, case
                query = urlencode(form.fields())
                again, then = settled_by(query), match.state_before(result.position + 1)
                if again.unfinished and again.unfinished.target == "first_there":
                    assert then.question, (*case, query)
                    continue
                assert again.ruling is not None, (again.unfinished, again.faults, *case, query)
                assert ending(again.ruling.state) == ending(then), (*case, query)
                if result.score is not None:
                    assert again.ruling.result.score is not None
                    assert again.ruling.result.score.made == result.score.made
                games.add(match.state.ruleset.id)
                settled[result.status] += 1
                addresses |= dict.fromkeys(form.fields(), query)
    assert games == {ruleset.id for ruleset in LIBRARY}
    assert settled["scored"] > 3 * len(games), settled
    phone = Phone(app.test_client())
    for name, query in addresses.items():
        shown = dict(phone.open(f"/settle?{query}").form("/settle").fields)
        reopened, opened = settled_by(urlencode(shown)).ruling, settled_by(query).ruling
        assert opened is not None
        assert reopened is not None, (name, query)
        assert (reopened.state.scores, reopened.state.outcome) == (opened.state.scores, opened.state.outcome), (
            name,
            query,
        )
