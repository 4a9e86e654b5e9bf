"""The fixtures of the tests of pages, for these tests too."""

from tests.pages.conftest import any_pace, begin, match, other_phone, phone

__all__ = ["any_pace", "begin", "match", "other_phone", "phone"]
