"""The way in to a new match: the rules of an address, and what its link answers otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from flask import abort, request, url_for

from scorekeeper.rules.codes import BadCode, decode
from scorekeeper.rules.faults import Fault, shortened
from scorekeeper.rules.house_rules import HouseRules, resolve, with_answers
from scorekeeper.rules.phrases import player_counts
from scorekeeper.rules.questions import QUESTIONS, RuleKey
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.new_match.form import ANSWER_PREFIX, SEATS_FIELD, TableForm, value_in
from scorekeeper.web.shared.library import library, variant_or_404

CODE_FIELD = "r"
AGAIN_FIELD, CHANGED_FIELD = "again", "changed"
"""The match that is played again, and whether its rules changed on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayIn:
    """The rules that a table came with: each layer is laid over those before it, and the table's taps over all."""

    house: HouseRules
    """The house's own rules; of a game of the book, rules that answer nothing."""
    ruleset: Ruleset
    """What these come to."""
    share_code: str = ""
    """The house's own rules as a code; empty for a game of the book."""
    link: Mapping[str, Any] = field(default_factory=dict)
    """What the link answers otherwise, by option or award."""
    left_out: tuple[str, ...] = ()
    """What the link says that cannot be played here, as sentences."""
    address: str
    is_end_of_changes: bool = False
    """Whether another match ended with these rules and had begun with others."""

    @property
    def named(self) -> HouseRules | None:
        """The house's own rules, if it has any."""
        return self.house if self.share_code else None

    def under(self, form: TableForm) -> TableForm:
        """Return a form of the same rules, with the layers that its taps are laid over."""
        return replace(form, own=self.house.options, link=self.link)


def read_way_in(ruleset_id: str) -> WayIn:
    """Return the way in that the address of a request names; 404 where there is no such game."""
    # A form may have the code without its address.
    code = request.args.get(CODE_FIELD, "") or request.form.get(CODE_FIELD, "")
    return way_in(ruleset_id, code, request.args)


def way_in(ruleset_id: str, code: str, args: Mapping[str, str]) -> WayIn:
    """Return the way in by a game of the book, or by house rules as a code; 404 where they are not to be played.

    Of answers in `args` that contradict each other the last are left out.
    """
    house, ruleset = _house_rules(ruleset_id, code)
    names = [name for name in args if name.startswith(ANSWER_PREFIX) and args[name]]
    words = {name.removeprefix(ANSWER_PREFIX): args[name] for name in names}
    link = {name: value_in(ruleset, name, word) for name, word in words.items()}
    left_out = _wrong_seats(ruleset, args.get(SEATS_FIELD, ""))
    while faults := with_answers(house, link, library())[1]:
        wrong = {fault.field: fault for fault in reversed(faults)}
        name = next(name for name in reversed(link) if name in wrong or not wrong.keys() & link.keys())
        left_out.append(_sentence(ruleset, name, link.pop(name), wrong.get(name, faults[0])))
    path, query = url_for("new.table", ruleset_id=ruleset_id), urlencode(args)
    return WayIn(
        house=house,
        ruleset=ruleset,
        share_code=code,
        link=link,
        left_out=tuple(left_out),
        address=f"{path}?{query}" if query else path,
        is_end_of_changes=bool(args.get(CHANGED_FIELD)),
    )


def _house_rules(ruleset_id: str, code: str) -> tuple[HouseRules, Ruleset]:
    base = variant_or_404(ruleset_id)
    if not code:
        return HouseRules(base.name, base.id), base
    try:
        house = decode(code)
    except BadCode:
        abort(404)
    ruleset, _ = resolve(house, library())
    return (house, ruleset) if ruleset and house.variant == ruleset_id else abort(404)


def _wrong_seats(ruleset: Ruleset, seats: str) -> list[str]:
    if not seats or seats in map(str, ruleset.table.player_counts):
        return []
    return [f"{shortened(seats)} players: {player_counts(ruleset.table)} play this game."]


def _sentence(ruleset: Ruleset, name: str, answer: object, fault: Fault) -> str:
    if name in ruleset.awards and RuleKey.of_answer(name, answer).is_worth:
        title = ruleset.awards[name].name
    else:
        title = QUESTIONS[name].title(ruleset) if name in QUESTIONS else shortened(name)
    return f"{title}: {fault.message}"
