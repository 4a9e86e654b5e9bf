"""Every hand of the acceptance cases, settled by its address: what comes of it is what its match says."""

import json
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.engine.match import MatchState
from scorekeeper.extensions import db
from scorekeeper.services.import_export import RecordsRefused
from scorekeeper.web.settle.form import form_of_hand, read_form, settle
from scorekeeper.web.shared.library import library
from tests.importing import import_records

CASES = Path(__file__).parents[1] / "acceptance" / "public.jsonl"


def winning_places(state: MatchState) -> list[int]:
    """Return the places of those who have won."""
    return [list(state.scores).index(side) for side in state.winners]


def test_the_ruling_on_every_hand_agrees_with_its_match(app: Flask) -> None:
    settled: Counter[str] = Counter()
    with app.test_request_context():
        for number, line in enumerate(CASES.read_text(encoding="utf-8").splitlines()):
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
                again = settle(read_form(MultiDict(parse_qsl(query)), len(query)))
                assert again.ruling is not None, (case["id"], result.number, again.missing, again.entry.faults)
                state = again.ruling.state
                assert list(state.scores.values()) == list(result.scores.values()), (case["id"], result.number)
                assert again.ruling.result.score is not None
                assert result.score is not None
                assert again.ruling.result.score.made == result.score.made
                if result is match.state.results[-1]:
                    assert winning_places(state) == winning_places(match.state), (case["id"], result.number)
    assert settled["by address"] > 100
    assert not settled["without an address"], settled
