"""The tests of a ruleset run in one process, which lays out each of its sheets once."""

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        ruleset = params.get("ruleset") or params.get("ruleset_id")
        if ruleset:
            item.add_marker(pytest.mark.xdist_group(getattr(ruleset, "id", ruleset)))
