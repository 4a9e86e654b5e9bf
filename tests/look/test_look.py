"""Every page on every phone: nothing cut, nothing too small to tap, nothing that axe finds."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page

from tests.look.conftest import Phones
from tests.look.samples import SAMPLES

AXE = next((Path(__file__).parent.parent / "vendor").glob("axe-*.min.js"))

NAMES = tuple(SAMPLES)
SIZES = {
    "phone": (390, 844, 16),
    "narrow": (320, 640, 16),
    "lying": (844, 390, 16),
    "large text": (390, 844, 32),
    "tablet": (820, 1180, 16),
}

# What sticks out of the page sideways, by more than the pencil's ring or a rounding.
STICKING_OUT = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide <= 0) return [];
  return [...document.querySelectorAll("body *")]
    .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((it) => !it.closest(".vh, svg"))
    .map((it) => it.outerHTML.slice(0, 90));
}"""

# What can be tapped and is under 44 px either way; links inside a sentence may be.
TOO_SMALL = """() => {
  const skip = ".vh, .skip, input[type=hidden], .defs *, p a, .say li a, .rule a";
  const tapped = "a, button, summary, label.pick, label.deal, label.box, .line input, .seat input[type=text]";
  return [...document.querySelectorAll(tapped)]
    .filter((it) => !it.matches(skip) && it.checkVisibility())
    .map((it) => [it.outerHTML.slice(0, 90), it.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([text, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`);
}"""

# Letters that run over the edge of the box they stand in.
CUT_WORDS = """() => [...document.querySelectorAll(".pick > span, .btn, .pc *, .rowp *, .tick-h button, .who")]
    .filter((it) => !it.closest("svg, .vh, .mark") && it.checkVisibility())
    .filter((it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 6)
    .map((it) => `${it.scrollWidth} in ${it.clientWidth}: ${it.outerHTML.slice(0, 90)}`)"""


# The pencil's ring, where the card cuts it.
CUT_RINGS = """() => [...document.querySelectorAll(".pc .mark > svg, .rowp .mark > svg")]
    .map((it) => [it.getBoundingClientRect(), it.closest(".pc, .rowp").getBoundingClientRect()])
    .filter(([ring, card]) => ring.left < card.left || ring.right > card.right || ring.bottom > card.bottom)
    .map(([ring, card]) => `ring ${ring.left} to ${ring.right}, card ${card.left} to ${card.right}`)"""


def opened(phones: Phones, address: str, name: str, size: str, scheme: str = "light") -> Page:
    """Open a sample page on a phone."""
    width, height, text = SIZES[size]
    page = phones.phone(width, height, text=text, scheme=scheme).new_page()
    page.goto(f"{address}/{name}")
    page.evaluate("document.fonts.ready")
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_sticks_out_and_everything_can_be_tapped(
    phones: Phones, look_address: str, name: str, size: str
) -> None:
    page = opened(phones, look_address, name, size)

    found = [
        *page.evaluate(STICKING_OUT),
        *page.evaluate(TOO_SMALL),
        *page.evaluate(CUT_WORDS),
        *page.evaluate(CUT_RINGS),
    ]

    page.close()
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_nothing(phones: Phones, look_address: str, name: str, scheme: str) -> None:
    page = opened(phones, look_address, name, "phone", scheme)
    session = page.context.new_cdp_session(page)
    session.send("Page.setBypassCSP", {"enabled": True})
    page.reload()
    page.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))")
    page.evaluate(AXE.read_text())

    result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")

    page.close()
    assert [
        (fault["id"], node["html"][:120], node["failureSummary"][:200])
        for fault in result["violations"]
        for node in fault["nodes"]
    ] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_policy_and_the_console_have_nothing_to_say(phones: Phones, look_address: str, name: str) -> None:
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        said.append(message.text)

    page = phones.phone(390, 844).new_page()
    page.on("console", listen)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{look_address}/{name}")
    page.wait_for_load_state("networkidle")
    page.close()

    assert said == []
