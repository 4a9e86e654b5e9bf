"""`python -m scorekeeper.bench`: measure everything, print it, and fail where a limit is missed."""

import json
import signal
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence

from scorekeeper.bench.figure import Figure, table
from scorekeeper.bench.following import following_figure, polling_figure
from scorekeeper.bench.house import House, open_house
from scorekeeper.bench.lines import lines_figure
from scorekeeper.bench.meanwhile import meanwhile_figure
from scorekeeper.bench.memory import memory_figure
from scorekeeper.bench.pages import match_page_figure, poll_figure, unread_page_figure
from scorekeeper.bench.phone import WrongAnswer
from scorekeeper.bench.printing import printing_figures
from scorekeeper.bench.recording import recording_figure
from scorekeeper.bench.replaying import replaying_figure
from scorekeeper.bench.wire import wire_figure


def measure(house: House) -> Iterator[Figure]:
    """Measure one thing after the other; what writes into the matches comes after what only reads them."""
    single: Sequence[Callable[[House], Figure]] = (
        match_page_figure,
        unread_page_figure,
        recording_figure,
        poll_figure,
        replaying_figure,
        lines_figure,
    )
    for figure in single:
        yield figure(house)
    yield from printing_figures(house)
    for figure in (wire_figure, memory_figure, polling_figure, following_figure, meanwhile_figure):
        yield figure(house)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where one misses a limit that it is held to."""
    does = "Measure how fast the score sheet is, each figure beside its floor."
    parser = ArgumentParser(prog="./run bench", description=does)
    parser.add_argument("--json", action="store_true", help="one object: name to value, unit, floor, ratio, limit, ok")
    args = parser.parse_args(argv)
    figures = []
    try:
        with open_house() as house:
            for figure in measure(house):
                figures.append(figure)
                print(f"measured: {figure.told}", file=sys.stderr)
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
