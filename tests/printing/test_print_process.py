"""The print process returns what a job returns, raises what it raises, and is replaced when it has ended."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from scorekeeper.paths import PACKAGE
from scorekeeper.printing import print_process
from scorekeeper.printing.print_process import PrinterBusy, PrintingFailed, PrintProcess
from tests.printing.preparing import NOTE, fail, warm_up_and_leave_note, write_and_wait

CONSOLE_SCRIPT = """\
import sys
from scorekeeper.cli import main
if __name__ == "__main__":
    import flask, os, time
    from scorekeeper.printing.print_process import PrintProcess
    process = PrintProcess()
    print(process.run(os.getpid), process.run(eval, "'flask' in __import__('sys').modules"), flush=True)
    time.sleep(float(sys.argv[1]))
"""
"""As an installed command begins, and then a server that prints."""


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[PrintProcess]:
    """Return a process that is not started; parametrize it with what it does before its first job."""
    process = PrintProcess(*getattr(request, "param", ()))
    yield process
    process.stop()


def test_the_next_job_runs_in_the_same_process(process: PrintProcess) -> None:
    assert process.run(os.getpid) == process.run(os.getpid)


@pytest.mark.parametrize(
    ("job", "error", "why"),
    [
        ((int, "eleven"), ValueError, "invalid literal"),
        ((exec, "class OwnError(Exception): pass\nraise OwnError('a, b')", {}), RuntimeError, "OwnError: a, b"),
        ((os._exit, 3), PrintingFailed, "could not be printed"),
        ((bytes, 2 * print_process.MAX_JOB_MEMORY_BYTES), PrintingFailed, "too large"),
    ],
    ids=["it raises", "it raises what cannot be sent", "it ends the process", "it takes too much memory"],
)
def test_why_a_job_fails_is_raised_here_and_the_next_one_runs(
    process: PrintProcess, job: tuple[Any, ...], error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        process.run(*job)

    assert process.run(int, "11") == 11


def test_what_a_library_prints_is_neither_a_result_nor_output(
    process: PrintProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    process.run(os.write, 1, b"something to say")

    assert process.run(int, "11") == 11
    assert capfd.readouterr() == ("", "something to say")


def test_a_killed_process_is_replaced(process: PrintProcess) -> None:
    first = process.run(os.getpid)
    os.kill(first, signal.SIGKILL)
    time.sleep(0.05)

    assert process.run(os.getpid) != first


def test_while_a_job_is_under_way_the_next_is_refused_or_waits_for_its_turn(
    process: PrintProcess, tmp_path: Path
) -> None:
    begun, ended = tmp_path / "begun", tmp_path / "ended"
    with ThreadPoolExecutor() as threads:
        long = threads.submit(process.run, write_and_wait, begun, ended)
        wait_until(begun.exists)
        with pytest.raises(PrinterBusy):
            process.run(int, "11")
        in_turn = threads.submit(process.run, int, "11", waits=True)
        ended.touch()

        assert (long.result(), in_turn.result()) == ("waited", 11)


def test_a_job_that_takes_too_long_is_killed(process: PrintProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    pid = process.run(os.getpid)
    monkeypatch.setattr(print_process, "JOB_TIMEOUT_S", 0.2)

    with pytest.raises(PrintingFailed, match=r"The sheet took too long to print\."):
        process.run(time.sleep, 30)

    assert not is_running(pid)


@pytest.mark.skipif(not hasattr(os, "nice"), reason="this system has no niceness")
def test_it_makes_way_for_the_server(process: PrintProcess) -> None:
    assert process.run(os.nice, 0) == min(os.nice(0) + 5, 19)


@pytest.mark.parametrize("process", [[warm_up_and_leave_note]], indirect=True)
def test_it_prepares_before_there_is_a_job(
    process: PrintProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NOTE, str(tmp_path / "note"))

    process.start()
    wait_until((tmp_path / "note").exists)

    known = process.run(eval, "sorted(__import__('sys').modules)")
    assert {"weasyprint", "pypdfium2", "scorekeeper.printing.print_service"} <= set(known)


@pytest.mark.parametrize("process", [[fail]], indirect=True)
def test_a_process_that_could_not_prepare_says_so_and_works(
    process: PrintProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    process.start()

    wait_until(lambda: "this machine lacks something" in capfd.readouterr().err)
    assert process.run(int, "11") == 11


def test_stopped_it_leaves_no_process(process: PrintProcess) -> None:
    pid = process.run(os.getpid)

    process.stop()

    assert not is_running(pid)


def refuse(_process: object) -> None:
    """Start nothing, as a system does where no more processes may run."""
    raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")


def test_a_process_that_could_not_start_is_started_again(process: PrintProcess) -> None:
    with pytest.MonkeyPatch.context() as full:
        full.setattr(print_process._context.Process, "start", refuse)
        process.start()
        with pytest.raises(PrintingFailed, match="could not start: Resource temporarily unavailable"):
            process.run(int, "11")

    process.start()
    assert process.run(int, "11") == 11


@pytest.mark.parametrize("end", [None, signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_the_server_and_does_not_import_it(
    interruptible: None, end: signal.Signals | None, tmp_path: Path
) -> None:
    script = tmp_path / "scorekeeper"
    script.write_text(CONSOLE_SCRIPT, encoding="utf-8")
    command = [sys.executable, str(script), "30" if end else "0"]
    environ = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environ) as server:
        assert server.stdout
        pid, has_flask = server.stdout.readline().split()
        if end:
            server.send_signal(end)

    wait_until(lambda: not is_running(int(pid)))
    assert has_flask == "False"


def is_running(pid: int) -> bool:
    """Return whether a process runs; one whose parent was killed may be left as a zombie."""
    return bool(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)
