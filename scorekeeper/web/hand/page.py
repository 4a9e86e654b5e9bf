"""The hand entry as its template sees it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorekeeper.engine.hand import HAND_FIELDS, FieldKind
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.narration.payments import standing_text
from scorekeeper.web.hand.bid_questions import (
    AuctionView,
    BidView,
    ExtrasView,
    auction_view,
    bid_view,
    extras_view,
    questions,
    trump_question,
)
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import (
    CALLS_FIELD,
    COUNT_FIELD,
    DEALT_FIELD,
    PENALTY_FIELD,
    UNBOUND_FIELD,
    EntryMode,
    calls_text,
)
from scorekeeper.web.hand.save_bar import SaveBar, save_bar
from scorekeeper.web.hand.taken_questions import AwardsView, PointsView, asked_fields, awards_view, points_view
from scorekeeper.web.shared.errors import closed_view
from scorekeeper.web.shared.widgets import ClosedView, FaultsView, HiddenFields, QuestionView, each_once, faults_view


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPage:
    """Template hand/show.html. Blocks: faults, hand_form, bottom_bar."""

    code: str
    title: str
    kept_as: str
    """What the hand is called while it waits on the phone: "The correction of hand 4"."""
    uid: int | None
    insert_before: int | None
    earlier_rules: int | None
    """A hand on whose page the rules of this one are, where the match has others by now."""
    dealer: str
    scores: str
    """The scores before this hand."""
    hidden_fields: HiddenFields
    is_fresh: bool
    """Nothing was sent yet: what this phone still has of the entry may be filled in."""
    mode: EntryMode
    may_call: bool
    closed: ClosedView | None
    """The match, where that does not take this hand."""
    faults: FaultsView | None
    auction: AuctionView | None
    bid: BidView | None
    trump: QuestionView | None
    questions: tuple[QuestionView, ...]
    """Every trick? Which card was called? Who held it?"""
    awards: AwardsView | None
    points: PointsView | None
    extras: ExtrasView
    save_bar: SaveBar


def hand_page(
    entry: Entry,
    after: Match | Refused | None,
    *,
    form_key: str,
    version: int,
    has_just_called: bool = False,
    is_fresh: bool = False,
) -> HandPage:
    """Return the page of a hand that is entered, where the match would stand so `after` it, or where it is refused."""
    title, kept_as = _titles(entry)
    # What follows the bidding is asked when it is over, and where something is played then.
    is_played, by_counts = entry.is_played, entry.form.by_counts
    return HandPage(
        code=entry.match.code,
        title=title,
        kept_as=kept_as,
        uid=entry.uid,
        insert_before=entry.insert_before,
        earlier_rules=entry.earlier_rules,
        dealer=entry.name(entry.dealer) if entry.dealer else "",
        scores=standing_text(entry.before, entry.names),
        hidden_fields=(
            ("version", str(version)),
            ("client_key", form_key),
            ("asks", entry.question_fingerprint),
            *_hidden_fields(entry),
        ),
        is_fresh=is_fresh,
        mode=entry.form.mode,
        may_call=entry.may_call,
        closed=closed_view(entry.match, entry.closed) if entry.closed else None,
        faults=_faults(entry),
        auction=auction_view(entry, has_just_called=has_just_called) if entry.by_auction else None,
        bid=None if entry.by_auction else bid_view(entry),
        trump=trump_question(entry) if is_played else None,
        questions=questions(entry) if is_played else (),
        awards=awards_view(entry) if is_played and not by_counts else None,
        points=points_view(entry) if is_played and by_counts else None,
        extras=extras_view(entry),
        save_bar=save_bar(entry, after, is_fresh=is_fresh),
    )


def _faults(entry: Entry) -> FaultsView | None:
    """Return why nothing was saved, each with the rule by which it is refused."""
    faults = faults_view("Not saved yet", each_once((it.message, fault_target(entry, it.field)) for it in entry.faults))
    if faults is None:
        return None
    cited = {it.message: entry.refused_by(it) for it in entry.faults}
    return replace(faults, items=tuple(replace(item, cited=cited[item.text]) for item in faults.items))


def _titles(entry: Entry) -> tuple[str, str]:
    hand = f"hand {entry.number}"
    if entry.uid is not None:
        return f"Correct {hand}", f"The correction of {hand}"
    if entry.insert_before is not None:
        return f"Insert {hand}", f"The inserted {hand}"
    return f"Hand {entry.number}", f"Hand {entry.number}"


def _hidden_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what the form has to send beside what the page asks, to be there when it is asked again."""
    form, contract = entry.form, entry.contract
    if entry.uid is not None:
        yield "uid", str(entry.uid)
    if entry.insert_before is not None:
        yield "before", str(entry.insert_before)
    yield "by", form.mode
    if entry.before.dealer:
        yield DEALT_FIELD, entry.before.dealer
    if entry.by_auction or form.calls:
        yield CALLS_FIELD, calls_text(entry.calls_to_keep)
    if entry.by_auction and form.by_counts:
        yield "taking", EntryMode.COUNTS
    bid = {name: form[name] for name in ("bidder", "bid", "overtook_pitch")}
    if entry.by_auction and contract.bidder is not None:
        overtook_pitch = "yes" if contract.overtook_pitch else ""
        bid = {"bidder": contract.bidder, "bid": str(contract.bid), "overtook_pitch": overtook_pitch}
    elif not entry.by_auction:
        # Half of a pair is on no square of the board.
        is_half = entry.asks_pair and not (form["bidder"] and form["partner"])
        bid = {name: form[name] for name in ("bidder", "partner")} if is_half else {}
    if entry.is_unbound and not entry.by_auction:
        # A bid that was tapped before waits for whoever takes this back.
        yield UNBOUND_FIELD, "yes"
        bid = {name: form[name] for name in ("bidder", "bid", "partner")}
    yield from ((name, text) for name, text in bid.items() if text)
    yield from form.unasked_fields(asked_fields(entry), is_before_play=not entry.is_played)


def fault_target(entry: Entry, field: str) -> str:
    """Return the id of the element that a fault is about; empty where there is none."""
    name, _, rest = field.partition(".")
    match next((item.kind for item in HAND_FIELDS if item.name == name), None):
        case FieldKind.TAKEN:
            return f"row-{rest}" if rest in entry.ruleset.in_play else ""
        case FieldKind.COUNTS:
            if name == "penalties":
                return f"{PENALTY_FIELD}{rest}"
            return "card-points" if name == "card_points" else f"{COUNT_FIELD}{entry.columns[0].side_id}"
        case FieldKind.PARTNER if entry.asks_pair:
            return "q-bid"
        case FieldKind.YES_OR_NO if not entry.asks_tricks:
            return ""
        case None | FieldKind.CHECK | FieldKind.THROWN_IN:
            return ""
        case _ if name in ("auction", "bidder", "bid"):
            return "q-bid" if entry.ruleset.bids else ""
        case _:
            return name
