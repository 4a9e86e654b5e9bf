"""`./run cluster`: run it for real, print the figures, and fail where one misses its limit.

With `--tables` nothing is killed: more and more tables play at their real pace, until answers take too long.
"""

import sys
from argparse import ArgumentParser

from tests.bench.figure import Figure, percentile, table
from tests.cluster.cluster import Outcome, Plan, run
from tests.cluster.load import Load, print_steps
from tests.cluster.load import run as run_load
from tests.cluster.phones import SeenWrong
from tests.cluster.proxy import find_nginx

SHARE = 0.99
LONGEST = {"page": 100.0, "poll": 100.0, "hand": 250.0}
"""Milliseconds outside the restart, at p99."""
LABELS = {"page": "a match page", "poll": "a question of a phone that follows", "hand": "a hand, form to redirect"}


def figures(outcome: Outcome) -> list[Figure]:
    """Return how long each took beside what nginx answers by itself, to the same client at the same time."""
    floor = percentile(outcome.times["floor"], SHARE) * 1000
    return [
        Figure(
            name=f"{kind}_p99",
            value=percentile(outcome.times[kind], SHARE) * 1000,
            floor=floor,
            limit=limit,
            label=f"{LABELS[kind]}, p99 of {len(outcome.times[kind]):,}",
            floor_label="an empty answer of nginx, p99",
            is_held_to=kind == "page",
        )
        for kind, limit in LONGEST.items()
    ]


def main() -> int:
    """Run it, and print the results; exit status 1 where something was lost, or took too long."""
    plan = Plan()
    parser = ArgumentParser(prog="./run cluster", description="Try several processes on PostgreSQL behind nginx.")
    parser.add_argument("--phones", type=int, default=plan.phones, help=f"{plan.phones} by default")
    usual = Load()
    workers = f"{plan.workers} by default, with --tables {usual.workers}"
    parser.add_argument("--workers", type=int, help=workers)
    seconds = f"{plan.seconds:.0f} by default, with --tables {usual.seconds:.0f} for each step"
    parser.add_argument("--seconds", type=float, help=seconds)
    parser.add_argument("--tables", type=int, help="kill nothing: begin with so many tables, then twice as many")
    args = parser.parse_args()
    if not find_nginx():
        print("cluster: nginx is missing. On Debian: sudo apt-get install -y nginx-light", file=sys.stderr)
        return 1
    given = {name: value for name in ("workers", "seconds") if (value := getattr(args, name))}
    matches = max(args.phones // 10, 1)
    try:
        if args.tables:
            print_steps(run_load(Load(tables=args.tables, **given)))
            return 0
        plan = Plan(phones=args.phones, matches=matches, **given)
        outcome = run(plan)
    except SeenWrong as wrong:
        print(f"cluster: {wrong}", file=sys.stderr)
        return 1
    found = figures(outcome)
    print(table(found))
    print(f"\n{args.phones} phones, {outcome.answers:,} answers, {plan.workers} processes.")
    print(f"{outcome.kills} times a process was killed.")
    print(f"PostgreSQL was killed, and back after {outcome.restart_seconds:.1f} s.")
    print(
        f"{outcome.hands} hands were acknowledged, {outcome.sent_again} times one was sent again: none lost or doubled."
    )
    print("Nobody saw an older score after a newer one.")
    return int(any(figure.is_held_to and not figure.is_ok for figure in found))


if __name__ == "__main__":
    raise SystemExit(main())
