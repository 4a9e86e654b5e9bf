"""Try hostile requests, commands and starts of a match with new seeds for a while: `./run fuzz`."""

import os
import secrets
import subprocess
import sys
from argparse import ArgumentParser
from time import monotonic

TESTS = [f"tests/fuzz/test_{name}.py" for name in ("routes", "commands", "ways_in")]
"""Those that go by a seed."""


def main() -> int:
    """Try one seed, or as many as begin in that time; exit status 1 where one failed, with what to do it again by."""
    parser = ArgumentParser(prog="./run fuzz", description="Try hostile requests and commands with new seeds.")
    parser.add_argument("--seconds", type=float, default=60, help="how long, 60 by default")
    parser.add_argument("--seed", type=int, help="try this seed alone, as it was printed")
    args = parser.parse_args()
    until = monotonic() + args.seconds
    while True:
        seed = secrets.randbelow(10**9) if args.seed is None else args.seed
        command = (sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *TESTS)
        done = subprocess.run(command, env=os.environ | {"FUZZ_SEED": str(seed)}, check=False)
        if done.returncode:
            print(f"Again: ./run fuzz --seed {seed}", file=sys.stderr)
        if done.returncode or args.seed is not None or monotonic() > until:
            return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
