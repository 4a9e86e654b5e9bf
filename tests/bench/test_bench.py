"""The bench: what no busy machine changes is held to its limit here, and all else to ten times as much."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.bench import __main__ as command
from tests.bench import figure as timing
from tests.bench import in_process, phones, served
from tests.bench.bench import open_bench

pytestmark = pytest.mark.xdist_group("bench")  # what is measured once is shared by all of them


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, dict[str, Any]]]:
    """Measure everything once, with fewer rounds than the bench itself takes."""
    with pytest.MonkeyPatch.context() as fewer:
        fewer.setenv("SCOREKEEPER_INSTANCE", str(tmp_path_factory.mktemp("bench")))
        for rounds in ("PAGE_ROUNDS", "UNREAD_ROUNDS", "HAND_ROUNDS", "REPLAY_ROUNDS", "PRINT_ROUNDS"):
            fewer.setattr(in_process, rounds, 12)
        fewer.setattr(timing, "PATIENCE", 1)
        fewer.setattr(served, "SECONDS", 0.3)
        fewer.setattr(in_process, "SHEETS", 2)
        fewer.setattr(served, "RECORDS", 100)
        fewer.setattr(served, "REQUESTS", 60)
        fewer.setattr(phones, "PHONES", 5)
        fewer.setattr(phones, "WRITTEN", 1)
        fewer.setattr(phones, "PERIODS", 1)
        fewer.setattr(served, "PRINTERS", 2)
        fewer.setattr(served, "PRINTED", 1)
        fewer.setattr(served, "QUIET", 0.2)
        with open_bench() as bench:
            yield {figure.name: figure.as_json() for figure in command.measure(bench)}


def test_the_memory_of_the_server_keeps_to_its_limit(figures: dict[str, dict[str, Any]]) -> None:
    assert figures["server_memory"]["ok"]


@pytest.mark.parametrize(
    ("name", "most"),
    [("unchanged_poll", 10), ("replay_40_hands", 60), ("pdf_cached", 100), ("record_hand", 30), ("match_page", 5)],
)
def test_nothing_takes_ten_times_as_long_beside_its_floor_as_it_should(
    figures: dict[str, dict[str, Any]], name: str, most: float
) -> None:
    assert figures[name]["ratio"] < most
