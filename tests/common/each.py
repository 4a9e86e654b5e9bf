"""One test that holds for many values, where a test for each would take longer to hand out than to run."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def each(name: str, values: Iterable[Any], called: Callable[[Any], str] = str) -> Callable[[Test], Test]:
    """Make of a test of one value, its parameter of that name, a test of all: it fails with each that fails, named.

    Values that are worked out are so when the test begins, and not in every process that only finds it.
    """
    left, every = iter(values), list[Any]()

    def of_all(test: Test) -> Test:
        @wraps(test)
        def tested(**others: Any) -> None:
            every.extend(left)
            assert every, f"there is no {name} to test"
            failed: list[BaseException] = []
            for value in every:
                try:
                    test(**{name: value}, **others)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"{name}: {called(value)}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(every)} fail", failed)

        own = signature(test)
        others = [parameter for parameter in own.parameters.values() if parameter.name != name]
        tested.__signature__ = own.replace(parameters=others)  # type: ignore[attr-defined]
        return tested

    return of_all
