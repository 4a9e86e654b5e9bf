"""The fixtures of the page tests, for these too."""

from tests.pages.conftest import any_pace, begin, match, other_phone, phone

__all__ = ["any_pace", "begin", "match", "other_phone", "phone"]
