"""The way from the paper back to the phone: a code to scan and to type that opens exactly these rules."""

from dataclasses import dataclass
from functools import cached_property

import segno
from markupsafe import Markup

from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.house_rules import derive_house_rules
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.share_code import BadCode, encode

INK = "#14211b"
MODULE = 0.37
"""Millimetres of the smallest square that a phone reads without trouble from a sheet of paper."""
MOST_SQUARES = 81
LONGEST = 400
"""Signs that anyone would type; whatever is longer stands only in the squares."""


@dataclass(frozen=True)
class Opening:
    """A code, where there is one, and where it leads."""

    fingerprint: str
    code: str = ""
    url: str = ""
    """The address that opens the rules; empty where the sheet knows none."""

    @property
    def is_link(self) -> bool:
        """Whether a phone that scans it lands on the rules."""
        return bool(self.url)

    @property
    def typed(self) -> str:
        """The code as text, where it is short enough to be typed."""
        return self.code if len(self.code) <= LONGEST else ""

    @cached_property
    def picture(self) -> Markup:
        """The squares, in the colour of the ink; the white round them is the paper's."""
        if not self._squares:
            return Markup()
        svg = self._picture.svg_inline(border=0, dark=INK, light=None, omitsize=True, svgclass="qr", lineclass=None)
        return Markup(svg)

    @property
    def side(self) -> float:
        """How many millimetres wide the squares must be to be read; 0 where there are none."""
        return round(self._squares * MODULE, 1)

    @cached_property
    def _picture(self) -> "segno.QRCode":
        return segno.make(self.url or self.code, error="l", micro=False, boost_error=True)

    @cached_property
    def _squares(self) -> int:
        if not self.code:
            return 0
        across = int(self._picture.symbol_size(border=0)[0])
        return across if across <= MOST_SQUARES else 0


def opening_of(ruleset: Ruleset, base: Ruleset, rules_url: str = "") -> Opening:
    """Give the way to these rules; `rules_url` is the page that reads their code.

    Long notes stay behind when they would make squares too small to be read: the rules are the same without them. Rules
    that no code can say, those of an older match perhaps, have a fingerprint only.
    """
    mark = fingerprint(ruleset)
    for said in (ruleset, ruleset.changed(notes=base.notes)):
        code = _code(said, base)
        url = f"{rules_url}?r={code}" if rules_url and code else ""
        opening = Opening(mark, code, url)
        if opening.side:
            return opening
    return Opening(mark)


def _code(ruleset: Ruleset, base: Ruleset) -> str:
    house = derive_house_rules(ruleset, base)
    again, faults = with_house(base, house.options)
    if faults or fingerprint(again) != fingerprint(ruleset):
        return ""
    try:
        return encode(house)
    except BadCode:
        return ""
