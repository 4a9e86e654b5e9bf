"""Share the fixtures of the page tests with these tests."""

from tests.pages.conftest import any_pace, begin, match, other_phone, phone

__all__ = ["any_pace", "begin", "match", "other_phone", "phone"]
