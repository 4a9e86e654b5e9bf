"""What holds for every page: of its fields none is missing and none is unused, its parts are the same alone, and its
markup keeps what the content security policy and htmx rely on."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import flask
import pytest
from jinja2 import Environment, meta, nodes
from jinja2_fragments.flask import render_block

from scorekeeper import paths
from scorekeeper.access.roles import Head, Link
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.pages.match import views
from scorekeeper.pages.match.page import Viewer
from scorekeeper.web import page_cache
from tests.common.each import each
from tests.common.gallery import Exhibit, Gallery, build
from tests.test_words import ENTRIES, SHOWN, faults, on_page

INLINE = re.compile(r"""<style|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:""", re.IGNORECASE)
FRESH = re.compile(r'(name="(?:csrf_token|client_key)" value=")[^"]*')
"""What differs each time that a page is rendered."""
READ = {
    "HandForm",
    "HandInProgress",
    "HandInput",
    "OwnPoint",
    "PaperScores",
    "ResolvedRules",
    "NewMatchRules",
}
"""Parsed addresses and parts of forms, of which a template reads only the fields that it needs."""
FOUND_BY = {"finder", "query"}
"""Modules of games found by their description, of which a page shows only a part."""
LAYOUTS = {"shared/base.html", "shared/confirm.html"}
"""Templates that others extend."""
TEMPLATES = [file for file in paths.TEMPLATES.rglob("*.html") if "printing" not in file.parts]
SUMS = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)

pytestmark = [pytest.mark.xdist_group("gallery"), pytest.mark.club]  # in one process, which makes all pages once


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Gallery:
    return build(tmp_path_factory.mktemp("gallery"))


def field_names(made: type) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass or a named tuple; none for any other class."""
    if is_dataclass(made):
        return tuple(part.name for part in fields(made))
    return getattr(made, "_fields", ())


def is_shown(value: object) -> bool:
    """Return whether a value is made for a page; a parsed form is not, as it has more fields than any page shows."""
    made = type(value)
    modules = {*made.__module__.split(".")}
    is_read = made.__name__.endswith("Form") or made.__name__ in READ or not FOUND_BY.isdisjoint(modules)
    return bool(field_names(made)) and not {"pages", "web", "views"}.isdisjoint(modules) and not is_read


def values(value: object) -> Iterator[object]:
    """Yield a value and all that is in it."""
    yield value
    if is_shown(value):
        for name in field_names(type(value)):
            yield from values(getattr(value, name))
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from values(part)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from values(part)


def shown(gallery: Gallery) -> dict[tuple[type, str], bool]:
    """Return every field of a page, or of what is on it, with whether it has a value on some page."""
    has_value: dict[tuple[type, str], bool] = defaultdict(bool)
    for exhibit in gallery.exhibits.values():
        for value in values(exhibit.context):
            if is_shown(value):
                for name in field_names(type(value)):
                    has_value[type(value), name] |= bool(getattr(value, name))
    return has_value


def named(found: Iterable[tuple[type, str]]) -> list[str]:
    return sorted(f"{owner.__name__}.{name}" for owner, name in found)


def test_every_template_is_shown(gallery: Gallery) -> None:
    every = {str(file.relative_to(paths.TEMPLATES)) for file in TEMPLATES if not file.name.startswith("_")}

    assert every - {exhibit.template for exhibit in gallery.exhibits.values()} == LAYOUTS


def test_a_template_reads_every_field_of_a_page(gallery: Gallery) -> None:
    # A viewer is what a page is made for: a page may leave out any of its fields.
    assert named(found for found in shown(gallery).keys() - gallery.read if found[0] is not Viewer) == []


def trees(templates: Environment, name: str) -> Iterator[nodes.Template]:
    """Yield a template, parsed, and whatever it extends, includes or imports."""
    assert templates.loader
    tree = templates.parse(templates.loader.get_source(templates, name)[0])
    yield tree
    for other in filter(None, meta.find_referenced_templates(tree)):
        yield from trees(templates, other)


def test_a_template_reads_every_value_that_it_is_given(gallery: Gallery) -> None:
    unread: dict[str, set[str]] = defaultdict(set)
    for exhibit in gallery.exhibits.values():
        unread[exhibit.template] |= exhibit.context.keys()
    for template, names in unread.items():
        names.difference_update(*map(meta.find_undeclared_variables, trees(gallery.app.jinja_env, template)))

    assert {template: names for template, names in unread.items() if names} == {}


def test_every_field_of_a_page_has_a_value_on_some_page(gallery: Gallery) -> None:
    assert named(field for field, has_value in shown(gallery).items() if not has_value) == []


def test_a_block_alone_is_a_part_of_its_page(gallery: Gallery) -> None:
    frame = set(gallery.app.jinja_env.get_template("shared/base.html").blocks)
    strays = []
    for name, exhibit in gallery.exhibits.items():
        template = gallery.app.jinja_env.get_template(exhibit.template)
        with gallery.app.test_request_context():
            whole = FRESH.sub(r"\1", template.render(exhibit.context))
            for block in set(template.blocks) - frame:
                # Not every page has every part, and not every block is one.
                if f'id="{block}"' not in whole:
                    continue
                part = FRESH.sub(r"\1", render_block(exhibit.template, block, **exhibit.context)).strip()
                # What goes wrong is put into an element of the frame.
                if part not in whole or (f'id="{block}"' not in part and block != "trouble"):
                    strays.append((name, block))

    assert strays == []


def failing(gallery: Gallery, check: Any) -> dict[str, object]:
    """Return what a check finds, by the name of the page."""
    return {name: found for name, exhibit in gallery.exhibits.items() if (found := check(exhibit))}


def test_nothing_is_inline(gallery: Gallery) -> None:
    assert failing(gallery, lambda exhibit: INLINE.findall(exhibit.html)) == {}


def test_no_page_has_a_word_that_a_newcomer_would_ask_about(gallery: Gallery) -> None:
    unknown = [entry for entry in ENTRIES if SHOWN in entry.only]

    assert failing(gallery, lambda exhibit: faults(on_page(exhibit.html, exhibit.template), unknown)) == {}


def test_no_id_stands_twice(gallery: Gallery) -> None:
    def twice(exhibit: Exhibit) -> set[str]:
        ids = re.findall(r'\sid="([^"]+)"', exhibit.html)
        return {found for found in ids if ids.count(found) > 1}

    assert failing(gallery, twice) == {}


def test_every_symbol_that_a_page_uses_is_in_the_sprite(gallery: Gallery) -> None:
    def missing(exhibit: Exhibit) -> set[str]:
        used = re.findall(r'(?:<use [^>]*href="#|url\(#)([^")]+)', exhibit.html)
        return set(used) - set(re.findall(r'<(?:symbol|pattern) id="([^"]+)"', exhibit.html))

    assert failing(gallery, missing) == {}


def test_every_form_that_posts_carries_its_token(gallery: Gallery) -> None:
    def without(exhibit: Exhibit) -> list[str]:
        forms = re.findall(r'<form[^>]*method="post".*?</form>', exhibit.html, re.DOTALL)
        return [form[:80] for form in forms if 'name="csrf_token"' not in form]

    assert failing(gallery, without) == {}


@each("template", TEMPLATES)
def test_a_template_does_no_arithmetic(gallery: Gallery, template: Any) -> None:
    tree = gallery.app.jinja_env.parse(template.read_text(encoding="utf-8"))

    assert [node.lineno for kind in SUMS for node in tree.find_all(kind)] == []


# ---------- pages that are kept for several phones ----------

OTHERWISE: Mapping[str, tuple[object, ...]] = {
    "id": (2,),
    "code": ("another-code",),
    "role": (SCORER, WATCHER),
    "holder": ("p1", "p2", "s1", "s2"),
}
"""The values that the link of another phone may have, field by field."""


def test_every_field_of_a_link_is_tried() -> None:
    assert OTHERWISE.keys() == {part.name for part in fields(Link)} - {"stream_id", "kind", "ended_at"}


def links(match: Match) -> Iterator[tuple[Link, list[Link]]]:
    """Yield the link of a phone, and those of others that differ from it in one field."""
    for seat in ("", *(seat.id for seat in match.setup.seats[:1])):
        one = Link(id=1, code="code", role=OWNER, stream_id=match.id, holder=seat)
        yield (
            one,
            [
                replace(one, **{name: value})  # type: ignore[arg-type]
                for name, others in OTHERWISE.items()
                for value in others
                if name != "holder" or value in match.names
            ],
        )


def sent(gallery: Gallery, match: Match, link: Link, *, is_poll: bool) -> str:
    """Return the match page as a phone gets it, kept or rendered anew."""
    since, blocks = (match.version - 1, views.POLLED_BLOCKS) if is_poll else (None, ())
    with gallery.app.test_request_context(headers={"HX-Request": "true"} if is_poll else {}):
        flask.session["device"] = link.code
        flask.g.match_head = Head(link, match.version, "")
        page = views._show_page(
            replace(match, link=link), since=since, shown_role=WATCHER if is_poll else "", blocks=blocks
        )
        return FRESH.sub(r"\1", page.get_data(as_text=True))


@pytest.mark.parametrize("is_poll", [False, True])
def test_a_page_that_is_kept_shows_each_phone_what_is_its_own(gallery: Gallery, is_poll: bool) -> None:
    strays, shared = [], 0
    for name, exhibit in gallery.exhibits.items():
        if exhibit.template != views.MATCH_TEMPLATE:
            continue
        match = exhibit.context["match"]
        for one, others in links(match):
            page_cache._cached_pages.clear()
            first = sent(gallery, match, one, is_poll=is_poll)
            kept = {}
            for other in others:
                known = len(page_cache._cached_pages.values())
                page = sent(gallery, match, other, is_poll=is_poll)
                if len(page_cache._cached_pages.values()) == known:  # otherwise it was rendered anew
                    kept[other] = page
            shared += len(kept)
            for other, page in kept.items():
                page_cache._cached_pages.clear()
                if page != sent(gallery, match, other, is_poll=is_poll):
                    strays.append((name, other))
            assert "code/" in first

    assert strays == []
    assert shared  # what nobody shares would prove nothing
