"""Prove that nothing is lost: `python -m tests.proof [STEP ...]`, before a change of the house and after it.

Each step calls what is there already. With `--against COMMIT`, the bench measures both in turn.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

CHECKOUT = Path(__file__).parents[1]
STEPS: dict[str, Sequence[str]] = {
    "scenes": ("tests/scenarios",),
    "cases": ("tests/acceptance", "tests/pitch/scoring/test_oracle.py::test_the_oracle_holds_to_the_cases"),
    "oracle": ("tests/pitch/scoring/test_oracle.py::test_the_engine_and_the_oracle_name_the_same_winners",),
    "verify": ("tests/kept/test_kept_database.py::test_every_match_scores_as_when_it_ended",),
    "kept": ("tests/kept", "tests/eventlog"),
    "exports": (
        "tests/club/book_files/test_book_file.py",
        "tests/club/book_files/pages/test_book_transfer.py",
        "tests/matches/files/test_records.py",
        "tests/matches/files/test_imports.py",
        "tests/commands/test_commands.py",
        "tests/pages/test_import_export.py",
        "tests/pitch/records",
    ),
    "codes": (
        "tests/pitch/rules/test_kept_fingerprints.py",
        "tests/pitch/rules/test_share_code.py",
        "tests/printing/test_rules_link.py",
    ),
    "contract": ("tests/contract",),
    "golden": ("tests/golden",),
    "forms": ("tests/web/test_sent_again.py", "tests/pages/test_opened_before.py"),
    "kills": ("tests/crash",),
    "storm": ("tests/storm",),
    "fuzz": ("tests/fuzz",),
    "slow": ("tests/server/test_slow_connections.py", "tests/server/test_requests.py"),
    "rights": (
        "tests/web/test_rights_matrix.py",
        "tests/access/test_rights.py",
    ),
    "bench": (),
}
"""What pytest runs in each; the last one is `./run bench`, whose figures are printed to be compared."""
MATCHES = "20000"
"""How many random matches the oracle judges."""
PAIRS = 2
"""How often the bench measures each of two commits, one after the other."""
FIGURES = (
    *("match_page", "match_page_unread", "match_page_served", "unchanged_poll"),
    *("record_hand", "replay_40_hands", "score_10000_records"),
)
"""Which of the figures are those of pages and of replaying."""
MAX_TAIL_LINES = 40
"""Lines that are printed of a step that fails."""


def main() -> int:
    """Run the steps, and print one verdict for each; exit status 1 where one failed."""
    parser = ArgumentParser(prog="python -m tests.proof", description="Prove that nothing is lost.")
    parser.add_argument("step", nargs="*", help=f"all by default: {', '.join(STEPS)}")
    parser.add_argument("--against", metavar="COMMIT", help="the bench measures this commit as well, in turn")
    parser.add_argument("--processes", type=int, default=2, help="how many run tests at once, 2 by default")
    parser.add_argument("--without-club", action="store_true", help="on an app without the club, but for the bench")
    args = parser.parse_args()
    if unknown := set(args.step) - STEPS.keys():
        parser.error(f"there is no step {', '.join(sorted(unknown))}: {', '.join(STEPS)}.")
    os.nice(10)
    os.environ["ORACLE_MATCHES"] = MATCHES
    options = ("-n", str(args.processes), *(["--without-club"] if args.without_club else []))
    verdicts = []
    for name in args.step or STEPS:
        began, used = monotonic(), _processor_seconds()
        passed, counts = _bench(args.against) if name == "bench" else _tests(STEPS[name], options)
        verdicts.append(passed)
        times = f"{monotonic() - began:6.0f} s, {_processor_seconds() - used:5.0f} s of processor"
        print(f"{name:9} {'pass' if passed else 'FAIL'}  {times}  {counts}", flush=True)
    print(f"{sum(verdicts)} of {len(verdicts)} steps pass.")
    return 0 if all(verdicts) else 1


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tests(chosen: Sequence[str], options: Sequence[str]) -> tuple[bool, str]:
    return _run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--dist", "loadgroup", *options, *chosen)
    )


def _run(command: Sequence[str], folder: Path = CHECKOUT) -> tuple[bool, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()] or [""]
    if done.returncode:
        print("\n".join(lines[-MAX_TAIL_LINES:]), file=sys.stderr, flush=True)
    counts = next((line for line in reversed(lines) if re.search(r"\d (passed|failed|error)", line)), lines[-1])
    return done.returncode == 0, re.sub(r" in [\d.]+s.*", "", counts)


def _bench(against: str | None) -> tuple[bool, str]:
    with _checked_out(against) as other:
        folders = [CHECKOUT, other] if other else [CHECKOUT]
        runs: dict[Path, list[dict[str, float]]] = {folder: [] for folder in folders}
        for folder in folders * (PAIRS if other else 1):
            found = _figures(folder)
            if found is None:
                return False, f"the bench fails in {'the other commit' if folder == other else 'this checkout'}"
            runs[folder].append(found)
    mean = [
        {name: sum(run[name] for run in runs[folder]) / len(runs[folder]) for name in FIGURES} for folder in folders
    ]
    for name in FIGURES:
        beside = f"{mean[1][name]:12.6g}  ×{mean[0][name] / mean[1][name]:.3f}" if other else ""
        print(f"  {name:20} {mean[0][name]:12.6g}{beside}")
    return True, f"{len(FIGURES)} figures" + (f", beside {against}" if other else "")


def _figures(folder: Path) -> dict[str, float] | None:
    command = (sys.executable, "-m", "tests.bench", "--json")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        figures = json.loads(done.stdout)
    except ValueError:
        print(done.stderr, file=sys.stderr, flush=True)
        return None
    return {name: figures[name]["value"] for name in FIGURES}


@contextmanager
def _checked_out(commit: str | None) -> Iterator[Path | None]:
    """Check out a commit beside this one, and remove it again."""
    if commit is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="scorekeeper-proof-") as folder:
        worktree = Path(folder) / "other"
        git = ("git", "-C", str(CHECKOUT), "worktree")
        subprocess.run((*git, "add", "-q", "--detach", str(worktree), commit), check=True)
        yield worktree
        subprocess.run((*git, "remove", "--force", str(worktree)), check=True)


if __name__ == "__main__":
    sys.exit(main())
