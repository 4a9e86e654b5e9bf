"""What the wire contract has beside forms: addresses, query parameters of links, downloads, cookies."""

import csv
import gzip
import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.common.phone import Page
from tests.common.reading import Form, forms_of, read
from tests.contract.world import World

PRINTED = (".pdf", ".png")
"""How addresses end at which somebody has to print."""


def pattern(rule: Rule) -> str:
    """Return an address without the names of its parts, as nobody outside sees them."""
    return re.sub(r"<(?:(\w+):)?\w+>", lambda part: f"<{part[1] or ''}>", rule.rule)


def addresses(app: Flask) -> list[str]:
    """Return every address with each of its methods."""
    methods = {(pattern(rule), method) for rule in app.url_map.iter_rules() for method in rule.methods or ()}
    return [f"{method} {address}" for address, method in sorted(methods) if method not in ("HEAD", "OPTIONS")]


def address_of(app: Flask, path: str, method: str) -> str:
    """Return which address a form or a link leads to; empty for none."""
    try:
        rule, _ = app.url_map.bind("localhost").match(urlsplit(path).path, method=method, return_rule=True)
    except HTTPException:
        return ""
    return f"{method} {pattern(rule)}"


# ---------- links


def queries(page: Page) -> Iterator[str]:
    """Yield every link, poll and form of a page that has query parameters."""
    for name in ("href", "hx-get", "data-share"):
        yield from (element.attrs[name] for element in page.root.chosen(f"[{name}*='?']"))
    for form in forms_of(page.root):
        if form.fields.keys() | form.offered and "csrf_token" not in form.fields:
            yield f"{form.action.partition('?')[0]}?{urlencode(_chosen(form))}"


def _chosen(form: Form) -> dict[str, str]:
    others = {name: sorted(offers - {form.fields.get(name, "")}) for name, offers in form.offered.items()}
    return {**form.fields, **{name: offers[-1] for name, offers in others.items() if offers}}


def without(link: str, name: str) -> str:
    """Return a link without one of its query parameters."""
    parts = urlsplit(link)
    pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != name]
    return parts._replace(query=urlencode(pairs)).geturl()


def parameters(link: str) -> list[str]:
    """Return the names of the query parameters of a link."""
    return [name for name, _ in parse_qsl(urlsplit(link).query, keep_blank_values=True)]


OF_EACH_PAGE = ("csrf_token", "client_key", "next")


def shown(world: World, phone: str, link: str) -> str:
    """Return what a link leads to: its words, and what its forms would send."""
    response = world.client(phone).get(link)
    if response.mimetype != "text/html":
        return f"{response.status_code} {response.location} {response.text}"
    page = read(response.text)
    sent = [{name: form.fields[name] for name in form.fields.keys() - OF_EACH_PAGE} for form in forms_of(page)]
    return f"{response.status_code} {response.location} {page.text} {sorted(map(sorted, map(dict.items, sent)))}"


# ---------- downloads


def keys_of(response: TestResponse) -> list[str]:
    """Return the keys in a file: the path to each in JSON and TOML, the columns of a table."""
    is_packed = response.data.startswith(b"\x1f\x8b")
    text = (gzip.decompress(response.data) if is_packed else response.data).decode("utf-8-sig")
    match response.mimetype:
        case "text/csv":
            return next(csv.reader(io.StringIO(text)))
        case "application/toml":
            return sorted(set(_paths(tomllib.loads(text))))
        case _ if text.startswith("{"):
            return sorted({path for line in _values(text) for path in _paths(line)})
    return []


def _values(text: str) -> Iterable[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        return map(json.loads, text.splitlines())


def _paths(value: Any, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inside in value.items():
            yield f"{path}.{key}"
            yield from _paths(inside, f"{path}.{key}")
    elif isinstance(value, list):
        for inside in value:
            yield from _paths(inside, f"{path}[]")


# ---------- cookies


def cookies(world: World) -> list[str]:
    """Return every cookie that a phone is given on both kinds of address, with its attributes."""
    plain, found = next(iter(world.phones.values())), list[str]()
    for is_secure in (False, True):
        world.app.config["SESSION_COOKIE_SECURE"] = is_secure
        client = world.app.test_client()
        answers = [client.get(plain.path), client.get("/settings")]
        token = read(answers[-1].text).one("form", action="/theme").one(name="csrf_token").attrs["value"]
        answers += [client.post("/theme", data={"theme": theme, "csrf_token": token}) for theme in ("dark", "system")]
        for cookie in (line for answer in answers for line in answer.headers.getlist("Set-Cookie")):
            name, *attributes = cookie.split("; ")
            ends = (re.sub(r"Expires=(?!Thu, 01 Jan 1970).*", "Expires", part) for part in attributes)
            found.append("; ".join([name.partition("=")[0], *sorted(ends)]))
    world.app.config["SESSION_COOKIE_SECURE"] = False
    return sorted(set(found))
