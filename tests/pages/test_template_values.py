"""A template and what it shows name the same: it reads every field of its page, and nothing that is not there."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from flask import Flask
from jinja2 import Environment, meta, nodes

from scorekeeper.pages.hand.page import SaveBar
from scorekeeper.pages.hand.view import HandView
from scorekeeper.pages.match import views
from scorekeeper.pages.match.page import MatchPage

GIVEN: dict[str, dict[str, Any]] = {views.TEMPLATE: get_type_hints(MatchPage)}
"""What each template is given, by its name, with its type."""
SHOWN: dict[str, dict[str, Any]] = {
    **GIVEN,
    "hand/show.html": {"entry": HandView, "save_bar": SaveBar},
    "settle/show.html": {"entry": HandView, "save_bar": SaveBar},
}
"""The values whose attributes are known."""

Types = dict[str, list[Any]]
"""The types that a value may have, by its name in a template; `Any` where nothing says."""


def trees(templates: Environment, name: str) -> Iterator[nodes.Template]:
    """Yield a template, parsed, and whatever it extends, includes or imports."""
    assert templates.loader
    tree = templates.parse(templates.loader.get_source(templates, name)[0])
    yield tree
    for other in meta.find_referenced_templates(tree):
        assert other
        yield from trees(templates, other)


def names_read(tree: nodes.Template) -> set[str]:
    """Return what a template reads of what it is given, but for what it does without."""
    guards = (found for found in tree.find_all((nodes.Test, nodes.Filter)) if found.name in ("defined", "default"))
    optional = {name.name for guard in guards for name in guard.find_all(nodes.Name)}
    own = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
    return meta.find_undeclared_variables(tree) - optional - own


def flat(made: Any) -> list[Any]:
    """Return the types of a union, but for `None`."""
    is_union = get_origin(made) in (Union, UnionType)
    return [arg for arg in get_args(made) if arg is not type(None)] if is_union else [made]


def attribute(made: Any, name: str) -> list[Any]:
    """Return the types of an attribute; none where there is no such attribute."""
    if made is Any or not isinstance(made, type):
        return [Any]
    of, hints = getattr(made, name, None), get_type_hints(made)
    getter = of.fget if isinstance(of, property) else of.func if isinstance(of, cached_property) else None
    if getter:
        return flat(get_type_hints(getter)["return"])
    return flat(hints[name]) if name in hints else [Any] if of else []


def types_of(node: nodes.Node, known: Types) -> list[Any]:
    """Return the types that an expression may have."""
    if isinstance(node, nodes.Name):
        return known.get(node.name, [Any])
    if isinstance(node, nodes.Getattr):
        return [found for made in types_of(node.node, known) for found in attribute(made, node.attr)]
    return [Any]


def elements(types: Iterable[Any]) -> Iterator[Any]:
    for made in types:
        yield from flat(get_args(made)[0]) if get_origin(made) is tuple and get_args(made)[-1] is ... else [Any]


def missing(tree: nodes.Template, given: Types) -> Iterator[str]:
    """Yield what a template reads of a value that has no such attribute."""
    known = {name: types for name, types in given.items() if name in names_read(tree)}
    for assign in tree.find_all(nodes.Assign):
        if isinstance(assign.target, nodes.Name):
            known.setdefault(assign.target.name, []).extend(types_of(assign.node, known))
    for loop in tree.find_all(nodes.For):
        if isinstance(loop.target, nodes.Name):
            known.setdefault(loop.target.name, []).extend(elements(types_of(loop.iter, known)))
    for node in tree.find_all(nodes.Getattr):
        if types_of(node.node, known) and not types_of(node, known):
            yield f"line {node.lineno}: .{node.attr}"


@pytest.mark.parametrize("template", GIVEN)
def test_a_template_reads_every_field_of_its_page_and_no_other_value(app: Flask, template: str) -> None:
    common: dict[str, object] = {**app.jinja_env.globals}
    with app.test_request_context():
        app.update_template_context(common)
    read = set().union(*map(names_read, trees(app.jinja_env, template)))

    assert read - common.keys() == GIVEN[template].keys()


@pytest.mark.parametrize("template", SHOWN)
def test_a_value_has_every_attribute_that_a_template_reads(app: Flask, template: str) -> None:
    given = {name: flat(made) for name, made in SHOWN[template].items()}

    assert [fault for tree in trees(app.jinja_env, template) for fault in missing(tree, given)] == []
