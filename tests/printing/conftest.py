"""The tests of a sheet run in one process, which lays it out once."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if {"ruleset", "kind", "size", "paper"} <= params.keys():
            sheet = params["ruleset"].id, params["kind"], params["size"], params["paper"]
            item.add_marker(pytest.mark.xdist_group("-".join(sheet)))
