"""Pages as a test reads them: elements, their words, and forms that send what a browser would send."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode


@dataclass(eq=False, slots=True)
class Element:
    """One element of a page."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    inside: list["Element | str"] = field(default_factory=list)

    def walk(self) -> Iterator["Element"]:
        """Return this element and all inside it, in order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [part for part in reversed(element.inside) if isinstance(part, Element)]

    def all(self, tag: str = "", **wanted: str) -> list["Element"]:
        """Return every element of that tag with those attributes; `class_` asks for one class among others."""
        return [it for it in self.walk() if it is not self and it.is_like(tag, wanted)]

    def one(self, tag: str = "", **wanted: str) -> "Element":
        """Return the only such element."""
        found = self.all(tag, **wanted)
        assert len(found) == 1, f"{len(found)} elements are {tag} {wanted}"
        return found[0]

    def is_like(self, tag: str, wanted: dict[str, str]) -> bool:
        """Return whether this is such an element."""
        if tag and tag != self.tag:
            return False
        named = {name.strip("_").replace("_", "-"): value for name, value in wanted.items()}
        one_class = named.pop("class", None)
        has_class = one_class is None or one_class in self.attrs.get("class", "").split()
        return has_class and all(self.attrs.get(name) == value for name, value in named.items())

    @property
    def text(self) -> str:
        """The words in it, drawn suits included."""
        return " ".join("".join(self._words()).replace("\u2060", "").split())

    @property
    def label(self) -> str:
        """What it is called: its words without what stands beside it, small or at its end."""
        parts = [it for it in self.walk() if it.tag == "small" or it.is_like("", {"class": "end"})]
        said = self.text
        for part in parts:
            said = said.replace(part.text, "", 1) if part.text else said
        return " ".join(said.split())

    def _words(self) -> Iterator[str]:
        if self.attrs.get("role") == "img":
            yield f" {self.attrs.get('aria-label', '')} "
        for part in self.inside:
            if isinstance(part, str):
                yield part
            elif part.tag not in ("script", "style", "title"):
                yield " "
                yield from part._words()
                yield " "


def read(text: str) -> Element:
    """Read a page, or a part of one, as a browser does; what a template holds is not on it."""
    parser = LexborHTMLParser(text, is_fragment=not text.lstrip().startswith("<!doctype"))
    return Element("page", {}, _inside(parser.root))


def _inside(node: LexborNode | None) -> list[Element | str]:
    inside: list[Element | str] = []
    while node:
        if node.is_text_node:
            inside.append(node.text_content or "")
        elif node.is_element_node:
            attrs = {name: value or "" for name, value in node.attributes.items()}
            inside.append(Element(node.tag or "", attrs, _inside(node.first_child)))
        node = node.next
    return inside


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

    def filled(self, said: dict[str, str], press: str = "") -> dict[str, str]:
        """Return what a browser sends after these taps, by the button whose label begins so or that sends this."""
        for name, value in said.items():
            assert name in self.fields or name in self.offered, f"the form does not ask for {name}"
            assert value in self.offered.get(name, {value}), f"{name} offers {sorted(self.offered[name])}, not {value}"
        pressed = [
            it for it in self.buttons if press and (it.label.startswith(press) or press == f"{it.name}={it.value}")
        ]
        assert len({(b.name, b.value) for b in pressed}) == bool(press), f"{press}: {self.buttons}"
        by_button = {button.name: button.value for button in pressed if button.name}
        return {**self.fields, **said, **by_button}


def forms_of(page: Element) -> list[Form]:
    """Read every form of a page."""
    forms = page.all("form")
    parts: dict[int, list[Element]] = {id(form): [] for form in forms}
    named = {form.attrs["id"]: form for form in forms if "id" in form.attrs}
    inside = {id(part): form for form in forms for part in form.walk()}
    for part in page.walk():
        form = named.get(part.attrs.get("form", "")) or inside.get(id(part))
        if form and part.tag in ("input", "select", "textarea", "button"):
            parts[id(form)].append(part)
    return [_form(form, parts[id(form)]) for form in forms]


def _form(form: Element, parts: Sequence[Element]) -> Form:
    fields: dict[str, str] = {}
    offered: dict[str, set[str]] = {}
    for it in (part for part in parts if part.tag == "input" and "name" in part.attrs):
        kind, value = it.attrs.get("type", "text"), it.attrs.get("value", "")
        if kind in ("radio", "checkbox"):
            offered.setdefault(it.attrs["name"], set()).add(value or "on")
        if kind not in ("radio", "checkbox", "file") or "checked" in it.attrs:
            fields[it.attrs["name"]] = value
    for it in (part for part in parts if part.tag == "select"):
        options = it.all("option")
        chosen = next((option for option in options if "selected" in option.attrs), options[0])
        offered[it.attrs["name"]] = {option.attrs["value"] for option in options}
        fields[it.attrs["name"]] = chosen.attrs["value"]
    for it in (part for part in parts if part.tag == "textarea"):
        # As a browser has it, without the line that ends behind its tag.
        text = "".join(line for line in it.inside if isinstance(line, str))
        fields[it.attrs["name"]] = text.removeprefix("\n")
    buttons = tuple(
        Button(it.text, it.attrs.get("name", ""), it.attrs.get("value", ""), it.label)
        for it in parts
        if it.tag == "button"
    )
    tapped = {name: frozenset(values) for name, values in offered.items()}
    return Form(form.attrs.get("action", ""), fields, tapped, buttons)
