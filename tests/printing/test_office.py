"""The process that prints: it answers, it raises what the work raised, and when it is gone another one comes."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.printing import print_process
from scorekeeper.printing.print_process import Office, PrintingFailed
from tests.printing.notes import NOTE


@pytest.fixture
def bureau() -> Iterator[Office]:
    bureau = Office()
    yield bureau
    bureau.close()


def test_work_is_done_by_another_process(bureau: Office) -> None:
    assert bureau.do(os.getpid) not in (0, os.getpid())


def test_the_same_worker_does_the_next_piece_of_work(bureau: Office) -> None:
    assert bureau.do(os.getpid) == bureau.do(os.getpid)


def test_what_the_work_raises_is_raised_here(bureau: Office) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        bureau.do(int, "eleven")

    assert bureau.do(int, "11") == 11


def test_words_of_a_library_do_not_get_between_the_answers(bureau: Office) -> None:
    bureau.do(print, "something to say")

    assert bureau.do(int, "11") == 11


def test_when_the_worker_has_gone_another_one_comes(bureau: Office) -> None:
    first = bureau.do(os.getpid)
    os.kill(first, 9)
    time.sleep(0.05)

    assert bureau.do(os.getpid) != first


def test_work_that_ends_every_worker_fails(bureau: Office) -> None:
    with pytest.raises(PrintingFailed):
        bureau.do(os._exit, 3)

    assert bureau.do(int, "11") == 11


def test_work_that_takes_too_long_is_given_up(bureau: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    bureau.do(os.getpid)
    monkeypatch.setattr(print_process, "LONGEST", 0.2)

    with pytest.raises(PrintingFailed, match="too long"):
        bureau.do(time.sleep, 30)


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the place where a worker says that it is ready."""
    note = tmp_path / "note"
    monkeypatch.setenv(NOTE, str(note))
    return note


def test_the_worker_gets_ready_while_nobody_waits(note: Path) -> None:
    bureau = Office("scorekeeper.printing.warm_up:get_ready", "tests.printing.notes:leave")
    try:
        bureau.open()
        until = time.monotonic() + 30
        while not note.exists() and time.monotonic() < until:
            time.sleep(0.05)
        known = bureau.do(eval, "sorted(__import__('sys').modules)")
    finally:
        bureau.close()

    assert note.exists()
    assert {"weasyprint", "pypdfium2", "scorekeeper.printing.print_service"} <= set(known)


def test_somebody_who_waits_is_served_before_the_worker_gets_ready(note: Path) -> None:
    bureau = Office("tests.printing.notes:leave")
    try:
        assert bureau.do(int, "11") == 11
    finally:
        bureau.close()

    assert not note.exists()


def test_a_worker_that_could_not_get_ready_works_all_the_same() -> None:
    bureau = Office("scorekeeper.printing:nothing_of_this_name")
    try:
        assert bureau.do(int, "11") == 11
    finally:
        bureau.close()


def test_opened_the_worker_is_there_before_there_is_a_job(bureau: Office) -> None:
    bureau.open()
    worker = bureau._worker
    assert worker

    assert bureau.do(os.getpid) == worker.pid


def test_closed_it_leaves_nobody_behind(bureau: Office) -> None:
    worker = bureau.do(os.getpid)

    bureau.close()

    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
