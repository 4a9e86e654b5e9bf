"""`rulesets/README.md`, written from the schema: every key of a file, its values, its default and its meaning."""

from collections.abc import Iterator
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from scorekeeper.rules.awards import Award
from scorekeeper.rules.options import POINTS_OF_AWARD, options
from scorekeeper.rules.schema import GROUPS, Ruleset
from scorekeeper.rules.sources import SOURCES, Source
from scorekeeper.rules.spec import Spec

_HEAD = """\
# Rulesets

One file is one variant of Pitch, in TOML; its name without the ending is its id. `scorekeeper rulesets check` lists
every fault in every file, `scorekeeper rulesets show RULESET` shows one with every option answered. This page is
written by `scorekeeper rulesets schema`.

A file that `extends` another has only what differs. Tables are merged key by key, except that `partners` replaces its
parent's, and `"none"` removes an answer. `also`, `notes`, `abstract` and `to_agree` are not inherited.

Keys marked **house** are house options: a table may answer them for itself, under the same names. Every award is a
house option too: its points, or `false`. `to_agree` names what the sources of a variant leave open; the table is asked
before a match.
"""
_SOURCES = """\
`source` in a file is the number of one of these documents and the section in it. Their text is not in this folder.
"""


def rulesets_readme() -> str:
    """Return the content of `rulesets/README.md`."""
    parts = [_HEAD, _source_table(), _table("The file", "", Ruleset, _plain_fields(Ruleset)), _award_table()]
    for name in ("table", "cards", *GROUPS):
        part = Ruleset.model_fields[name].annotation
        assert isinstance(part, type)
        parts.append(_table(part.__name__, f"`[{name}]`. {part.__doc__}", part, part.model_fields))
    return "\n".join(parts)


def _source_table() -> str:
    head = ["## Sources", "", _SOURCES, "| number | document | where | covers |", "|---|---|---|---|"]
    return "\n".join([*head, *(_source_row(number, source) for number, source in SOURCES.items()), ""])


def _source_row(number: str, source: Source) -> str:
    where = ", ".join(part for part in (source.address and f"<https://{source.address}>", source.origin) if part)
    return f"| `{number}` | “{source.title}” | {where} | {source.covers} |"


def _plain_fields(model: type[Spec]) -> dict[str, FieldInfo]:
    elsewhere = {"id", "awards", "table", "cards", *GROUPS}
    return {name: field for name, field in model.model_fields.items() if name not in elsewhere}


def _award_table() -> str:
    lowest, highest = POINTS_OF_AWARD
    intro = f"`[awards.<id>]`. {Award.__doc__} As a house option: `false`, or {lowest} to {highest} points."
    return _table("Awards", intro, Award, Award.model_fields)


def _table(title: str, intro: str, model: type, fields: dict[str, FieldInfo]) -> str:
    rows = [_row(model, name, field) for name, field in fields.items()]
    head = ["| key | values | default | meaning |", "|---|---|---|---|"]
    return "\n".join([f"## {title}", "", *([intro, ""] if intro else []), *head, *rows, ""])


def _row(model: type, name: str, field: FieldInfo) -> str:
    house = " **house**" if _is_option(model, name) else ""
    values = ", ".join(_values(field.rebuild_annotation()))
    return f"| `{name}`{house} | {values} | {_default(field)} | {field.description or ''} |"


def _is_option(model: type, name: str) -> bool:
    return name in options() and Ruleset.model_fields[options()[name].group].annotation is model


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None:
        return "none"
    return "none" if value in ([], {}, ()) else f"`{_toml(value)}`"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _values(annotation: Any) -> Iterator[str]:
    """Yield the values that a key may have, in words."""
    origin, arms = get_origin(annotation), get_args(annotation)
    if annotation is NoneType:
        yield "none"
    elif origin is Literal:
        yield from (f"`{_toml(value)}`" for value in arms)
    elif annotation is bool:
        yield "`true`, `false`"
    elif origin is list:
        yield "a list of texts"
    elif origin is dict:
        yield "players = sides"
    elif hasattr(annotation, "__metadata__"):
        bounds = {
            key: getattr(item, key) for item in _constraints(annotation) for key in ("ge", "le") if hasattr(item, key)
        }
        yield f"{bounds['ge']} to {bounds['le']}" if len(bounds) == 2 else next(_values(annotation.__origin__))
    elif arms:
        for arm in arms:
            yield from _values(arm)
    else:
        yield {int: "a number", str: "a text"}[annotation]


def _constraints(annotation: Any) -> Iterator[Any]:
    for item in annotation.__metadata__:
        yield item
        yield from getattr(item, "metadata", ())
