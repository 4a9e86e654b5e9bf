"""What an address says of one hand, its rules, who plays, the scores before it, the bid and what was taken; its ruling.

An address is versioned and bounded, like a share code, and has the fingerprint of its rules: where this edition plays
them otherwise, the page says so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from werkzeug.datastructures import MultiDict

from scorekeeper.engine.hand import Hand, with_ids
from scorekeeper.engine.match import HandResult, ImpossibleHand
from scorekeeper.engine.readings import Ruling, rule_on
from scorekeeper.engine.seats import table_faults
from scorekeeper.ledger.derive_match import Match, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.limits import NAME_LENGTH, name_faults
from scorekeeper.ledger.refusals import HandRefused
from scorekeeper.ledger.roles import WATCHER, Link
from scorekeeper.ledger.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.printing.rules_link import rules_link
from scorekeeper.rules.codes import LONGEST_CODE, BadCode, encode, fingerprint
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import HouseRules, resolve, with_house
from scorekeeper.rules.phrases import listed
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.citations import Citations, Cited
from scorekeeper.web.hand.form import COUNT_FIELD, Entry, EntryMode, HandForm
from scorekeeper.web.hand.page import first_missing
from scorekeeper.web.new_match.form import ALONE, PARTNERS, Paper, TableForm, empty_form, tidy, whole
from scorekeeper.web.new_match.form import read_form as read_table
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.named_rules import NamedRules, messages, shared_rules

VERSION = "1"
MOST_PLAYERS = 8
MOST_FIELDS = 160
LONGEST_ADDRESS = 6000
"""Letters of an address after its question mark: a share code, names, and every field of the longest form."""
_LONGEST_FIELD = 60

VERSION_FIELD, VARIANT_FIELD, CODE_FIELD, EDITION_FIELD = "v", "rules", "r", "fp"
SEATS_FIELD, SEATING_FIELD, SHAPE_FIELD = "seats", "seating", "shape"
NAME_PREFIX = "name-"
"""A side's place from 0 follows."""
WENT_SET_FIELD = "went_set"
REST_FIELD, WAY_FIELD, SHOW_FIELD, ASKS_FIELD = "rest", "way", "show", "asks"
RULING = "ruling"
ALONE_NAMES = "ABCDEFGH"
"""What players are called who play alone and have no names."""
_NOT_OF_A_HAND = {"thrown_in", "calls", "dealer", "say", "dealt"}
"""Fields of the entry of a hand that tell nothing here: nobody deals, and nobody calls."""


BEFORE = Paper(highest=9999, allowed=" from −9999 to 9999")
"""The numbers before the hand, with nothing typed yet."""


class BadAddress(Exception):
    """An address cannot be read; the message says why, for people."""


def rules_field(rules: NamedRules) -> tuple[str, str]:
    """Return the field of an address that names rules, and what it says."""
    return (CODE_FIELD, rules.share_code) if rules.share_code else (VARIANT_FIELD, rules.base.id)


def with_answer(rules: NamedRules, option: str, answer: object) -> NamedRules | None:
    """Return the rules with one more answer that the table agreed; `None` where they cannot be so."""
    notes = tuple(note for note in rules.ruleset.notes if note not in rules.base.notes)
    house = HouseRules(rules.ruleset.name, rules.base.id, {**rules.answers, option: answer}, notes)
    ruleset, _ = resolve(house, {rules.base.id: rules.base})
    return NamedRules(rules.base, ruleset, house.options, encode(house)) if ruleset else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleForm:
    """One hand as an address has it; anything may still be missing."""

    rules: NamedRules
    table: TableForm
    """Who sits down, as a new match has it; nobody has a name there."""
    names: tuple[str, ...] = ()
    """A name for each side as it was typed, in order; empty where it has none."""
    before: Paper = BEFORE
    """The numbers before the hand; sets and hands only where they matter."""
    went_set: str = ""
    """The side that dealt, and went set instead of bidding; empty where somebody bid."""
    hand: HandForm
    edition: str
    """The fingerprint of the rules when the address was made."""

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.table.names)

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
        if any(self.name_faults()):
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

    def name_faults(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the names, each after the field that it is in."""
        for place, name in enumerate(self.names):
            if name and (fault := next(name_faults("", name), None)):
                yield f"{NAME_PREFIX}{place}", fault.message
        names = [name or usual for name, usual in zip(self.names, self.usual_names, strict=True)]
        for fault in table_faults(names, ()):
            yield f"{NAME_PREFIX}{fault.field.rpartition('.')[2]}", fault.message

    def faults(self) -> dict[str, str]:
        """Return what is wrong with the names and the numbers before the hand, by the field that it is in."""
        return {**dict(self.name_faults()), **dict(self.before.faults(self.shown_names))}

    def fields(self) -> dict[str, Any]:
        """Return the fields of the address that reads back as this form, none of them empty."""
        table = (*self.table_fields(), (EDITION_FIELD, self.edition))
        names = ((f"{NAME_PREFIX}{place}", name) for place, name in enumerate(self.names))
        entered = (*names, *self.before.typed.items(), (WENT_SET_FIELD, self.went_set), *self.hand.fields())
        return {name: text for name, text in (*table, *entered) if text}

    def with_rules(self, share_code: str) -> dict[str, Any]:
        """Return the fields of the address by other rules."""
        of_rules = (VARIANT_FIELD, CODE_FIELD, EDITION_FIELD)
        return {CODE_FIELD: share_code, **{name: it for name, it in self.fields().items() if name not in of_rules}}

    def table_fields(self) -> Iterator[tuple[str, str]]:
        """Yield the version, the rules and how the table sits."""
        yield VERSION_FIELD, VERSION
        yield rules_field(self.rules)
        yield SEATS_FIELD, str(self.seats)
        if self.table.has_choice_of_seating:
            yield SEATING_FIELD, self.table.seating


def empty_settle_form(rules: NamedRules, seats: int | None = None, seating: str = "") -> SettleForm:
    """Return a form with nothing in it but the rules, for the usual number of players or for so many."""
    table = empty_form(rules.ruleset, seats)
    if len(table.names) > MOST_PLAYERS:
        table = empty_form(rules.ruleset, MOST_PLAYERS)
    if seating in (PARTNERS, ALONE):
        table = replace(table, seating=seating)
    form = SettleForm(rules=rules, table=table, hand=HandForm(by_counts=True), edition=fingerprint(rules.ruleset))
    places = len(form.side_ids)
    return replace(form, names=("",) * places, before=BEFORE.read({}, places))


def says_rules(query: Mapping[str, str]) -> bool:
    """Return whether an address names rules."""
    return bool(query.get(VARIANT_FIELD) or query.get(CODE_FIELD))


def read_form(query: MultiDict[str, str], length: int) -> SettleForm:
    """Return what an address of so many letters says; raises `BadAddress`."""
    fields = query.to_dict()
    if length > LONGEST_ADDRESS or len(fields) > MOST_FIELDS:
        raise BadAddress("This link is longer than any hand takes.")
    if fields.get(VERSION_FIELD, VERSION) != VERSION:
        raise BadAddress("Another version of Scorekeeper made this link. This one can’t read it.")
    form = empty_settle_form(_read_rules(fields), whole(fields.get(SEATS_FIELD, "")), fields.get(SEATING_FIELD, ""))
    form = replace(form, edition=tidy(fields.get(EDITION_FIELD, ""))[:9] or form.edition)
    if fields.get(SHAPE_FIELD, form.shape) != form.shape:
        return form  # another table sits down: nothing that was entered for the first means anything
    entered = {name: text for name, text in fields.items() if name not in _NOT_OF_A_HAND}
    if any(len(text) > _LONGEST_FIELD for name, text in entered.items() if name not in (CODE_FIELD, ASKS_FIELD)):
        raise BadAddress("Something in this link is longer than a hand takes.")
    if entered.get("by") not in (EntryMode.CARDS, EntryMode.COUNTS):
        entered["by"] = EntryMode.COUNTS
    if entered.get(WAY_FIELD) not in (EntryMode.CARDS, EntryMode.COUNTS):
        entered.pop(WAY_FIELD, None)
    places = len(form.side_ids)
    went_set = entered.get(WENT_SET_FIELD, "")
    return replace(
        form,
        names=tuple(tidy(entered.get(f"{NAME_PREFIX}{i}", "")) for i in range(places)),
        before=BEFORE.read(entered, places),
        went_set=went_set if form.asks_went_set and went_set in form.side_ids else "",
        hand=HandForm.from_fields(entered),
    )


def _read_rules(fields: Mapping[str, str]) -> NamedRules:
    if code := fields.get(CODE_FIELD):
        if len(code) > LONGEST_CODE:
            raise BadAddress("The rules in this link are too long.")
        try:
            return shared_rules(code)
        except BadCode as bad:
            raise BadAddress(str(bad)) from None
    ruleset_id = fields.get(VARIANT_FIELD, "")
    if ruleset_id not in library():
        raise BadAddress("This link names rules that Scorekeeper does not know.")
    base = library()[ruleset_id]
    # What the page that finds a game has heard; a match begins with the same fields.
    table = read_table(base, fields)
    if table.unreadable:
        raise BadAddress("This link has a house rule that cannot be read.")
    house = table.house
    ruleset, faults = with_house(base, house)
    if faults:
        # By the rules of the book the ruling would be on another game than the link means.
        raise BadAddress(messages(faults))
    return NamedRules(base, ruleset, house, encode(HouseRules(base.name, base.id, house)) if house else "")


# ---------- the address of a hand of a match, filled in ----------


def rules_in_match(ruleset: Ruleset) -> NamedRules | None:
    """Return the rules of a match as an address has them; `None` where no address can."""
    if ruleset.id not in library():
        return None
    base = library()[ruleset.id]
    if ruleset == base:
        return NamedRules(base, base)
    code = rules_link(ruleset, base).code
    try:
        return shared_rules(code) if code else None
    except BadCode:
        return None


def form_of_hand(match: Match, result: HandResult) -> SettleForm | None:
    """Return a hand of a match as an address has it; `None` where there is nothing to settle, or none can be."""
    rules, seats = rules_in_match(result.ruleset), match.state.seats
    if rules is None or result.status != "scored":
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
    earlier = match.state_before(result.place)
    before = {BEFORE.hands_field: str(earlier.scored) if form.asks_hands else ""}
    for i, side in enumerate(seats.ids):
        before[f"{BEFORE.score_prefix}{i}"] = str(result.scores[side] - result.deltas[side])
        before[f"{BEFORE.sets_prefix}{i}"] = str(earlier.sets[side] or "") if form.table.asks_sets else ""
    return replace(
        form,
        names=_names(match, result, form),
        before=BEFORE.read(before, len(seats.ids)),
        went_set=ids[result.set_taken_by] if result.set_taken_by else "",
        hand=HandForm.from_hand(_hand(result, ids)),
    )


def _with_restated(rules: NamedRules, agreed: Mapping[str, object]) -> NamedRules:
    """Return the rules with what the table agreed although it is standard: the ruling says that it was agreed."""
    for option, answer in agreed.items():
        changed = None if option in rules.answers else with_answer(rules, option, answer)
        if changed and fingerprint(changed.ruleset) == fingerprint(rules.ruleset):
            rules = changed
    return rules


def _new_ids(match: Match, form: SettleForm) -> Mapping[str, str]:
    """Return the id that everybody's side has in the address, by the ids in the match."""
    seats = match.state.seats
    sides = dict(zip(seats.ids, form.side_ids, strict=True))
    return {**{seat: sides[seats.side_of(seat) or seat] for seat in seats.players}, **sides}


def _hand(result: HandResult, ids: Mapping[str, str]) -> Hand:
    """Return the hand with its contract instead of its calls, and sides instead of players."""
    contract = replace(
        result.hand,
        dealer=None,
        auction=None,
        bidder=result.bidder,
        bid=result.bid,
        overtook_pitch=result.overtook_pitch or None,
        house=None,
        house_on=None,
        note=None,
        sits_in=None,
    )
    return with_ids(contract, ids)


def _names(match: Match, result: HandResult, form: SettleForm) -> tuple[str, ...]:
    """Return what the sides were called, cut to what fits; none where that would make two alike."""
    names = match.said_as("").names_in(result.place)
    cut = tuple(_cut(names[side]) for side in match.state.seats.ids)
    named = replace(form, names=cut)
    return form.names if any(named.name_faults()) else cut


def _cut(name: str) -> str:
    return name if len(name) <= NAME_LENGTH else f"{name[: NAME_LENGTH - 1].rstrip()}…"


# ---------- the hand as the engine has it, an entry without a match, and the ruling on it ----------


_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A hand, as far as it was entered, and the ruling where there is one."""

    entry: Entry
    """With its faults where it cannot have been so."""
    missing: tuple[str, str] | None = None
    """The first thing that is still needed, and where it is asked."""
    ruling: Ruling | None = None

    @property
    def nobody_took(self) -> int:
        """The points that nobody took, where the points of everybody were entered."""
        entry = self.entry
        return entry.points_left if entry.form.by_counts and entry.form.counts else 0


def entry_of(form: SettleForm) -> Entry:
    """Return the hand as an entry before the first hand of a match that is kept nowhere."""
    setup = _setup(form)
    link = Link(id=0, code="", role=WATCHER, place_id=0)
    match: Match = derive_match(setup, link, fold(()), form.rules.ruleset)
    return Entry(match, match.state, 1, form.hand.given_up_by(form.went_set) if form.went_set else form.hand)


def settle(form: SettleForm) -> Settled:
    """Return what comes of the hand of an address, or what it still needs."""
    entry = entry_of(form)
    if missing := _missing(entry):
        return Settled(entry=entry, missing=missing)
    entry = _with_zeros(entry)
    if faults := _too_many(entry):
        return Settled(entry=replace(entry, faults=faults))
    try:
        ruling = rule_on(entry.before, entry.hand(), form.rules.base, form.rules.answers.keys())
    except (HandRefused, ImpossibleHand) as refused:
        faults = tuple(item.fault.named(entry.names) for item in refused.faults)
        return Settled(entry=replace(entry, faults=faults))
    return Settled(entry=entry, ruling=ruling)


def _setup(form: SettleForm) -> MatchSetup:
    ids, names = form.side_ids, form.shown_names
    is_alone = not form.table.side_count
    return MatchSetup(
        id=0,
        uid="",
        created_at=_NEVER,
        variant=form.rules.base.id,
        house={},
        digest="",
        seats=tuple(SetupSeat(who, name) for who, name in zip(ids, names, strict=True)) if is_alone else (),
        sides=tuple(
            SetupSide(who, None, (who,)) if is_alone else SetupSide(who, name)
            for who, name in zip(ids, names, strict=True)
        ),
        start=form.before.start(ids),
        first_dealer=None,
        title="",
        played_on=None,
        place=None,
        note=None,
    )


def _missing(entry: Entry) -> tuple[str, str] | None:
    form = entry.form
    if form["thrown_in"]:
        return None
    if entry.ruleset.bidding.auction and not entry.is_unbound and not form["bidder"] and not form["bid"]:
        return "Say who had the bid", "q-bid"
    missing = first_missing(_with_zeros(entry))
    if form.by_counts and not form.counts:
        return missing if missing and not missing[1].startswith(COUNT_FIELD) else ("Say what each took", "taken")
    if missing or form.by_counts or not entry.open_awards:
        return missing
    return f"{entry.points_left} left", f"row-{entry.open_awards[0]}"


def _with_zeros(entry: Entry) -> Entry:
    """Return the entry with no points for whoever has no number, where anybody has one."""
    form = entry.form
    if not form.by_counts or not form.counts:
        return entry
    zeros = {view.side_id: 0 for view in entry.counted_sides if not form[f"{COUNT_FIELD}{view.side_id}"]}
    return replace(entry, form=form.with_counts(zeros))


def _too_many(entry: Entry) -> tuple[Fault, ...]:
    """Return the fault that more was taken than a hand has: "7 and 4 make 11, a hand has 10."."""
    if not entry.form.by_counts or entry.ruleset.points.game_tie == "all_tied_score":
        return ()
    counts = [entry.form.counts.get(view.side_id, 0) for view in entry.counted_sides]
    total, in_hand = sum(counts), entry.ruleset.points_per_hand
    if total <= in_hand:
        return ()
    taken = [str(number) for number in counts if number]
    is_sum = f"{listed(taken)} make {total}, a hand has {in_hand}."
    made = is_sum if len(taken) > 1 else f"{total} is more than {in_hand}."
    return (Fault("points", "too_many_points", made),)


# ---------- the numbered rules of the sheet ----------


def deciding_rules(ruling: Ruling, rules: Citations) -> Cited:
    """Return the rules that decide: who has won, or that the bid is set, or else what ends the match."""
    state, result = ruling.state, ruling.result
    found: Cited = ()
    if result.set_taken_by:
        found = rules.rule("bid.all_pass")
    elif result.score is not None and result.score.made is False:
        found = rules.set(result.bid)
    if state.outcome:
        found += rules.decided(state)
    elif state.question or state.standing.at_target:
        found += rules.goes_on(state)
    elif not found:
        found = rules.ends()[:1]
    return tuple(dict.fromkeys(found))
