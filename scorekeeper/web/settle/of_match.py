"""The address of a hand of a match, filled in: its rules, the scores before it, the bid and what was taken."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, Hand
from scorekeeper.engine.match import HandResult
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.printing.rules_link import rules_link
from scorekeeper.rules.codes import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.hand.form import HandForm
from scorekeeper.web.new_match.form import ALONE, PARTNERS
from scorekeeper.web.settle.form import (
    BadAddress,
    SettledRules,
    SettleForm,
    empty_settle_form,
    shared_rules,
    variant_rules,
)
from scorekeeper.web.shared.library import library


def rules_in_match(ruleset: Ruleset) -> SettledRules | None:
    """Return the rules of a match as an address has them; `None` where no address can."""
    variants = library()
    if ruleset.id not in variants:
        return None
    base = variants[ruleset.id]
    if ruleset == base:
        return variant_rules(base)
    try:
        code = rules_link(ruleset, base).code
        return shared_rules(code, variants) if code else None
    except BadAddress:
        return None


def form_of_hand(match: Match, result: HandResult) -> SettleForm | None:
    """Return a hand of a match as an address has it; `None` where there is nothing to settle, or none can be."""
    rules, seats = rules_in_match(result.ruleset), match.state.seats
    if rules is None or not can_settle(result):
        return None
    rules = _with_restated(rules, match.agreed(result.place))
    is_alone = all(side.seats == (side.id,) for side in seats.sides)
    players = len(seats.players) or next(
        (count for count, sides in rules.ruleset.table.partners.items() if sides == len(seats.sides)), 0
    )
    form = empty_settle_form(rules, players, ALONE if is_alone else PARTNERS)
    if len(form.side_ids) != len(seats.sides) or form.seats != players:
        return None
    ids = _new_ids(match, form)
    before = {side: result.scores[side] - result.deltas[side] for side in seats.ids}
    sets = _sets_before(match, result)
    return replace(
        form,
        names=_names(match, result, form),
        scores=tuple(str(number) for number in before.values()),
        sets=tuple(str(sets[side] or "") for side in seats.ids) if form.table.asks_sets else form.sets,
        hands=str(match.state_before(result.place).scored) if form.asks_hands else "",
        went_set=ids[result.set_taken_by] if result.set_taken_by else "",
        hand=HandForm.from_hand(_hand(result, ids)),
    )


def _with_restated(rules: SettledRules, agreed: Mapping[str, object]) -> SettledRules:
    """Return the rules with what the table agreed although it is standard: the ruling says that it was agreed."""
    for option, answer in agreed.items():
        changed = None if option in rules.agreed else rules.with_answer(option, answer)
        if changed and fingerprint(changed.ruleset) == fingerprint(rules.ruleset):
            rules = changed
    return rules


def can_settle(result: HandResult) -> bool:
    """Return whether there is anything to settle in a hand: it was played and counted, or given up for a set."""
    return result.status == "scored"


def _new_ids(match: Match, form: SettleForm) -> Mapping[str, str]:
    """Return the id that everybody's side has in the address, by the ids in the match."""
    seats = match.state.seats
    sides = dict(zip(seats.ids, form.side_ids, strict=True))
    return {
        BIDDERS: BIDDERS,
        DEFENDERS: DEFENDERS,
        **{seat: sides[seats.side_of(seat) or seat] for seat in seats.players},
        **sides,
    }


def _hand(result: HandResult, ids: Mapping[str, str]) -> Hand:
    """Return the hand with its contract instead of its calls, and sides instead of players."""
    hand = result.hand

    def sums(numbers: Mapping[str, int] | None) -> dict[str, int] | None:
        if numbers is None:
            return None
        found: dict[str, int] = {}
        for who, number in numbers.items():
            found[ids[who]] = found.get(ids[who], 0) + number
        return found

    taken: Mapping[str, Any] | None = hand.taken
    return replace(
        hand,
        dealer=None,
        auction=None,
        bidder=ids[result.bidder] if result.bidder else None,
        bid=result.bid,
        overtook_pitch=result.overtook_pitch or None,
        partner=ids[hand.partner] if hand.partner else None,
        taken={award: ids[who] if who else None for award, who in taken.items()} if taken is not None else None,
        points=sums(hand.points),
        card_points=sums(hand.card_points),
        penalties=sums(hand.penalties),
        house=None,
        house_on=None,
        note=None,
        sits_in=None,
    )


def _names(match: Match, result: HandResult, form: SettleForm) -> tuple[str, ...]:
    """Return what the sides were called, cut to what fits; none where that would make two alike."""
    names = match.names_in(result.place)
    cut = tuple(_cut(names[side]) for side in match.state.seats.ids)
    named = replace(form, names=cut)
    return form.names if any(named.name_faults()) else cut


def _cut(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1].rstrip()}…"


def _sets_before(match: Match, result: HandResult) -> Mapping[str, int]:
    return match.state_before(result.place).sets
