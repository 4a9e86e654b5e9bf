"""`rulesets/README.md`, written from the schema: every key of a file, its values, its default and its meaning.

`python -m tests.pitch.rules.readme` writes it.
"""

import json
from collections.abc import Mapping
from typing import Any

from scorekeeper.paths import RULESETS
from scorekeeper.pitch.rules.groups.declare import StrictModel
from scorekeeper.pitch.rules.library import SOURCES_BY_NUMBER
from scorekeeper.pitch.rules.options import AWARD_POINTS_LIMITS, options
from scorekeeper.pitch.rules.schema import OPTION_GROUPS, Award, Listing, OwnSentence, RuleExamples, Ruleset, SheetText
from scorekeeper.pitch.rules.sources import SHEET_SECTIONS, Source

_HEAD = """\
# Rulesets

One file is one variant of Pitch, in TOML; its name without the ending is its id. `scorekeeper rulesets check` lists
every fault in every file, `scorekeeper rulesets show RULESET` shows one with every option answered. This page is
written by `python -m tests.pitch.rules.readme`.

A file that `extends` another has only what differs. Tables are merged key by key, except that `partners` replaces its
parent's, and `"none"` removes an answer. `also`, `common`, `notes`, `abstract` and `to_agree` are not inherited.

Keys marked **house** are house options: a table may answer them for itself, under the same names. Every award is a
house option too: its points, or `false`. `to_agree` names what the sources of a variant leave open; the table is asked
before a match. A house may give up to four cards points of its own, `own_1` to `own_4`: the points, who scores them
(`captured`, `held` or `kept`), a trump (`Q`, or `off Q` of the other suit of its color), and a name, as in
`own_1 = "5 captured Q: Black Lady"`.
"""
_OWN_GAME = """\
## A game of your own

If your family’s game is none of these, even with house options, it is one file more in this folder. Take the nearest
game, and write only what differs. This is the whole of `aunt-roses-pedro.toml`:

```toml
format  = 1
name    = "Aunt Rose’s Pedro"
also    = ["Rose’s"]
extends = "pedro"
source  = "house"
summary = "Pedro with a king worth ten; points are counted in order when both get there"

[awards]
king = { on = true, points = 10 }

[bidding]
min_bid = 8
dealer_steal = "top_only"

[winning]
target = 100
tie_rule = "bidder_then_point_order"
count_order = ["five", "off_five", "king"]

[sheet]
argued = ["low", "dealer_steal", "tie_rule"]
```

1. Put the file into this folder. Its name is the id of the game: small letters, digits and hyphens.
2. `scorekeeper rulesets check` says what is wrong with it, or nothing.
3. `scorekeeper rulesets trace aunt-roses-pedro` prints its rule sheet. It fails where a rule comes from nowhere: that
   is one of your own sentences without a line in `[sheet.trace]`.
4. `scorekeeper sheet aunt-roses-pedro -o rules.pdf` prints it, and after a restart of the server the game is in every
   list, and is found by its names and its cards.

What “Our own rules” on a phone can say takes no writing: **Download** on their page gives a file that belongs here as
well. It has the answers of a house instead of keys like these, and whoever starts a match finds it among the games.

Every sheet has a line for what nearly every table asks: a misdeal, a renege, a card out of turn. Where your game has a
rule for it, write it as `[sheet.sentences."play.renege"]`, with its line in `[sheet.trace]`: it takes the place of
that line.

Matches keep the rules that they began with, whatever you change in the file later.
"""
_SHEET = """\
`[sheet]`. {about}

Every rule has an id, which is its section and a name, such as `bid.order`; it stays, whatever number the rule has on a
sheet. `scorekeeper rulesets trace RULESET` prints every rule with its id and where it comes from. The sections are
{sections}. Nothing here decides anything at the table, and no match keeps it.

`trace` gives for an id lines of the documents above, readings, or both: `"002 L17, L22, R6"` is lines 17 and 22 of
document `002`, and reading 6 of [`READINGS.md`](READINGS.md); `"005, R6"` is document `005` as a whole. `scorekeeper
rulesets check` reports a trace that leads nowhere, and an option or an answer that there is not. What names a reading
has a † on the printed sheet. An offered option is traced as `house.<option>`, or where each answer has a page of its
own as `house.<option>_<answer>`; an answer under "Where tables argue" that rests on less than its rule has a trace of
its own, as `argue.<option>`.
"""
_OWN_SENTENCE = '`[sheet.sentences."<id>"]`. {about}'
_SOURCES = """\
`source` in a file is the number of one of these documents and the section in it. Their text is not in this folder.
"""


_TYPES = {
    "string": "a text",
    "integer": "a number",
    "boolean": "`true`, `false`",
    "array": "a list of texts",
    "null": "none",
}


def rulesets_readme() -> str:
    """Return the content of `rulesets/README.md`."""
    lowest, highest = AWARD_POINTS_LIMITS
    award = f"`[awards.<id>]`. {Award.__doc__} As a house option: `false`, or {lowest} to {highest} points."
    found = f"Beside those of the file. {Listing.__doc__}"
    parts = [_HEAD, _OWN_GAME, _source_table(), _table("The file", "", Ruleset), _table("Finding it", found, Listing)]
    description = " ".join((RuleExamples.model_fields["asked"].description or "").split())
    parts.append(f"## What tables ask\n\nThe files in `asked`. {description}\n")
    parts.append(_table("Awards", award, Award))
    for name in ("table", "cards", *OPTION_GROUPS):
        part = Ruleset.model_fields[name].annotation
        assert isinstance(part, type)
        parts.append(_table(part.__name__, f"`[{name}]`. {part.__doc__}", part, name))
    sections = ", ".join(f"`{section}`" for section in SHEET_SECTIONS)
    parts.append(_table("The sheet", _SHEET.format(about=SheetText.__doc__, sections=sections).rstrip(), SheetText))
    parts.append(_table("Sentences of its own", _OWN_SENTENCE.format(about=OwnSentence.__doc__), OwnSentence))
    return "\n".join(parts)


def _source_table() -> str:
    head = ["## Sources", "", _SOURCES, "| number | document | where | covers |", "|---|---|---|---|"]
    return "\n".join([*head, *(_source_row(number, source) for number, source in SOURCES_BY_NUMBER.items()), ""])


def _source_row(number: str, source: Source) -> str:
    where = ", ".join(part for part in (source.address and f"<https://{source.address}>", source.origin) if part)
    return f"| `{number}` | “{source.title}” | {where} | {source.covers} |"


def _table(title: str, intro: str, model: type[StrictModel], group: str = "") -> str:
    schema = model.model_json_schema()
    required = schema.get("required", ())
    elsewhere = {"id", "awards", "table", "cards", "sheet", *OPTION_GROUPS} if model is Ruleset else ()
    rows = [
        _row(name, group, field, is_required=name in required)
        for name, field in schema["properties"].items()
        if name not in elsewhere
    ]
    head = ["| key | values | default | meaning |", "|---|---|---|---|"]
    return "\n".join([f"## {title}", "", *([intro, ""] if intro else []), *head, *rows, ""])


def _row(name: str, group: str, field: Mapping[str, Any], *, is_required: bool) -> str:
    house = " **house**" if name in options() and options()[name].group == group else ""
    default = "required" if is_required else _default(field.get("default"))
    return f"| `{name}`{house} | {_values(field)} | {default} | {' '.join(field.get('description', '').split())} |"


def _default(value: object) -> str:
    if value in (None, [], {}):
        return "none"
    return f"`{value if isinstance(value, str) else json.dumps(value)}`"


def _values(field: Mapping[str, Any]) -> str:
    """Return the values that a key may have, in words."""
    if "anyOf" in field:
        return ", ".join(map(_values, field["anyOf"]))
    if field.get("type") == "object":
        return _object_values(field["additionalProperties"])
    if "const" in field or "enum" in field:
        return ", ".join(f"`{value}`" for value in field.get("enum") or [field["const"]])
    return f"{field['minimum']} to {field['maximum']}" if "maximum" in field else _TYPES[field["type"]]


def _object_values(values: Any) -> str:
    """Return what a table of any names holds, in words."""
    if "anyOf" in values:
        return "option = an answer"
    if "$ref" in values:
        return "id = a table"
    if values["type"] == "array":
        return "option = a list of answers" if "anyOf" in values["items"] else "name = a list of texts"
    return "players = sides" if values["type"] == "integer" else "id = a text"


if __name__ == "__main__":
    (RULESETS / "README.md").write_text(rulesets_readme(), encoding="utf-8")
