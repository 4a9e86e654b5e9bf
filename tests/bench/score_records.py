"""Ten thousand records through `scorekeeper score --lines`."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.shared.library import library
from tests.bench.bench import Bench
from tests.bench.client import WrongAnswer
from tests.bench.figure import Figure
from tests.bench.timing import timed

RECORDS = 10_000
HANDS = 10
"""About as many as it takes two sides to get to the end."""
LONGEST = 10.0
PEOPLE = (("Us", "Ann", "Cal"), ("Them", "Bo", "Dee"))
SCORE = ("-m", "scorekeeper", "score", "--lines")
COPY = ("-c", "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)))")


def score_records_figure(bench: Bench) -> Figure:
    """Time the command against a program that only reads and writes the same lines as JSON."""
    records, results = bench.folder / "records.jsonl", bench.folder / "results.jsonl"
    with records.open("w", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(record)}\n" for record in islice(_records(), RECORDS))
    floor = timed(lambda: _through(COPY, records, results))()
    real = timed(lambda: _through(SCORE, records, results))()
    _check(results)
    return Figure(
        name="score_10000_records",
        value=real,
        unit="s",
        floor=floor,
        limit=LONGEST,
        label="10,000 records through score --lines",
        floor_label="reading and writing the same lines as JSON",
    )


def _through(command: tuple[str, ...], records: Path, results: Path) -> None:
    with records.open("rb") as given, results.open("wb") as written:
        subprocess.run([sys.executable, *command], stdin=given, stdout=written, check=True)


def _check(results: Path) -> None:
    with results.open(encoding="utf-8") as file:
        statuses = [json.loads(line)["status"] for line in file]
    if len(statuses) != RECORDS or "refused" in statuses:
        raise WrongAnswer("not every record was scored")


def _records() -> Iterator[dict[str, Any]]:
    """Yield records of every variant that two pairs play and that leaves nothing to agree."""
    random = Random(21)
    pairs = [ruleset for ruleset in library() if ruleset.table.partners == {4: 2} and not ruleset.to_agree]
    pairs = [ruleset for ruleset in pairs if not ruleset.seldom_awards]
    for ruleset in cycle(pairs):
        sides = [{"name": side, "players": players} for side, *players in PEOPLE]
        hands = [_hand(ruleset, random) for _ in range(HANDS)]
        yield {"format": "pitch-record/1", "variant": ruleset.id, "sides": sides, "hands": hands}


def _hand(ruleset: Ruleset, random: Random) -> dict[str, Any]:
    bidding = random.choice(PEOPLE)
    hand: dict[str, Any] = {"taken": {award: random.choice(PEOPLE)[0] for award in ruleset.in_play}}
    if ruleset.bidding.auction:
        hand["bidder"] = random.choice(bidding[1:])
        hand["bid"] = random.choice([bid for bid in ruleset.bids if isinstance(bid, int)])
    return hand
