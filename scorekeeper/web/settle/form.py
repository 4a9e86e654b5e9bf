"""What an address says of one hand: the rules, who plays, the scores before it, the bid and what was taken.

An address is versioned and bounded, like a share code, and has the fingerprint of its rules: where this edition plays
them otherwise, the page says so.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.engine.seats import table_faults
from scorekeeper.ledger.limits import MOST_HANDS, NAME_LENGTH, name_faults
from scorekeeper.rules.codes import LONGEST_CODE, BadCode, decode, encode, fingerprint
from scorekeeper.rules.house_rules import HouseRules, resolve, with_house
from scorekeeper.rules.library import Library
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.hand.form import EntryMode, HandForm
from scorekeeper.web.new_match.form import ALONE, PARTNERS, TableForm, empty_form
from scorekeeper.web.new_match.form import read_form as read_table

VERSION = "1"
HIGHEST_SCORE = 9999
MOST_PLAYERS = 8
MOST_FIELDS = 160
LONGEST_ADDRESS = 6000
"""Letters of an address after its question mark: a share code, names, and every field of the longest form."""
_LONGEST_FIELD = 60

VERSION_FIELD, VARIANT_FIELD, CODE_FIELD, EDITION_FIELD = "v", "rules", "r", "fp"
SEATS_FIELD, SEATING_FIELD, SHAPE_FIELD = "seats", "seating", "shape"
NAME_PREFIX, SCORE_PREFIX, SETS_PREFIX, HANDS_FIELD = "name-", "score-", "sets-", "hands"
"""A side's place from 0 follows the first three."""
WENT_SET_FIELD = "went_set"
REST_FIELD, WAY_FIELD, SHOW_FIELD, ASKS_FIELD = "rest", "way", "show", "asks"
RULING = "ruling"
ALONE_NAMES = "ABCDEFGH"
"""What players are called who play alone and have no names."""
_NOT_OF_A_HAND = {"thrown_in", "calls", "dealer", "say", "dealt"}
"""Fields of the entry of a hand that tell nothing here: nobody deals, and nobody calls."""


class BadAddress(Exception):
    """An address cannot be read; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class SettledRules:
    """The rules of a hand, and what the table agreed of them."""

    base: Ruleset
    ruleset: Ruleset
    agreed: Mapping[str, object]
    """The house answers, by option."""
    share_code: str = ""
    """The rules as a code, where they are not the variant's own."""

    def fields(self) -> Iterator[tuple[str, str]]:
        """Yield the rules as an address has them."""
        yield (CODE_FIELD, self.share_code) if self.share_code else (VARIANT_FIELD, self.base.id)

    def with_answer(self, option: str, answer: object) -> "SettledRules | None":
        """Return the rules with one more answer that the table agreed; `None` where they cannot be so."""
        options = {**self.agreed, option: answer}
        ruleset = self.ruleset
        house = HouseRules(ruleset.name, self.base.id, options, _own_notes(ruleset, self.base))
        changed, faults = resolve(house, {self.base.id: self.base})
        return None if changed is None or faults else SettledRules(self.base, changed, options, encode(house))


def _own_notes(ruleset: Ruleset, base: Ruleset) -> tuple[str, ...]:
    return tuple(note for note in ruleset.notes if note not in base.notes)


def variant_rules(base: Ruleset) -> SettledRules:
    """Return the rules of a variant as the book has them."""
    return SettledRules(base, base, {})


def shared_rules(code: str, variants: Library) -> SettledRules:
    """Return the rules of a share code; raises `BadAddress` where it cannot be read or played."""
    if len(code) > LONGEST_CODE:
        raise BadAddress("The rules in this link are too long.")
    try:
        house = decode(code)
    except BadCode as bad:
        raise BadAddress(str(bad)) from None
    ruleset, faults = resolve(house, variants)
    if ruleset is None:
        raise BadAddress(" ".join(dict.fromkeys(fault.message for fault in faults)))
    return SettledRules(variants[house.variant], ruleset, house.options, encode(house))


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleForm:
    """One hand as an address has it; anything may still be missing."""

    rules: SettledRules
    seats: int
    seating: str = PARTNERS
    names: tuple[str, ...] = ()
    """A name for each side as it was typed, in order; empty where it has none."""
    scores: tuple[str, ...] = ()
    """The score of each side before the hand, as it was typed."""
    sets: tuple[str, ...] = ()
    """How often each side was set before, where that matters."""
    hands: str = ""
    """How many hands were played before, where that matters."""
    went_set: str = ""
    """The side that dealt, and went set instead of bidding; empty where somebody bid."""
    hand: HandForm
    edition: str
    """The fingerprint of the rules when the address was made."""

    @property
    def table(self) -> TableForm:
        """Who sits down, as a new match has it."""
        return replace(empty_form(self.rules.ruleset, self.seats), seating=self.seating)

    @property
    def side_ids(self) -> tuple[str, ...]:
        """The ids of the sides: partners, or each player alone."""
        count = self.table.side_count
        return tuple(f"s{i + 1}" for i in range(count)) if count else tuple(f"p{i + 1}" for i in range(self.seats))

    @property
    def usual_names(self) -> tuple[str, ...]:
        """What the sides are called where nobody typed a name."""
        table = self.table
        return table.usual_names if table.side_count else tuple(ALONE_NAMES[: self.seats])

    @property
    def shown_names(self) -> tuple[str, ...]:
        """What the sides are called; as usual where a name cannot be used."""
        if any(True for _ in self.name_faults()):
            return self.usual_names
        return tuple(name or usual for name, usual in zip(self.names, self.usual_names, strict=True))

    @property
    def shape(self) -> str:
        """How the table sits: what was entered for another one means nothing."""
        return f"{self.seats}{'a' if not self.table.side_count else ''}"

    @property
    def asks_hands(self) -> bool:
        """Whether a match ends after so many hands."""
        return self.rules.ruleset.winning.length == "hands"

    @property
    def asks_went_set(self) -> bool:
        """Whether the dealer may go set instead of bidding."""
        return self.rules.ruleset.bidding.auction and self.rules.ruleset.bidding.all_pass == "may_take_set"

    @property
    def is_other_edition(self) -> bool:
        """Whether the rules were others when the address was made."""
        return self.edition != fingerprint(self.rules.ruleset)

    def before(self, place: int) -> int:
        """Return the score of a side before the hand."""
        return (
            _whole(self.scores[place]) or 0 if self.scores[place] else self.rules.ruleset.winning.count_down_from or 0
        )

    @property
    def start(self) -> dict[str, object]:
        """What was there before the hand, as a match has it; only where there is no fault in it."""
        ids = self.side_ids
        sets = {who: number for who, text in zip(ids, self.sets, strict=True) if (number := _whole(text))}
        scores = {who: self.before(place) for place, who in enumerate(ids)}
        return {"scores": scores, "hands": _whole(self.hands) or 0, "sets": sets}

    def name_faults(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the names, each after the field that it is in."""
        for place, name in enumerate(self.names):
            if name and (fault := next(name_faults("", name), None)):
                yield f"{NAME_PREFIX}{place}", fault.message
        names = [name or usual for name, usual in zip(self.names, self.usual_names, strict=True)]
        for fault in table_faults(names, ()):
            yield f"{NAME_PREFIX}{fault.field.rpartition('.')[2]}", fault.message

    def number_faults(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the numbers before the hand, each after the field that it is in."""
        for place, (name, text) in enumerate(zip(self.shown_names, self.scores, strict=True)):
            number = _whole(text)
            if text and (number is None or abs(number) > HIGHEST_SCORE):
                limits = f"from −{HIGHEST_SCORE} to {HIGHEST_SCORE}"
                yield f"{SCORE_PREFIX}{place}", f"The score of {name}: type a whole number {limits}."
        sets = zip(self.shown_names, self.sets, strict=True)
        counts = [(f"{SETS_PREFIX}{place}", f"How often {who} went set", it) for place, (who, it) in enumerate(sets)]
        for field, what, text in (*counts, (HANDS_FIELD, "Hands played", self.hands)):
            number = _whole(text)
            if text and (number is None or not 0 <= number <= MOST_HANDS):
                yield field, f"{what}: type a whole number from 0 to {MOST_HANDS}."

    def address_fields(self) -> dict[str, Any]:
        """Return the same as what an address is built from."""
        return dict(self.fields())

    def fields(self) -> list[tuple[str, str]]:
        """Return the fields of the address that reads back as this form, none of them empty."""
        table = (*self.table_fields(), (EDITION_FIELD, self.edition))
        told = (*self.numbers(), (WENT_SET_FIELD, self.went_set), *self.hand.fields())
        return [(name, text) for name, text in (*table, *told) if text]

    def table_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the version, the rules and how the table sits."""
        yield VERSION_FIELD, VERSION
        yield from self.rules.fields()
        yield SEATS_FIELD, str(self.seats)
        if self.table.has_choice_of_seating:
            yield SEATING_FIELD, self.seating

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield names and numbers before the hand."""
        for prefix, typed in ((NAME_PREFIX, self.names), (SCORE_PREFIX, self.scores), (SETS_PREFIX, self.sets)):
            yield from ((f"{prefix}{place}", text) for place, text in enumerate(typed))
        yield HANDS_FIELD, self.hands


def empty_settle_form(rules: SettledRules, seats: int | None = None, seating: str = "") -> SettleForm:
    """Return a form with nothing in it but the rules, for the usual number of players or for so many."""
    table = empty_form(rules.ruleset, seats)
    form = SettleForm(
        rules=rules,
        seats=min(len(table.names), MOST_PLAYERS),
        seating=seating if seating in (PARTNERS, ALONE) else table.seating,
        hand=HandForm(mode=EntryMode.COUNTS),
        edition=fingerprint(rules.ruleset),
    )
    blank = ("",) * len(form.side_ids)
    return replace(form, names=blank, scores=blank, sets=blank)


def says_rules(query: Mapping[str, str]) -> bool:
    """Return whether an address names rules."""
    return bool(query.get(VARIANT_FIELD) or query.get(CODE_FIELD))


def read_form(query: MultiDict[str, str], variants: Library, length: int) -> SettleForm:
    """Return what an address of so many letters says; raises `BadAddress`."""
    fields = query.to_dict()
    if length > LONGEST_ADDRESS or len(fields) > MOST_FIELDS:
        raise BadAddress("This link is longer than any hand takes.")
    if fields.get(VERSION_FIELD, VERSION) != VERSION:
        raise BadAddress("Another version of Scorekeeper made this link. This one can’t read it.")
    form = empty_settle_form(
        _read_rules(fields, variants), _whole(fields.get(SEATS_FIELD, "")), fields.get(SEATING_FIELD, "")
    )
    form = replace(form, edition=_tidy(fields.get(EDITION_FIELD, ""))[:9] or form.edition)
    if fields.get(SHAPE_FIELD, form.shape) != form.shape:
        return form  # another table sits down: nothing that was entered for the first means anything
    told = {name: text for name, text in fields.items() if name not in _NOT_OF_A_HAND}
    if any(len(text) > _LONGEST_FIELD for name, text in told.items() if name not in (CODE_FIELD, ASKS_FIELD)):
        raise BadAddress("Something in this link is longer than a hand takes.")
    if told.get("by") not in (EntryMode.CARDS, EntryMode.COUNTS):
        told["by"] = EntryMode.COUNTS
    if told.get(WAY_FIELD) not in (EntryMode.CARDS, EntryMode.COUNTS):
        told.pop(WAY_FIELD, None)
    places = range(len(form.side_ids))
    went_set = told.get(WENT_SET_FIELD, "")
    return replace(
        form,
        names=tuple(_tidy(told.get(f"{NAME_PREFIX}{i}", "")) for i in places),
        scores=tuple(_tidy(told.get(f"{SCORE_PREFIX}{i}", "")) for i in places),
        sets=tuple(_tidy(told.get(f"{SETS_PREFIX}{i}", "")) for i in places),
        hands=_tidy(told.get(HANDS_FIELD, "")),
        went_set=went_set if form.asks_went_set and went_set in form.side_ids else "",
        hand=HandForm.from_fields(told),
    )


def _read_rules(fields: Mapping[str, str], variants: Library) -> SettledRules:
    if code := fields.get(CODE_FIELD):
        return shared_rules(code, variants)
    ruleset_id = fields.get(VARIANT_FIELD, "")
    if ruleset_id not in variants:
        raise BadAddress("This link names rules that Scorekeeper does not know.")
    base = variants[ruleset_id]
    # What the page that finds a game has heard; a match begins with the same fields.
    table = read_table(base, fields)
    if table.unreadable:
        raise BadAddress("This link has a house rule that cannot be read.")
    house = table.house
    ruleset, faults = with_house(base, house)
    if faults:
        # By the rules of the book the ruling would be on another game than the link means.
        raise BadAddress(" ".join(dict.fromkeys(fault.message for fault in faults)))
    if not house:
        return variant_rules(base)
    return SettledRules(base, ruleset, house, encode(HouseRules(base.name, base.id, house)))


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _whole(text: str) -> int | None:
    """Read a whole number, which may be below zero; `None` where it is none."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,6}", plain) else None


NAME_ROOM = NAME_LENGTH
"""Letters that fit in a name."""
