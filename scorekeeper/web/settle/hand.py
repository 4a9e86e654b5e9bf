"""The hand of an address as the engine has it, an entry without a match; the ruling on it, and the rules behind it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scorekeeper.engine.match import ImpossibleHand
from scorekeeper.engine.readings import Ruling, rule_on
from scorekeeper.ledger.derive_match import Match, derive_match
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.refusals import HandRefused
from scorekeeper.ledger.roles import WATCHER, Link
from scorekeeper.ledger.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.phrases import listed
from scorekeeper.sheets.citations import Citations, CitedRule
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import COUNT_FIELD
from scorekeeper.web.hand.page import first_missing
from scorekeeper.web.settle.form import SettleForm

_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A hand, as far as it was entered, and the ruling where there is one."""

    entry: Entry
    missing: tuple[str, str] | None
    """The first thing that is still needed, and where it is asked."""
    faults: tuple[Fault, ...]
    """Why the hand cannot have been so."""
    ruling: Ruling | None

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
        return Settled(entry=entry, missing=missing, faults=(), ruling=None)
    entry = _with_zeros(entry)
    faults = tuple(_too_many(entry))
    ruling = None
    if not faults:
        try:
            hand, rules = entry.hand(), form.rules
            ruling = rule_on(entry.before, hand, rules.base, rules.answers.keys())
        except (HandRefused, ImpossibleHand) as refused:
            faults = tuple(item.fault.named(entry.names) for item in refused.faults)
    return Settled(entry=replace(entry, faults=faults), missing=None, faults=faults, ruling=ruling)


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
    if form.by_counts and form.counts:
        entry = _with_zeros(entry)
    elif form.by_counts:
        missing = first_missing(entry)
        return missing if missing and not missing[1].startswith(COUNT_FIELD) else ("Say what each took", "taken")
    if missing := first_missing(entry):
        return missing
    if entry.open_awards and not form.by_counts:
        return f"{entry.points_left} left", f"row-{entry.open_awards[0]}"
    return None


def _with_zeros(entry: Entry) -> Entry:
    """Return the entry with no points for whoever has no number, where anybody has one."""
    form = entry.form
    if not form.by_counts or not form.counts:
        return entry
    zeros = {view.side_id: 0 for view in entry.counted_sides if not form[f"{COUNT_FIELD}{view.side_id}"]}
    return replace(entry, form=form.with_counts(zeros))


def _too_many(entry: Entry) -> list[Fault]:
    """Return the fault that more was taken than a hand has: "7 and 4 make 11, a hand has 10."."""
    if not entry.form.by_counts or entry.ruleset.points.game_tie == "all_tied_score":
        return []
    counts = [entry.form.counts.get(view.side_id, 0) for view in entry.counted_sides]
    total, in_hand = sum(counts), entry.ruleset.points_per_hand
    if total <= in_hand:
        return []
    numbers = listed(str(number) for number in counts if number)
    verb = "make" if sum(number > 0 for number in counts) > 1 else "is"
    made = f"{numbers} {verb} {total}, a hand has {in_hand}." if verb == "make" else f"{total} is more than {in_hand}."
    return [Fault("points", "too_many_points", made)]


# ---------- the numbered rules of the sheet ----------


def deciding_rules(ruling: Ruling, rules: Citations) -> tuple[CitedRule, ...]:
    """Return the rules that decide: who has won, or that the bid is set, or else what ends the match."""
    return tuple(dict.fromkeys(_deciding(ruling, rules)))


def _deciding(ruling: Ruling, rules: Citations) -> Iterator[CitedRule]:
    state, result = ruling.state, ruling.result
    is_set = result.score is not None and result.score.made is False
    found = [rules.set(result.bid) if is_set else None]
    if result.set_taken_by:
        is_set, found = True, [rules.rule("bid.all_pass")]
    if state.outcome:
        found.append(rules.outcome(state.outcome.rule))
    elif not is_set:
        found.append(next(iter(rules.ends()), None))
    yield from (rule for rule in found if rule)
