"""Templates are compiled once for all starts, where the cache can be written; pages are rendered either way."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from jinja2 import Environment, nodes
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from scorekeeper.paths import TEMPLATES
from tests.common.apps import close, make_app


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which Python keeps what it has compiled; there is none yet."""
    folder = tmp_path / "kept"
    monkeypatch.setattr(sys, "pycache_prefix", str(folder))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return folder


def compiled_for_a_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Render a page that queries no database, and return the templates that were compiled for it."""
    compiled: list[str] = []
    compile_template = Environment.compile

    def watched(env: Environment, source: Any, name: Any = None, *more: Any, **options: Any) -> Any:
        compiled.append(name)
        return compile_template(env, source, name, *more, **options)

    with monkeypatch.context() as context:
        context.setattr(Environment, "compile", watched)
        assert "record the next hand" in app.test_client().get("/offline").text
    close(app)
    return compiled


def kept_templates(folder: Path) -> list[Path]:
    """Return the files of templates, beside which Python keeps its modules."""
    return [*folder.rglob("*.cache")]


def test_a_template_is_compiled_by_the_first_start_alone(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiled_for_a_page(make_app(tmp_path / "instance"), monkeypatch)
    second = compiled_for_a_page(make_app(tmp_path / "instance"), monkeypatch)

    assert "shared/base.html" in first
    assert len(kept_templates(kept)) == len(first)
    assert second == []


def test_what_was_kept_and_is_broken_is_compiled_anew(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiled_for_a_page(make_app(tmp_path / "instance"), monkeypatch)
    for file in kept_templates(kept):
        file.write_bytes(file.read_bytes()[:100])

    assert compiled_for_a_page(make_app(tmp_path / "instance"), monkeypatch) == first


def test_nothing_of_ours_is_worked_out_while_a_template_is_compiled(app: Flask) -> None:
    # A cached template is found by its text: a value computed while compiling would stay after our code changed.
    found = []
    for file in TEMPLATES.rglob("*.html"):
        tree = app.jinja_env.parse(file.read_text(encoding="utf-8"))
        for node in (*tree.find_all(nodes.Filter), *tree.find_all(nodes.Test)):
            with suppress(nodes.Impossible):
                node.as_const()
                found.append((str(file.relative_to(TEMPLATES)), node.name))

    assert found
    assert [value for value in found if value[1] not in {*FILTERS, *TESTS}] == []
