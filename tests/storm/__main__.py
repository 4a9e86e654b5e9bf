"""Send phones into a storm with new seeds for a while: `./run storm`."""

import os
import secrets
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random
from time import monotonic

from scorekeeper.extensions import migrate
from tests.apps import close, fast_folder, make_app
from tests.storm import weather
from tests.storm.in_process import InProcess
from tests.storm.phones import Browser
from tests.storm.served import Server, faults_found
from tests.storm.storm import Broken

POSTS = 50
"""For each seed, which is one match."""


def main() -> int:
    """Try one seed, or as many as fit; exit status 1 where one broke a promise, with what to do it again by."""
    parser = ArgumentParser(prog="./run storm", description="Send phones into a storm with new seeds.")
    parser.add_argument("--seconds", type=float, default=60, help="how long, 60 by default")
    parser.add_argument("--posts", type=int, default=0, help="how many posts, however long they take")
    parser.add_argument("--seed", type=int, help="begin with this seed, as it was printed, and try the next ones")
    parser.add_argument("--phones", type=int, default=4, help="how many phones, 4 by default")
    parser.add_argument("--in-process", action="store_true", help="ask the app itself, without a server")
    args = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("SCOREKEEPER_")]:
        del os.environ[name]
    seed = args.seed if args.seed is not None else secrets.randbelow(10**9)
    return (_in_process if args.in_process else _served)(args, seed)


def _in_process(args: Namespace, seed: int) -> int:
    with fast_folder() as folder:
        url = f"sqlite:///{folder}/storm.sqlite3"
        app = make_app(folder, url)
        migrate(app)
        try:
            status = _blow(args, seed, lambda: InProcess(app.test_client()))
        finally:
            close(app)
        return status or _verified(str(folder), url)


def _served(args: Namespace, seed: int) -> int:
    with tempfile.TemporaryDirectory(prefix="scorekeeper-storm-") as name:
        server = Server(Path(name), Random(seed))
        try:
            status = _blow(args, seed, server.browser, server.blow)
        finally:
            server.kill()
        print(server.told)
        return status or _verified(name, server.database_url)


def _verified(instance: str, database_url: str) -> int:
    faults = faults_found(instance, database_url)
    if faults:
        print(faults, file=sys.stderr)
    return int(bool(faults))


def _blow(
    args: Namespace, seed: int, browser: Callable[[], Browser], gust: Callable[[Random], None] = lambda _rng: None
) -> int:
    until = inf if args.posts else monotonic() + args.seconds
    posts = acknowledged = questions = 0
    while monotonic() < until and not (args.posts and posts >= args.posts):
        try:
            storm = weather.evening(browser, seed, phones=args.phones, posts=POSTS, gust=gust)
        except Broken as broken:
            print(f"{broken}\n\nAgain, after {posts} posts: ./run storm --seed {seed}", file=sys.stderr)
            return 1
        posts, acknowledged = posts + storm.steps, acknowledged + storm.acknowledged
        questions, seed = questions + storm.questions, seed + 1
    print(f"{posts} posts, {acknowledged} acknowledged and there once, {questions} questions.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
