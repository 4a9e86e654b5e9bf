"""Rules to print, and the link from their sheet to them: a QR code to scan."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import segno
from markupsafe import Markup

from scorekeeper.pitch.rules.house_rules import derive_house_rules, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, encode, fingerprint
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet

COLOR = "#14211b"
MODULE = 0.37
"""The side in millimeters of the smallest square that a phone reads without trouble from a sheet of paper."""
MAX_MODULES = 81


@dataclass(frozen=True)
class RulesLink:
    """A share code, where there is one, and the address that opens it."""

    fingerprint: str
    code: str = ""
    url: str = ""
    """The address that opens the rules; empty where there is none."""

    @cached_property
    def qr_svg(self) -> Markup:
        """The QR code without its white border, which the paper has; empty where it would be too fine to be read."""
        if not self._modules:
            return Markup()
        drawn = self._qr_code.svg_inline(border=0, dark=COLOR, light=None, omitsize=True, svgclass="qr", lineclass=None)
        return Markup(drawn)

    @property
    def width(self) -> float:
        """The width in millimeters that the QR code needs to be read; 0 where there is none."""
        return round(self._modules * MODULE, 1)

    @property
    def _qr_code(self) -> "segno.QRCode":
        return _qr_code(self.url or self.code)

    @cached_property
    def _modules(self) -> int:
        if not self.code:
            return 0
        across = int(self._qr_code.symbol_size(border=0)[0])
        return across if across <= MAX_MODULES else 0


NO_LINK = RulesLink("")


@lru_cache(maxsize=64)
def _qr_code(text: str) -> "segno.QRCode":
    """Return a QR code, made once for all kinds of sheets."""
    return segno.make(text, error="l", micro=False, boost_error=True)


def rules_link(ruleset: Ruleset, base: Ruleset, rules_url: str = "") -> RulesLink:
    """Return the link to these rules; `rules_url` is the page that reads their code.

    Long notes are left out where they would make the QR code too fine to be read: the rules are the same without them.
    Rules that no code can express, such as those of an older match, have a fingerprint only.
    """
    name = fingerprint(ruleset)
    for shared in (ruleset, ruleset.changed(notes=base.notes)):
        code = _share_code(shared, base)
        link = RulesLink(name, code, f"{rules_url}?r={code}" if rules_url and code else "")
        if link.width:
            return link
    return RulesLink(name)


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules to print, the standard ones that they are compared with, and the page that reads their share code."""

    ruleset: Ruleset
    base: Ruleset
    url: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """A key that is unique to these rules: all of their content."""
        return self.ruleset.model_dump_json(), self.base.model_dump_json(), self.url

    @property
    def sheet(self) -> RuleSheet:
        """The rule sheet of these rules."""
        return rule_sheet(self.ruleset, self.base)

    @property
    def link(self) -> RulesLink:
        """The link to them."""
        return rules_link(self.ruleset, self.base, self.url)


def _share_code(ruleset: Ruleset, base: Ruleset) -> str:
    house = derive_house_rules(ruleset, base)
    again, faults = with_house(base, house.options)
    if faults or fingerprint(again) != fingerprint(ruleset):
        return ""
    try:
        return encode(house)
    except BadCode:
        return ""
