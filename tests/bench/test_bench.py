"""The bench: every figure beside its floor, measured on the real app, and a run that fails where a limit is missed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.bench import __main__ as command
from tests.bench import bench as benches
from tests.bench import figure as timing
from tests.bench import in_process, phones, served
from tests.bench.bench import HANDS, Bench, InProcessPhone, WrongAnswer, open_bench
from tests.bench.figure import Figure, medians, percentile, table
from tests.bench.served import loaded_by

UNITS = {
    "match_page": "ms",
    "match_page_unread": "ms",
    "match_page_served": "ms",
    "record_hand": "ms",
    "unchanged_poll": "ms",
    "replay_40_hands": "ms",
    "score_10000_records": "s",
    "pdf_first": "ms",
    "pdf_cached": "ms",
    "first_visit": "kB",
    "entry_visit": "kB",
    "server_memory": "MiB",
    "ten_phones_polling": "%",
    "seconds_to_follow_p95": "s",
    "seconds_to_follow_200_p99": "s",
    "question_of_200_phones": "ms",
    "page_while_printing_p99": "ms",
}
pytestmark = pytest.mark.xdist_group("bench")  # what is measured once is shared by all of them
KEYS = {"value", "unit", "floor", "ratio", "limit", "ok"}


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
        fewer.setattr(phones, "SECONDS", 1.0)
        fewer.setattr(phones, "WRITTEN_FOR_FEW", 1)
        fewer.setattr(phones, "FEW", 3)
        fewer.setattr(phones, "PHONES", 5)
        fewer.setattr(phones, "WRITTEN", 1)
        fewer.setattr(phones, "PERIODS", 1)
        fewer.setattr(served, "PRINTERS", 2)
        fewer.setattr(served, "PRINTED", 1)
        fewer.setattr(served, "QUIET", 0.2)
        with open_bench() as bench:
            yield {figure.name: figure.as_json() for figure in command.measure(bench)}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Set up a bench with one match."""
    with pytest.MonkeyPatch.context() as own:
        own.setenv("SCOREKEEPER_INSTANCE", str(tmp_path_factory.mktemp("bench")))
        own.setattr(benches, "MATCHES", 1)
        with open_bench() as bench:
            yield bench


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of each bench that a test sets up, with one match."""
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setattr(benches, "MATCHES", 1)
    return tmp_path


def figure(name: str = "poll", *, value: float = 1.0, limit: float = 2.0, is_held_to: bool = True) -> Figure:
    return Figure(
        name=name,
        value=value,
        unit="ms",
        floor=0.5,
        limit=limit,
        label=f"a {name}",
        floor_label="the least",
        is_held_to=is_held_to,
    )


def test_every_figure_is_measured(figures: dict[str, dict[str, Any]]) -> None:
    assert {name: told["unit"] for name, told in figures.items()} == UNITS


@pytest.mark.parametrize("name", UNITS)
def test_a_figure_stands_beside_its_floor_and_its_limit(figures: dict[str, dict[str, Any]], name: str) -> None:
    told = figures[name]

    assert set(told) == KEYS
    assert min(told["value"], told["floor"], told["limit"]) > 0
    assert told["ratio"] == pytest.approx(told["value"] / told["floor"], rel=0.01)
    assert told["ok"] is (told["value"] <= told["limit"])


@pytest.mark.parametrize(
    ("name", "times"), [("match_page", 0.85), ("record_hand", 2.5), ("question_of_200_phones", 1.6)]
)
def test_a_page_and_a_hand_are_held_to_their_floors(
    figures: dict[str, dict[str, Any]], name: str, times: float
) -> None:
    assert figures[name]["limit"] == pytest.approx(times * figures[name]["floor"], rel=0.01)


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("unchanged_poll", 0.5),
        ("replay_40_hands", 1),
        ("score_10000_records", 10),
        ("pdf_first", 1500),
        ("pdf_cached", 5),
        ("first_visit", 40),
        ("entry_visit", 66),
        ("match_page_served", 2.5),
        ("server_memory", 140),
        ("ten_phones_polling", 1.5),
        ("seconds_to_follow_p95", 2),
        ("seconds_to_follow_200_p99", 2.1),
        ("page_while_printing_p99", 50),
    ],
)
def test_all_else_is_held_to_a_number(figures: dict[str, dict[str, Any]], name: str, limit: float) -> None:
    assert figures[name]["limit"] == limit


@pytest.mark.parametrize("name", ["first_visit", "entry_visit", "server_memory"])
def test_what_no_busy_machine_changes_keeps_to_its_limit(figures: dict[str, dict[str, Any]], name: str) -> None:
    assert figures[name]["ok"]


@pytest.mark.parametrize(
    ("name", "most"),
    [("unchanged_poll", 10), ("replay_40_hands", 60), ("pdf_cached", 100), ("record_hand", 30), ("match_page", 5)],
)
def test_nothing_takes_ten_times_as_long_beside_its_floor_as_it_should(
    figures: dict[str, dict[str, Any]], name: str, most: float
) -> None:
    assert figures[name]["ratio"] < most


def test_the_match_that_is_measured_has_forty_hands_and_goes_on(bench: Bench) -> None:
    match = bench.load(bench.codes[0])

    assert [result.status for result in match.state.results] == ["scored"] * HANDS
    assert match.status == "in_progress"


def test_a_bare_page_is_the_page_itself(bench: Bench) -> None:
    code = bench.codes[0]
    page = InProcessPhone(bench.app).get(f"/matches/{code}/")
    bare = in_process._bare_phone(bench, token="token").get("/")

    assert without_forms(bare.text) == without_forms(page.text)


def without_forms(page: str) -> list[str]:
    """Leave out the lines that differ from one visit to the next, or by an address."""
    return [line for line in page.splitlines() if "csrf_token" not in line and "/static/" not in line]


def test_a_wrong_answer_is_no_figure(bench: Bench) -> None:
    with pytest.raises(WrongAnswer, match="404"):
        InProcessPhone(bench.app).get("/nowhere")


def test_a_limit_is_kept_up_to_its_last_hair() -> None:
    assert figure(value=2.0, limit=2.0).is_ok
    assert not figure(value=2.001, limit=2.0).is_ok


@pytest.mark.parametrize(
    ("measured", "status"),
    [
        ([figure()], 0),
        ([figure("page"), figure(value=3)], 1),
        ([figure("page"), figure(value=3, is_held_to=False)], 0),
    ],
    ids=["all kept", "one missed", "one missed that is only watched"],
)
@pytest.mark.usefixtures("own_folder")
def test_a_missed_limit_fails_the_run(monkeypatch: pytest.MonkeyPatch, measured: list[Figure], status: int) -> None:
    monkeypatch.setattr(command, "measure", lambda bench: iter(measured))

    assert command.main([]) == status


@pytest.mark.usefixtures("own_folder")
def test_json_is_one_object(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "measure", lambda bench: iter([figure()]))

    command.main(["--json"])

    assert json.loads(capsys.readouterr().out) == {
        "poll": {"value": 1.0, "unit": "ms", "floor": 0.5, "ratio": 2.0, "limit": 2.0, "ok": True}
    }


def test_the_table_tells_what_was_missed() -> None:
    lines = table([figure(), figure("hand", value=3), figure("sheet", value=3, is_held_to=False)]).splitlines()

    assert lines[1].endswith("ok")
    assert lines[2].endswith("MISSED")
    assert lines[3].endswith("not held to it yet")


def test_nothing_is_left_behind(own_folder: Path) -> None:
    with open_bench() as bench:
        assert bench.folder.parent == own_folder

    assert list(own_folder.iterdir()) == []


def test_a_page_loads_what_it_names() -> None:
    page = b'<link rel="icon" href="/a.svg"><link rel="next" href="/b"><script src="c.js"></script><img src="data:,">'

    assert loaded_by("/x/", "text/html", page) == ["/a.svg", "/x/c.js"]


def test_a_stylesheet_loads_its_fonts() -> None:
    style = b"@font-face{src:url('../fonts/a.woff2') format('woff2')} b{background:url(#d)}"

    assert loaded_by("/static/css/base.css?v=1", "text/css", style) == ["/static/fonts/a.woff2"]


def test_a_percentile_is_a_time_that_was_taken() -> None:
    assert percentile([0.1 * n for n in range(1, 101)], 0.99) == pytest.approx(10.0)


def test_a_median_is_of_the_seconds_that_a_run_gives() -> None:
    assert medians(lambda: 0.5, lambda: 0.25, rounds=5, warm_up=1) == (0.5, 0.25)


def test_a_run_is_warmed_up_before_it_counts() -> None:
    given = iter([9.0, 9.0, *[1.0] * 100])

    assert medians(lambda: next(given), rounds=1, warm_up=2) == (1.0,)
