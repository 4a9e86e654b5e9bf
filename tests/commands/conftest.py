"""Share the fixtures of the match tests and of the command line with these tests."""

from tests.common.commands import installed, run
from tests.matches.conftest import begin, library, match, session

__all__ = ["begin", "installed", "library", "match", "run", "session"]
