"""What the tests of pages have, for these too."""

from tests.pages.conftest import any_pace, begin, match, other_phone, phone

__all__ = ["any_pace", "begin", "match", "other_phone", "phone"]
