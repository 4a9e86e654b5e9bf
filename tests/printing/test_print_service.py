"""Sheets for the server: every kind that there is, cached or from the print process; and pages as images."""

import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest
from PIL import Image

from scorekeeper.club import register
from scorekeeper.eventlog.cache import Cache, clear_all_caches
from scorekeeper.printing import kinds, print_service
from scorekeeper.printing.fitting import PrintedSheet, print_draft
from scorekeeper.printing.kinds import PrintOrder, draft_sheet, printable_kinds, sheet_title
from scorekeeper.printing.pdf import PAGE_IMAGE_WIDTH, draw_page
from scorekeeper.printing.print_options import PAPER_NAMES, Ink, Paper, PrintOptions
from scorekeeper.printing.print_process import JOB_TIMEOUT_S, PrinterBusy
from scorekeeper.printing.rules_link import PrintableRules
from tests.club.nights.nights import seated
from tests.common.ci import IS_CI
from tests.common.library import LIBRARY
from tests.printing.matches import partners, sheet_of
from tests.printing.pages import colors, text_of
from tests.printing.pictures import PICTURES
from tests.printing.test_money_slip import slip_of
from tests.printing.test_year_sheet import year_of

KINDS = {**kinds.SHEET_KINDS, **register.PRINT_KINDS}
HOUSE = LIBRARY["colorado-ten-point"]
RULES = PrintableRules(HOUSE, HOUSE, "https://pitch.example/rules")
MATCH = sheet_of(partners(6))
ORDER = PrintOrder(KINDS["result"], MATCH, PrintOptions())
PICTURE = PICTURES["won"]
YEAR = year_of(7)
NIGHT = seated("Ann & Bea", "Cal & Dan", "Eve & Fay", "Gus & Hal")
SLIP = slip_of(4)
SUBJECTS: dict[type, object] = {type(subject): subject for subject in (RULES, MATCH, PICTURE, YEAR, NIGHT, SLIP)}
each_kind = pytest.mark.parametrize("kind", KINDS)
pytestmark = pytest.mark.xdist_group("print service")  # in one process, which makes each sheet once


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    clear_all_caches()
    yield
    clear_all_caches()


@cache
def made(kind_id: str, paper: Paper, ink: Ink) -> PrintedSheet:
    kind = KINDS[kind_id]
    return print_draft(draft_sheet(kind, SUBJECTS[kind.subject_type], PrintOptions(paper, ink, next(iter(kind.sizes)))))


@pytest.mark.parametrize("paper", list(PAPER_NAMES) if IS_CI else ["a4"])
@each_kind
def test_every_kind_loses_its_color_and_nothing_else(kind: str, paper: Paper) -> None:
    colored, black = made(kind, paper, "colour"), made(kind, paper, "black")

    assert colors(colored.content)
    assert colors(black.content) == set()
    assert text_of(black.content) == text_of(colored.content)
    assert black.pages == colored.pages


def test_the_only_ring_on_a_page_is_red_on_its_image_too() -> None:
    image = Image.open(io.BytesIO(draw_page(made("rules", "a4", "colour").content, 2))).convert("RGB")

    assert [shade for _, shade in image.getcolors(1 << 24) or [] if shade[0] > 150 and max(shade[1:]) < 90]  # type: ignore[index]


def test_the_print_process_prints_what_would_be_printed_here() -> None:

    assert print_service.print_sheet(ORDER) == print_draft(draft_sheet(KINDS["result"], MATCH, PrintOptions()))


def in_the_end(order: PrintOrder, number: int) -> bytes:
    """Ask for an image until it is there."""
    until = monotonic() + JOB_TIMEOUT_S
    while True:
        try:
            return print_service.page_image_if_ready(order, number)
        except print_service.ImageBeingDrawn:
            assert monotonic() < until
            sleep(0.02)


def test_images_that_are_asked_for_all_at_once_are_drawn_one_after_the_other() -> None:
    order = PrintOrder(KINDS["result"], sheet_of(partners(40)), PrintOptions())
    pages = print_service.print_sheet(order).pages
    clear_all_caches()  # as in a process that did not show them

    with ThreadPoolExecutor(pages) as pool:
        images = list(pool.map(partial(in_the_end, order), range(1, pages + 1)))

    assert pages > 1
    assert len(set(images)) == pages
    with pytest.raises(IndexError):
        in_the_end(order, pages + 1)


def test_nobody_waits_for_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    may_draw = Event()
    run = print_service.process.run

    def wait_and_run(*words: Any, **options: Any) -> Any:
        may_draw.wait(JOB_TIMEOUT_S)
        return run(*words, **options)

    monkeypatch.setattr(print_service.process, "run", wait_and_run)

    for _ in range(3):
        with pytest.raises(print_service.ImageBeingDrawn):
            print_service.page_image_if_ready(ORDER, 1)
    may_draw.set()

    assert Image.open(io.BytesIO(in_the_end(ORDER, 1))).width == PAGE_IMAGE_WIDTH


def test_only_so_many_images_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_service, "MAX_WAITING_IMAGES", 0)

    with pytest.raises(PrinterBusy):
        print_service.page_image_if_ready(ORDER, 1)


def test_an_image_that_could_not_be_drawn_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as failing:
        failing.setattr(print_service.process, "run", lambda *_, **__: int("no sheet"))
        with pytest.raises(ValueError, match="no sheet"):
            in_the_end(ORDER, 1)

    assert Image.open(io.BytesIO(in_the_end(ORDER, 1))).width == PAGE_IMAGE_WIDTH


def test_a_cache_drops_what_was_not_used_for_longest() -> None:
    cache = Cache[str, bytes](max_weight=10, weigh=len)
    cache.put("a", b"12345")
    cache.put("b", b"12345")
    cache.get("a")
    cache.put("c", b"12345")

    assert [bool(cache.get(key)) for key in "abc"] == [True, False, True]


@pytest.mark.usefixtures("app")
def test_kinds_are_offered_for_what_they_are_made_from() -> None:
    offered = [set(printable_kinds([subject])) for subject in SUBJECTS.values()]
    assert set().union(*offered) == set(KINDS)
    assert sum(map(len, offered)) == len(KINDS)


def test_a_title_says_what_is_inside() -> None:
    assert sheet_title(KINDS["rules"], RULES) == "Colorado Ten Point rule sheet"
    assert sheet_title(KINDS["result"], MATCH) == "Thursday at Oma’s score sheet"
    assert sheet_title(KINDS["year"], YEAR) == "2026 at our table"


@each_kind
def test_an_order_is_known_by_what_is_ordered(kind: str) -> None:
    made_of = SUBJECTS[KINDS[kind].subject_type]
    orders = [PrintOrder(KINDS[kind], made_of, PrintOptions(paper)) for paper in PAPER_NAMES]

    assert len({order.key for order in orders}) == len(orders)
    assert orders[0].key == replace(orders[0]).key
