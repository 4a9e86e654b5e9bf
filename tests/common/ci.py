"""Whether this run decides if a change is taken: then nothing is skipped, and laws are tried more often."""

import os
from collections.abc import Iterable
from itertools import cycle, product
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

IS_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")


def paired(many: Iterable[T], few: Iterable[U]) -> list[tuple[T, U]]:
    """Return what is tried together: in CI every pair; elsewhere one of the many with one, the next with the next."""
    return [*(product(many, few) if IS_CI else zip(many, cycle(few), strict=False))]
