"""Hostile commands with any name, as root, in a root folder that is thrown away; `throwaway.run` starts this."""

import json
import os
import sys
from pathlib import Path
from random import Random

from scorekeeper.database.engine import migrate
from tests.common.apps import close, make_app
from tests.fuzz import commands, throwaway
from tests.fuzz.world import filled_world


def main() -> int:
    """Run so many commands with a seed, and print how many ended with which status; exit status 1 where one failed."""
    assert throwaway.is_inside()
    seed, count = map(int, sys.argv[1:])
    here, url = Path("/tmp/here"), "sqlite:////tmp/fuzz.sqlite3"
    here.mkdir()
    (here / "loop").symlink_to("loop")
    app = make_app(Path("/tmp/instance"), url)
    migrate(app)
    world = filled_world(app)
    close(app)
    os.environ |= {"SCOREKEEPER_INSTANCE": "/tmp/instance", "SCOREKEEPER_DATABASE_URL": url}
    known = commands.Known([*world.codes, *world.books, *world.others], world.file, is_anywhere=True)
    statuses = {0: 0, 1: 0, 2: 0}
    try:
        for _, status in commands.fuzz(here, Random(seed), count, known):
            statuses[status] += 1
    except commands.CommandFault as fault:
        print(f"{fault}\n", *fault.__notes__, file=sys.stderr)
        return 1
    print(json.dumps(statuses))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
