"""Who is meant by a name in each hand of a record: from the hand on in which somebody sits in, a name is another's.

A seat keeps the id that it had at first, which in a record is the name of whoever sat there first. A side that is named
after its players keeps that name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scorekeeper.engine.hand import HAND_FIELDS, FieldKind, Hand, people_in, with_ids
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.match import ImpossibleHand, MatchState, play, replay
from scorekeeper.engine.seats import name_faults, unknown_player
from scorekeeper.narration.phrases import Names, names_over_ids
from scorekeeper.rules.faults import Fault

_COUNTS = {item.name for item in HAND_FIELDS if item.kind is FieldKind.COUNTS}


def sit_in(ids: Mapping[str, str], hand: Hand) -> tuple[Mapping[str, str], list[Fault]]:
    """Return everybody's id by the name that they have from a hand on, and why nobody can sit in so."""
    if not hand.sits_in:
        return ids, []
    faults: list[Fault] = []
    after = {name: who for name, who in ids.items() if name not in hand.sits_in}
    for leaver, newcomer in hand.sits_in.items():
        field = f"sits_in.{leaver}"
        if leaver not in ids:
            faults.append(unknown_player(field, leaver))
        elif newcomer in after:
            faults.append(Fault(field, "repeated_name", f"{newcomer} is at this table already. Choose another name."))
        else:
            faults += [replace(fault, field=field) for fault in name_faults([newcomer], ())]
            after[newcomer] = ids[leaver]
    return after, faults


def by_ids(hand: Hand, before: Mapping[str, str], after: Mapping[str, str]) -> Hand:
    """Return a hand in which everybody has an id, given the ids `before` it and `after` somebody sat in."""
    seated = with_ids(hand, after)
    return (
        replace(seated, sits_in={before[who]: name for who, name in hand.sits_in.items()}) if hand.sits_in else seated
    )


def play_hands(state: MatchState, hands: Sequence[Hand]) -> MatchState:
    """Add the hands of a record to a match; raises `ImpossibleHand` at the first that cannot be."""
    if not any(hand.sits_in for hand in hands):
        return replay(state, hands)
    first = {who: who for who in (*state.seats.ids, *state.seats.players)}
    ids: Mapping[str, str] = first
    for number, hand in enumerate(hands, 1):
        after, faults = sit_in(ids, hand)
        faults += [unknown_player(path, who) for path, who in people_in(hand) if who in first and who not in after]
        if faults and state.goes_on:
            raise ImpossibleHand(number, faults)
        if faults:  # after the end, where nothing is scored
            hand = replace(hand, sits_in=None)
        else:
            known = {**{who: who for _, who in people_in(hand)}, **after}
            hand, ids = by_ids(hand, ids, known), after
        try:
            state = play(state, hand, is_last=number == len(hands))
        except ImpossibleHand as impossible:
            names = names_over_ids({who: name for name, who in ids.items()})
            raise ImpossibleHand(number, (_named(item, names) for item in impossible.faults)) from None
    return state


def _named(item: HandFault, names: Names) -> Fault:
    """Return a fault with the names of those whom it is about, as they are in the record."""
    field, _, part = item.fault.field.partition(".")
    fault = item.fault.named(names)
    return replace(fault, field=f"{field}.{names[part]}") if part and field in _COUNTS else fault


def names_by_hand(state: MatchState) -> Iterator[Names]:
    """Yield everybody's name in each hand of a record that was played, then in the last that counts: who has won."""
    names: dict[str, str] = {}
    counted: Names = names_over_ids(names)
    for result in state.results:
        names |= result.hand.sits_in or {}
        yield (now := names_over_ids(names))
        counted = counted if result.status == "after_end" else now
    yield counted
