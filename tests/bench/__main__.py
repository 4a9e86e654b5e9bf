"""`python -m tests.bench`: measure everything, print it, and fail where a limit is missed."""

import json
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence

from tests.bench.bench import Bench, WrongAnswer, open_bench
from tests.bench.figure import Figure, table
from tests.bench.grow import MATCHES, grown_figures
from tests.bench.in_process import (
    first_print_figure,
    kept_print_figure,
    match_page_figure,
    poll_figure,
    recording_figure,
    replaying_figure,
    unread_page_figure,
)
from tests.bench.phones import crowd_cost_figure, crowd_delay_figure
from tests.bench.served import (
    memory_figure,
    score_records_figure,
    throughput_figure,
    while_printing_figure,
)

FIGURES: Sequence[Callable[[Bench], Figure]] = (
    match_page_figure,
    unread_page_figure,
    throughput_figure,
    recording_figure,
    poll_figure,
    replaying_figure,
    score_records_figure,
    first_print_figure,
    kept_print_figure,
    memory_figure,
    crowd_delay_figure,
    crowd_cost_figure,
    while_printing_figure,
)
"""In the order in which they are measured: what writes to the matches comes after what only reads them."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Yield one figure after the other."""
    return (figure(bench) for figure in FIGURES)


def _measured() -> Iterator[Figure]:
    with open_bench() as bench:
        yield from measure(bench)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where one misses a limit that it is held to."""
    does = "Measure how fast Scorekeeper is, each figure beside its floor."
    parser = ArgumentParser(prog="./run bench", description=does)
    parser.add_argument("--json", action="store_true", help="one object: name to value, unit, floor, ratio, limit, ok")
    parser.add_argument(
        "--grow",
        type=int,
        nargs="?",
        const=MATCHES,
        metavar="N",
        help=f"measure what may not grow with the database instead, in one with {MATCHES:,} matches, or N",
    )
    args = parser.parse_args(argv)
    figures = []
    try:
        for figure in grown_figures(args.grow) if args.grow else _measured():
            figures.append(figure)
            print(f"measured: {figure.label}", file=sys.stderr)
    except WrongAnswer as wrong:
        print(f"bench: {wrong}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps({figure.name: figure.as_json() for figure in figures}, indent=2))
    else:
        print(table(figures))
    return int(any(figure.is_held_to and not figure.is_ok for figure in figures))


if __name__ == "__main__":
    # Told to stop, it still stops its servers and clears its folder away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
