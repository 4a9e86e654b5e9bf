"""Rules to print, and the QR code on their sheet that opens them."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import segno
from markupsafe import Markup

from scorekeeper.pitch.rules.house_rules import derive_house_rules, with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, encode, fingerprint
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet, rule_sheet

QR_CODE_COLOR = "#14211b"
MODULE_SIZE_MM = 0.37
"""The side in millimeters of the smallest module that phones read reliably from paper."""
MAX_MODULES = 81
"""The most modules on a side of a QR code; one with more is not printed."""


@dataclass(frozen=True)
class RulesLink:
    """The QR code on a sheet that opens its rules, by URL or, without one, by share code."""

    code: str = ""
    """The share code of the rules; empty if none can hold them."""
    url: str = ""
    """The URL that opens the rules; empty without a code or a public URL, or if its QR code would be too fine."""

    @cached_property
    def qr_svg(self) -> Markup:
        """The QR code as SVG, without its white border, as paper is white; empty without a code that can be read."""
        if not self._module_count:
            return Markup()
        drawn = self._qr_code.svg_inline(
            border=0, dark=QR_CODE_COLOR, light=None, omitsize=True, svgclass="qr", lineclass=None
        )
        return Markup(drawn)

    @property
    def width(self) -> float:
        """The width in millimeters that the QR code needs to be read from paper; 0 without one."""
        return round(self._module_count * MODULE_SIZE_MM, 1)

    @property
    def _qr_code(self) -> "segno.QRCode":
        return _qr_code(self.url or self.code)

    @cached_property
    def _module_count(self) -> int:
        """The number of modules on a side of the QR code; 0 if there is none to print."""
        if not self.code:
            return 0
        across = int(self._qr_code.symbol_size(border=0)[0])
        return across if across <= MAX_MODULES else 0


NO_LINK = RulesLink()
"""The link of a sheet without a QR code."""


@lru_cache(maxsize=64)
def _qr_code(text: str) -> "segno.QRCode":
    """Return the QR code of a text; cached, as all kinds of sheets have the same."""
    return segno.make(text, error="l", micro=False, boost_error=True)


def rules_link(ruleset: Ruleset, base: Ruleset, rules_url: str = "") -> RulesLink:
    """Return the QR code that opens these rules, as changes of `base`; no code if none can hold them.

    The house's notes, then the URL are left out if the QR code would be too fine with them; if it is so even then,
    nothing is drawn. `rules_url` is the page that opens share codes.
    """
    without_notes, link = ruleset.copy_with(notes=base.notes), NO_LINK
    for shared, url in ((ruleset, rules_url), (without_notes, rules_url), (without_notes, "")):
        code = _share_code(shared, base)
        link = RulesLink(code, f"{url}?r={code}" if url and code else "")
        if link.width:
            break
    return link


@dataclass(frozen=True, slots=True)
class PrintableRules:
    """Rules to print, and the standard rules to compare them with."""

    ruleset: Ruleset
    base: Ruleset
    url: str = ""
    """The URL of the page that opens share codes; empty without one."""

    @property
    def key(self) -> tuple[str, str, str]:
        """A key for caches, from the content of the rules, the standard rules and the URL."""
        return self.ruleset.model_dump_json(), self.base.model_dump_json(), self.url

    @property
    def sheet(self) -> RuleSheet:
        """The rule sheet, written anew at each access."""
        return rule_sheet(self.ruleset, self.base)

    @property
    def link(self) -> RulesLink:
        """The QR code that opens the rules, made anew at each access."""
        return rules_link(self.ruleset, self.base, self.url)


def _share_code(ruleset: Ruleset, base: Ruleset) -> str:
    """Return the share code of rules; empty if none can express them."""
    house_rules = derive_house_rules(ruleset, base)
    rebuilt, faults = with_house(base, house_rules.options)
    if faults or fingerprint(rebuilt) != fingerprint(ruleset):
        return ""
    try:
        return encode(house_rules)
    except BadCode:
        return ""
