"""Templates use only what their dataclass gives, and each block is the same alone as in its page."""

import re
from dataclasses import is_dataclass
from pathlib import Path

import pytest
from flask import Flask, render_template
from jinja2 import nodes
from jinja2_fragments.flask import render_block

from scorekeeper import paths
from tests.look.samples import SAMPLES, Sample
from tests.look.table import look_app

INLINE = re.compile(r"""<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:""", re.IGNORECASE)


@pytest.fixture(scope="module")
def app() -> Flask:
    return look_app()


def render(app: Flask, sample: Sample) -> str:
    """Render a sample page whole."""
    with app.test_request_context():
        return render_template(sample.template, page=sample.page)


def blocks_shown() -> list[tuple[str, str]]:
    """Name every block of every sample."""
    return [(name, block) for name, sample in SAMPLES.items() for block in sample.blocks]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_renders_from_its_dataclass_alone(app: Flask, name: str) -> None:
    sample = SAMPLES[name]

    text = render(app, sample)

    assert is_dataclass(sample.page)
    assert "</html>" in text


@pytest.mark.parametrize(("name", "block"), blocks_shown())
def test_a_block_alone_is_a_part_of_its_page(app: Flask, name: str, block: str) -> None:
    sample = SAMPLES[name]
    whole = render(app, sample)

    with app.test_request_context():
        part = render_block(sample.template, block, page=sample.page).strip()

    assert part in whole
    assert f'id="{block}"' in part


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_is_inline_and_no_id_stands_twice(app: Flask, name: str) -> None:
    text = render(app, SAMPLES[name])

    ids = re.findall(r'\sid="([^"]+)"', text)

    assert INLINE.findall(text) == []
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sign_that_a_page_uses_is_in_the_sprite(app: Flask, name: str) -> None:
    text = render(app, SAMPLES[name])

    used = set(re.findall(r'<use [^>]*href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text))

    assert used <= set(re.findall(r'<(?:symbol|pattern) id="([^"]+)"', text))


@pytest.mark.parametrize("name", SAMPLES)
def test_every_form_that_posts_carries_its_token(app: Flask, name: str) -> None:
    text = render(app, SAMPLES[name])

    forms = re.findall(r'<form[^>]*method="post".*?</form>', text, re.DOTALL)

    assert [form[:80] for form in forms if 'name="csrf_token"' not in form] == []


def own_templates() -> list[str]:
    """Name the templates that are pages on a phone."""
    roots = (
        "home",
        "match",
        "rules/index.html",
        "rules/compose.html",
        "rules/_number.html",
        "rules/houses.html",
        "rules/share.html",
        "transfer.html",
        "offline.html",
        "_outbox.html",
        "_draft.html",
        "_touch.html",
        "base.html",
        "_ui.html",
    )
    found: list[Path] = []
    for root in roots:
        place = paths.TEMPLATES / root
        found += place.glob("*.html") if place.is_dir() else [place]
    return sorted(str(file.relative_to(paths.TEMPLATES)) for file in found)


@pytest.mark.parametrize("template", own_templates())
def test_a_template_does_no_arithmetic(app: Flask, template: str) -> None:
    assert app.jinja_loader is not None
    source, *_ = app.jinja_loader.get_source(app.jinja_env, template)

    tree = app.jinja_env.parse(source)

    sums = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
    assert [node.lineno for kind in sums for node in tree.find_all(kind)] == []
