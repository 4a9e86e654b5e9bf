"""Values that nobody types, and sound data with some of them in it."""

import copy
import gzip
import hashlib
import json
import os
from random import Random
from typing import Any

USUAL_SEED = 20261122
SEED = int(os.environ.get("FUZZ_SEED", USUAL_SEED))
"""Always the same one but for `./run fuzz`."""
TEXTS = (
    *("", " ", "\0", "a\0b", "0", "-1", "1", "00", "1e9", "NaN", "Infinity", "null", "true", "[]", "{}", "None"),
    *("9" * 30, "-" + "9" * 30, "9" * 5000, "2147483648", "9223372036854775808", "1.5", "٣", "²", "½", "+1"),
    *(" 1 ", "1_0", "x" * 300, "é" * 70_000, "\u202e<script>alert(1)</script>", "\x1b[31m\x1b]0;x\x07"),
    *("\x9b31m", "\r\nSet-Cookie: a=b", "\ud800", "\ufffe\uffff", "\U0001f0a1" * 40, "a\u0301" * 30, "\u200b"),
    *("\u2028\u2029", "\x7f\x85", "%00", "%", "%zz", "../../etc/passwd", "..", "/", "//evil.example"),
    *("\\\\evil", "javascript:alert(1)", "{{7*7}}", "' OR 1=1 --", "p1", "p1:3", "s1", "nobody", "bidders"),
    *("defenders", "p99", "s1:s2", ":", "=", "&", ",", "p1,p2", "p1:pass;p2:3", "2026-11-22", "0000-00-00"),
    *("9999-99-99", "12:00", "owner", "watcher", "yes", "off", "save", "cards", "auction"),
)
JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 10**6, -(10**12), 10**40, 0.5, -0.0, 1e308, [], {}, [[]], [None], {"": None}),
    *({"a": {"a": {}}}, [[[[[[[[[[]]]]]]]]]], ["p1", 2], [["p1", "pass"]], {"high": 3}, {"Us": "x"}, {"\0": "\0"}),
)
MAX_QUERY_LENGTH = 4000
"""Letters: a server refuses a longer address before we see it."""


def hostile_text(rng: Random) -> str:
    """Return a text that is hostile, or two of them, or noise."""
    kind = rng.random()
    if kind < 0.8:
        return rng.choice(TEXTS)
    if kind < 0.9:
        return rng.choice(TEXTS)[:200] + rng.choice(TEXTS)[:200]
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0xD800)))) for _ in range(rng.randrange(40))
    )


def hostile_json(rng: Random) -> Any:
    """Return a JSON value of any kind."""
    return copy.deepcopy(rng.choice(JSON_VALUES)) if rng.random() < 0.5 else hostile_text(rng)


def changed(rng: Random, value: Any, times: int = 1) -> Any:
    """Return a JSON value in which some parts are replaced, repeated, renamed or missing."""
    value = copy.deepcopy(value)
    for _ in range(times):
        positions = list(_positions(value))
        if not positions:
            return hostile_json(rng)
        holder, key = rng.choice(positions)
        _change(rng, holder, key)
    return value


def _positions(value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _positions(value[key])


def _change(rng: Random, holder: Any, key: Any) -> None:
    match rng.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.extend([copy.deepcopy(holder[key])] * rng.choice((1, 2, 20)))
        case 1:
            holder[hostile_text(rng)] = holder[key]
        case _:
            holder[key] = hostile_json(rng)


def as_file(rng: Random, value: Any) -> bytes:
    """Return JSON as a file, mostly whole."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return damaged(rng, text) if rng.random() < 0.2 else text


def damaged(rng: Random, content: bytes) -> bytes:
    """Return bytes that are cut, changed or doubled somewhere."""
    at = rng.randrange(len(content) + 1)
    match rng.randrange(4):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + rng.randbytes(rng.randrange(1, 9)) + content[at:]
        case 2:
            return (
                content[:at] + rng.choice((b"\0", b"\x1b[2J", b"\xff\xfe", b"}", b'"', b"\xed\xa0\x80")) + content[at:]
            )
        case _:
            return content + b"\n" + content


BEYOND: tuple[tuple[str, Any], ...] = (
    ("table", {"fewest": 2, "most": 3_000_000}),
    ("awards", {f"a{number}": {} for number in range(3000)}),
    ("notes", ["x" * 40_000]),
    ("winning", {"target": 10**40}),
    ("sheet", {"sentences": {"bid.own": {"text": "{target:>2000000000}"}}}),
)
"""Rules without bounds."""


def changed_book(rng: Random, content: bytes) -> bytes:
    """Return the file of a book, mostly with something wrong in it; its rules have the digest that they have then."""
    lines = [json.loads(line) for line in gzip.decompress(content).splitlines()]
    kind, at = rng.random(), rng.randrange(len(lines))
    if kind < 0.25:
        _change_rules(rng, lines)
    elif kind < 0.5:
        lines[at] = changed(rng, lines[at], rng.choice((1, 1, 2)))
    elif kind < 0.6:
        lines[at:at] = [copy.deepcopy(lines[at])] * rng.choice((1, 2, 20))
    elif kind < 0.7:
        del lines[at : at + rng.choice((1, 1, 3))]
    elif kind < 0.75:
        rng.shuffle(lines)
    elif kind < 0.85:
        lines[0] = {**lines[0], "book": f"{rng.getrandbits(64):022d}"}  # a book that is not here
    text = "".join(f"{json.dumps(line)}\n" for line in lines).encode("utf-8", "surrogatepass")
    packed = gzip.compress(text if rng.random() < 0.9 else damaged(rng, text), 1)
    return packed if rng.random() < 0.9 else damaged(rng, packed)


def _change_rules(rng: Random, lines: list[Any]) -> None:
    digests: dict[str, str] = {}
    for line in lines:
        if "text" in line:
            rules = json.loads(line["text"])
            if rng.random() < 0.5:
                name, value = rng.choice(BEYOND)
                rules[name] = {**rules.get(name, {}), **value} if isinstance(value, dict) else value
            else:
                rules = changed(rng, rules, rng.choice((1, 1, 3)))
            line["text"] = json.dumps(rules)
            was, line["rules"] = line["rules"], hashlib.sha256(line["text"].encode()).hexdigest()
            digests[was] = line["rules"]
        elif "rules" in line:
            line["rules"] = digests.get(line["rules"], line["rules"])
