"""The fixtures of the service tests, for these too."""

from tests.matches.conftest import begin, library, match, session

__all__ = ["begin", "library", "match", "session"]
