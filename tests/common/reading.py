"""Pages as a test reads them: elements, their words, and forms that send what a browser would send."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

_UNSEEN = ("script", "style", "title")


@dataclass(eq=False, slots=True)
class Element:
    """One element of a page, or a page with all that it holds."""

    node: LexborHTMLParser | LexborNode

    @property
    def tag(self) -> str:
        """What kind of element it is; "page" for a page."""
        return self.node.tag or "" if isinstance(self.node, LexborNode) else "page"

    @property
    def attrs(self) -> dict[str, str]:
        """Its attributes; empty for one without a value."""
        return _attributes(self.node) if isinstance(self.node, LexborNode) else {}

    @property
    def inside(self) -> list["Element | str"]:
        """Its texts and the elements right inside it, in order."""
        return [Element(child) if child.is_element_node else child.text_content or "" for child in _children(self.node)]

    def walk(self) -> Iterator["Element"]:
        """Return this element and all inside it, in order."""
        yield self
        yield from self.all()

    def all(self, tag: str = "", **wanted: str) -> list["Element"]:
        """Return every element of that tag with those attributes; `class_` matches one class among others."""
        selector = tag or "*"
        for name, value in wanted.items():
            named = name.strip("_").replace("_", "-")
            selector += f"[{named}{'~' if named == 'class' else ''}={json.dumps(value, ensure_ascii=False)}]"
        return self.chosen(selector)

    def chosen(self, selector: str) -> list["Element"]:
        """Return every element inside it that a CSS selector chooses, in order."""
        found = self.node.css(selector)
        # An element is found in itself as well, before all that is in it.
        own = self.node.mem_id if found and isinstance(self.node, LexborNode) else None
        return [Element(value) for value in found if value.mem_id != own]

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """Return the only such element."""
        found = self.all(tag, **wanted)
        assert len(found) == 1, f"{len(found)} elements are {tag} {wanted}"
        return found[0]

    @property
    def text(self) -> str:
        """The words in it, drawn suits included."""
        return " ".join("".join(_words(self.node)).replace("\u2060", "").split())

    @property
    def label(self) -> str:
        """What it is called: its words without what stands beside it, small or at its end."""
        text = self.text
        for part in self.chosen("small, .end"):
            text = text.replace(part.text, "", 1) if part.text else text
        return " ".join(text.split())


def read(text: str) -> Element:
    """Read a page, or a part of one, as a browser does; what a template holds is not on it."""
    return Element(LexborHTMLParser(text, is_fragment=not text.lstrip().startswith("<!doctype")))


def _attributes(node: LexborNode) -> dict[str, str]:
    return {name: value or "" for name, value in node.attributes.items()}


def _children(node: LexborHTMLParser | LexborNode) -> Iterator[LexborNode]:
    child = node.first_child if isinstance(node, LexborNode) else node.root
    while child:
        if child.is_text_node or child.is_element_node:
            yield child
        child = child.next


def _words(node: LexborHTMLParser | LexborNode) -> Iterator[str]:
    if isinstance(node, LexborNode) and (attributes := node.attributes).get("role") == "img":
        yield f" {attributes.get('aria-label') or ''} "
    for part in _children(node):
        if part.is_text_node:
            yield part.text_content or ""
        elif part.tag not in _UNSEEN:
            yield " "
            yield from _words(part)
            yield " "


@dataclass(frozen=True)
class Button:
    """What sends a form."""

    label: str
    """All its words."""
    name: str
    value: str
    called: str
    """Its words without what stands beside them, small or at the end."""


@dataclass(frozen=True)
class Form:
    """A form as the page shows it."""

    action: str
    fields: dict[str, str]
    """What would be sent if nothing were tapped."""
    offered: dict[str, frozenset[str]]
    """The answers that can be tapped, by field."""
    buttons: tuple[Button, ...]

    def filled(self, answers: dict[str, str], press: str = "") -> dict[str, str]:
        """Return what a browser sends after these taps, by the button whose label begins so or that sends this."""
        for name, value in answers.items():
            assert name in self.fields or name in self.offered, f"the form does not ask for {name}"
            assert value in self.offered.get(name, {value}), f"{name} offers {sorted(self.offered[name])}, not {value}"
        pressed = [
            found
            for found in self.buttons
            if press and (found.label.startswith(press) or press == f"{found.name}={found.value}")
        ]
        assert len({(b.name, b.value) for b in pressed}) == bool(press), f"{press}: {self.buttons}"
        by_button = {button.name: button.value for button in pressed if button.name}
        return {**self.fields, **answers, **by_button}


_PARTS = "input, select, textarea, button"


def forms_of(page: Element) -> list[Form]:
    """Read every form of a page."""
    forms = page.node.css("form")
    named = {form.attributes["id"]: number for number, form in enumerate(forms) if "id" in form.attributes}
    inside = {node.mem_id: number for number, form in enumerate(forms) for node in form.css(_PARTS)}
    parts: list[list[LexborNode]] = [[] for _ in forms]
    for part in page.node.css(_PARTS):
        number = named.get(part.attributes.get("form"), inside.get(part.mem_id))
        if number is not None:
            parts[number].append(part)
    return [_form(form, own_parts) for form, own_parts in zip(forms, parts, strict=True)]


def _form(form: LexborNode, parts: Sequence[LexborNode]) -> Form:
    fields: dict[str, str] = {}
    offered: dict[str, set[str]] = {}
    buttons = []
    for part in parts:
        attrs = _attributes(part)
        name, value = attrs.get("name", ""), attrs.get("value", "")
        match part.tag:
            case "input" if name:
                kind = attrs.get("type", "text")
                if kind in ("radio", "checkbox"):
                    offered.setdefault(name, set()).add(value or "on")
                if kind not in ("radio", "checkbox", "file") or "checked" in attrs:
                    fields[name] = value
            case "select":
                options = [_attributes(node) for node in part.css("option")]
                chosen = next((option for option in options if "selected" in option), options[0])
                offered[name] = {option["value"] for option in options}
                fields[name] = chosen["value"]
            case "textarea":
                # As a browser has it, without the line that ends behind its tag.
                fields[name] = "".join(child.text_content or "" for child in _children(part)).removeprefix("\n")
            case "button":
                button = Element(part)
                buttons.append(Button(button.text, name, value, button.label))
    tapped = {name: frozenset(values) for name, values in offered.items()}
    return Form(form.attributes.get("action") or "", fields, tapped, tuple(buttons))
