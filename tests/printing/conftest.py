"""Let every sheet that the chosen tests will look at be made side by side."""

import pytest

from tests.printing.made import WANTED


def pytest_collection_finish(session: pytest.Session) -> None:
    for item in session.items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if {"ruleset", "kind", "size", "paper"} <= params.keys():
            case = params["kind"], params["ruleset"].id, params["paper"], params["size"]
            WANTED.extend([case] if case not in WANTED else [])
