"""Send phones into a storm with new seeds for a while: `./run storm`."""

import os
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from scorekeeper.database.migrating import migrate
from tests.common.apps import close, fast_folder, make_app, running_postgres, serving
from tests.common.chromium import launched
from tests.storm import homes, weather
from tests.storm.clocks import WITH_CLOCK, SetClock, find_faketime
from tests.storm.clustered import WITH_DATABASE, clustered
from tests.storm.disks import ON_FAILING_DISK, FailingDisk
from tests.storm.in_chromium import Evening
from tests.storm.in_process import InProcess
from tests.storm.ladder import LadderStorm
from tests.storm.money import MoneyStorm
from tests.storm.phones import Browser
from tests.storm.served import Server, faults_found
from tests.storm.storm import Broken, Storm

POSTS = 50
"""For each seed, which is one match, or one night."""
MODES = ("in_process", "postgres", "clock", "chromium")
Played = Storm | LadderStorm | MoneyStorm | list[Storm]


def main() -> int:
    """Try one seed, or as many as fit; exit status 1 where one broke a promise, with what to do it again by."""
    parser = ArgumentParser(prog="./run storm", description="Send phones into a storm with new seeds.")
    parser.add_argument("--seconds", type=float, default=60, help="how long, 60 by default")
    parser.add_argument("--posts", type=int, default=0, help="how many posts, however long they take")
    parser.add_argument("--seed", type=int, help="begin with this one, as printed, not the one of today")
    parser.add_argument("--phones", type=int, default=4, help="how many, 4 by default")
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--in-process", action="store_true", help="ask the app itself, without a server")
    modes.add_argument("--postgres", action="store_true", help="kill one of two processes, on PostgreSQL behind nginx")
    modes.add_argument("--clock", action="store_true", help="set the clock of the server back and forward as well")
    modes.add_argument("--chromium", action="store_true", help="with real pages, in Chromium")
    args = parser.parse_args()
    if args.clock and not find_faketime():
        parser.error("libfaketime, which sets the clock of a program, is not here: install it, or leave out --clock.")
    for name in [name for name in os.environ if name.startswith("SCOREKEEPER_")]:
        del os.environ[name]
    seed = int(f"{date.today():%Y%m%d}0000") if args.seed is None else args.seed
    with _opened(args, seed) as (play, faults):
        return _blow(args, seed, play) or _reported(faults())


@contextmanager
def _opened(args: Namespace, seed: int) -> Iterator[tuple[Callable[[int], Played], Callable[[], str]]]:
    """Yield what plays an evening by a seed, and what finds faults in the end."""
    with ExitStack() as stack:
        if not (args.in_process or args.chromium):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scorekeeper-storm-")))
            server = stack.enter_context(_server(args, folder, seed))
            yield partial(_match_or_night, args, server.browser, None, server), server.faults
            print(f"Of the server: {server.happened_to_it}.")
            return
        folders = [stack.enter_context(fast_folder()) for _ in range(2)]
        urls = [f"sqlite:///{folder}/storm.sqlite3" for folder in folders]
        apps = [
            make_app(folder, url, IMPORTS_AN_HOUR=homes.IMPORTS_AN_HOUR, TESTING=args.in_process)
            for folder, url in zip(folders, urls, strict=True)
        ]
        for app in apps:
            migrate(app)
            stack.callback(close, app)
        browser, away = (lambda app=app: InProcess(app.test_client()) for app in apps)
        play: Callable[[int], Played] = partial(_match_or_night, args, browser, away, None)
        if args.chromium:
            chromium, address = stack.enter_context(launched()), stack.enter_context(serving(apps[0]))
            play = partial(_in_chromium, browser, chromium, address)
        yield play, lambda: "".join(map(faults_found, map(str, folders), urls))


def _in_chromium(browser: Callable[[], Browser], chromium: Any, address: str, seed: int) -> Storm:
    return Evening(Storm(browser), chromium, address, seed).play()


@contextmanager
def _server(args: Namespace, folder: Path, seed: int) -> Iterator[Server]:
    rng = Random(seed)
    if args.postgres:
        with running_postgres("cluster") as postgres:
            url = postgres.get_uri("cluster")
            with clustered(folder, rng, url, WITH_DATABASE, postgres) as processes:
                yield processes
        return
    server = SetClock(folder, rng, WITH_CLOCK) if args.clock else FailingDisk(folder, rng, ON_FAILING_DISK)
    try:
        yield server
    finally:
        server.end()


def _reported(faults: str) -> int:
    if faults:
        print(faults, file=sys.stderr)
    return int(bool(faults))


def _match_or_night(
    args: Namespace,
    browser: Callable[[], Browser],
    away: Callable[[], Browser] | None,
    server: Server | None,
    seed: int,
) -> Played:
    at_night: Any = {"phones": 3, "posts": POSTS, **({"gust": server.blow_at_night} if server else {})}
    match seed % 8:
        case 5 if away:
            return homes.evening(browser, away, seed, posts=POSTS)
        case 6:
            return LadderStorm.evening(browser, seed, **at_night)
        case 7:
            return MoneyStorm.evening(browser, seed, **at_night)
    gusts: Any = {"gust": server.blow} if server else {}
    return weather.evening(browser, seed, phones=args.phones, posts=POSTS, **gusts)


def _blow(args: Namespace, seed: int, play: Callable[[int], Played]) -> int:
    until = inf if args.posts else monotonic() + args.seconds
    posts = acknowledged = questions = 0
    print(f"From seed {seed}:", flush=True)
    while monotonic() < until and not (args.posts and posts >= args.posts):
        try:
            played = play(seed)
        except Exception as broken:
            mode = next((f" --{option.replace('_', '-')}" for option in MODES if vars(args)[option]), "")
            again = f"./run storm{mode} --phones {args.phones} --seed {seed}"
            print(f"{broken}\n\nAgain, after {posts} posts: {again}", file=sys.stderr)
            if isinstance(broken, Broken):
                return 1
            raise
        for storm in played if isinstance(played, list) else [played]:
            posts, acknowledged = posts + storm.steps, acknowledged + storm.acknowledged
            questions += storm.questions
        seed += 1
    print(f"{posts} posts, {acknowledged} acknowledged and there once, {questions} questions, up to seed {seed - 1}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
