"""The tests of a ruleset run in one process, which lays out each of its sheets once."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: a layout is full of cycles, and looking for them takes a tenth of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        ruleset = params.get("ruleset") or params.get("ruleset_id")
        if ruleset:
            item.add_marker(pytest.mark.xdist_group(getattr(ruleset, "id", ruleset)))
