"""What every page keeps to, in every size and scheme: nothing cut, nothing too small to tap, nothing that axe finds."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.common.chromium import set_text_size

AXE = next((Path(__file__).parent.parent / "vendor").glob("axe-*.min.js"))
AXE_PATH = "/axe.js"
"""Where a site under test has it: a browser that has loaded it once reads it from its own memory."""
PHONE = (390, 844)
SIZES = {"narrow": (320, 640), "landscape": (844, 390), "short": (664, 390), "tablet": (820, 1180), "phone": PHONE}

STICKING_OUT = """() => {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide <= 0) return [];
  return [...document.querySelectorAll("body *")]
    .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .filter((it) => !it.closest(".vh, svg"))
    .map((it) => it.outerHTML.slice(0, 90));
}"""
"""What sticks out of the page sideways, by more than the pencil's ring or a rounding."""

TOO_SMALL = """() => {
  const skip = ".vh, .skip, input[type=hidden], .defs *, p a, .say li a, .rule a, .cite a, .lines li span > a";
  const tapped = "a, button, summary, label.pick, label.deal, label.box, .line input, .seat input[type=text]";
  return [...document.querySelectorAll(tapped)]
    .filter((it) => !it.matches(skip) && it.checkVisibility())
    .map((it) => [it.outerHTML.slice(0, 90), it.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([text, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`);
}"""
"""What can be tapped and is under 44 px either way; links inside a sentence may be."""

CUT_WORDS = """() => [...document.querySelectorAll(
    ".board, .book-h b, .pick > span, .btn, .pc *, .rowp *, .takers-h .cells > *, .rest button, .who")]
    .filter((it) => !it.closest("svg, .vh, .mark, input") && it.checkVisibility())
    .filter((it) => it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 6)
    .map((it) => `${it.scrollWidth} in ${it.clientWidth}: ${it.outerHTML.slice(0, 90)}`)"""
"""Letters that run over the edge of the box they stand in; what is typed may."""

CUT_RINGS = """() => [...document.querySelectorAll(".pc .mark > svg, .rowp .mark > svg")]
    .map((it) => [it.getBoundingClientRect(), it.closest(".pc, .rowp").getBoundingClientRect()])
    .filter(([ring, card]) => ring.left < card.left || ring.right > card.right || ring.bottom > card.bottom)
    .map(([ring, card]) => `ring ${ring.left} to ${ring.right}, card ${card.left} to ${card.right}`)"""
"""The pencil's ring, where the card cuts it."""

EMPTY_SQUARES = """() => [...document.querySelectorAll(".strip")].flatMap((strip) => {
  const taken = new Map();
  for (const box of [...strip.children].map((it) => it.getBoundingClientRect()).filter((box) => box.width)) {
    taken.set(Math.round(box.top), (taken.get(Math.round(box.top)) ?? 0) + box.width + 1);
  }
  return [...taken.values()].filter((width) => width < strip.clientWidth - 2)
    .map((width) => `${Math.round(width)} of ${strip.clientWidth}: ${strip.outerHTML.slice(0, 90)}`);
})"""
"""Rows of answers that end, or stop short, before their strip does."""

BROKEN_WORDS = """(selector) => [...document.querySelectorAll(selector)].flatMap((it) => {
  const walker = document.createTreeWalker(it, NodeFilter.SHOW_TEXT), broken = [];
  while (walker.nextNode()) {
    for (const word of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((rect) => rect.top)).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""
"""Words that go on in another line."""

ABOVE_BAR = """(selector) => {
  const bar = document.querySelector(".bottom-bar").getBoundingClientRect().top;
  return [...document.querySelectorAll(selector)].map((it) => it.getBoundingClientRect().bottom <= bar);
}"""
"""Whether each of a kind is in sight above the bar as the page opens."""

LAYOUT = f"() => [{STICKING_OUT}, {TOO_SMALL}, {CUT_WORDS}, {CUT_RINGS}, {EMPTY_SQUARES}].flatMap((check) => check())"


def page_faults(page: Page) -> dict[str, list[str]]:
    """Return what is wrong with an open page, by size and scheme; its lists are open and its text is large after it."""
    found = {name: layout_faults(page, *size) for name, size in SIZES.items()}
    page.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))")
    load_axe(page)
    found |= {scheme: axe_faults(page, scheme) for scheme in ("light", "dark")}
    enlarge_text(page)
    found["large text"] = layout_faults(page, *PHONE)
    return {name: faults for name, faults in found.items() if faults}


def load_axe(page: Page) -> None:
    """Load axe into an open page."""
    page.add_script_tag(url=AXE_PATH)


def layout_faults(page: Page, width: int, height: int) -> list[str]:
    """Return what is cut, sticks out, or is too small for a thumb in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    found: list[str] = page.evaluate(LAYOUT)
    return found


def axe_faults(page: Page, scheme: str) -> list[str]:
    """Return what axe, loaded already, finds in the light or in the dark."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    rules = "runOnly: ['color-contrast']," if scheme == "dark" else ""  # all else is the same in the dark
    result: dict[str, Any] = page.evaluate(
        f"axe.run(document, {{{rules} resultTypes: ['violations'], selectors: false, preload: false}})"
    )
    return [
        f"{fault['id']}: {node['html'][:120]}: {node['failureSummary'][:200]}"
        for fault in result["violations"]
        for node in fault["nodes"]
    ]


def enlarge_text(page: Page) -> None:
    """Set the browser's text size to 200 %."""
    set_text_size(page, 32)
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert page.evaluate(f"new Promise((done) => requestAnimationFrame(() => done({size})))") == 32
