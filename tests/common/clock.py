"""A clock that is set back, as by a Pi without a battery, or far ahead."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta, tzinfo

import pytest


@contextmanager
def clock_set(by: timedelta) -> Iterator[None]:
    """Let the clock be wrong by so much, for every module of the program."""
    right = time.time

    class Wrong(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, cls.__mro__[1])

    class WrongDatetime(datetime, metaclass=Wrong):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + by

    class WrongDate(date, metaclass=Wrong):
        @classmethod
        def today(cls) -> date:  # type: ignore[override]
            return (datetime.now() + by).date()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: right() + by.total_seconds())
        for name, module in list(sys.modules.items()):
            if name.startswith("scorekeeper."):
                for attribute, wrong in (("datetime", WrongDatetime), ("date", WrongDate)):
                    if getattr(module, attribute, None) is wrong.__mro__[1]:
                        patch.setattr(module, attribute, wrong)
        yield
