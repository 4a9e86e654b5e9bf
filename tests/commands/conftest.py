"""What the tests of matches have, for these too, and commands that run."""

from tests.common.commands import installed, run
from tests.matches.conftest import begin, library, match, session

__all__ = ["begin", "installed", "library", "match", "run", "session"]
