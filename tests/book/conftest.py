"""Share the fixtures of the match tests with these tests."""

from tests.matches.conftest import begin, library, match, session

__all__ = ["begin", "library", "match", "session"]
