"""A machine without a browser skips what needs it, and says why."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engines.engine import Engine, EngineMissing
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit


@pytest.mark.parametrize(
    ("engine", "program"), [(WebKit, "WebKitWebDriver"), (Firefox, "firefox-esr")], ids=["webkit", "firefox"]
)
def test_it_says_what_is_not_installed(
    engine: Callable[[], Engine], program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(EngineMissing, match=f"{program} is not installed"):
        engine()
