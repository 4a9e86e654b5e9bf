"""The values of the hand templates: the questions with their answers, the boards, and the takers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from scorekeeper.pages.hand.entry import HandEntry
from scorekeeper.pages.hand.in_progress import HandInProgress, RunningAuction
from scorekeeper.pages.hand.input import (
    ALONE,
    COUNT_FIELD,
    NOBODY,
    NUMBER_FIELD,
    HandInput,
)
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.awards import CARD_POINTS, RANK_NAMES, AwardId, CardFace, face
from scorekeeper.pitch.rules.entered_text import number_or_text
from scorekeeper.pitch.rules.faults import HIGHEST_PENALTY, MAX_OF_A_RANK, Fault
from scorekeeper.pitch.rules.phrases import lost_by_renege, sentence
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import all_calls, objection
from scorekeeper.pitch.scoring.hand import PASS, Bid, Call
from scorekeeper.pitch.sheets.citations import Citations, Cited
from scorekeeper.pitch.text.hands import auction_words
from scorekeeper.pitch.text.phrases import bid_word, call_word
from scorekeeper.web.library import NO_CITATIONS, citations_of_ruleset, hand_of_earlier_rules
from scorekeeper.web.widgets import Choice, OtherNumber, QuestionView, labeled_question

MAX_BUTTONS = 16
"""The most bids with a button for each: two rows on a phone."""
MAX_LIKELY = 15
"""The most buttons beside a field for any other number."""
MIN_FREE = 4
"""The number of these buttons, at least, for bids made earlier in the match; the others have round numbers."""
STEPS = (5, 10, 25)
MAX_COLUMNS = 4
"""The most sides whose names or numbers fit over their columns."""
FEW_ROWS = 4
RENEGE = "play.renege"
"""The id of the rule on the cost of a renege; in a game without this rule the table decides."""


@dataclass(frozen=True, kw_only=True)
class BidView:
    """The question of bidder and bid where no board enters both: players above bids.

    Where a partner is called, a board of bidder and partner stands above the bids.
    """

    people: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    other: OtherNumber | None = None
    """A field for any other bid, if not every bid has a button."""


@dataclass(frozen=True, kw_only=True)
class AuctionView:
    """The calls so far, and what can be called next."""

    next_caller: str | None = None
    outcome: str = ""
    """How the bidding ended."""
    choices: tuple[Choice, ...] = ()
    """The calls of this game; a call that is not allowed now is quiet.

    Where bids are many, only likely bids that are allowed now.
    """
    other: OtherNumber | None = None
    """A field with a button for any other bid, if not every bid has a button."""
    why_no_pass: str = ""


@dataclass(frozen=True, kw_only=True)
class AwardRow:
    """An award, or alike cards, with the taker."""

    award_id: AwardId
    name: str
    points: int
    cards: tuple[AwardId, ...]
    face: CardFace
    taker: str
    copies: Mapping[str, int]
    """The number of the alike cards that each column took."""
    fault: str
    cited: Cited


@dataclass(frozen=True, kw_only=True)
class HandView:
    """The values of the hand templates."""

    counted_cards: ClassVar = tuple((rank, RANK_NAMES[rank], points) for rank, points in CARD_POINTS.items())
    """The ranks with card points: each with its name and its points."""
    max_of_a_rank: ClassVar[int] = MAX_OF_A_RANK
    penalty_length: ClassVar[int] = len(str(HIGHEST_PENALTY))

    citations: Citations
    """The numbers of the rules in force in this hand."""
    sheet: str
    """The address of the rule sheet."""
    faults: tuple[Fault, ...]
    """Why the hand was not saved."""

    asks_dealer: bool
    is_other_dealer: bool
    """Whether another dealer than expected was entered."""
    dealer_question: QuestionView
    auction: AuctionView | None
    bid: BidView | None
    asks_trump: bool
    questions: tuple[QuestionView, ...]
    """The further questions of this game, or of this bid."""

    rows: tuple[AwardRow, ...]
    layout: str
    """The CSS classes of the grid of awards: a column for each side, and one for nobody."""
    points: tuple[QuestionView, ...]

    unplayed: str = ""
    """Why the hand was not played, if so entered; else empty."""
    after_passing: str
    may_misdeal: bool
    may_go_set: tuple[SideView, ...] = ()
    asks_overtook: bool
    forfeits: QuestionView | None
    """The question of what a renege costs besides points, if a rule covers it or an answer was entered."""

    def fault(self, *fields: str) -> str:
        """Return the message of the first of these fields with a fault, of the field or of a part of it."""
        return fault_in(self.faults, *fields)


def fault_in(faults: Sequence[Fault], *fields: str) -> str:
    """Return the message of the first of these fields with a fault; else empty."""
    wrong = (item for name in fields for item in faults if f"{item.field}.".startswith(f"{name}."))
    return next((item.message for item in wrong), "")


def hand_view(entry: HandEntry, sheet: str, faults: tuple[Fault, ...]) -> HandView:
    """Return the values of the hand templates; `sheet` is the address of the rule sheet."""
    hand, rules, seats = entry.hand, citations_of(entry), entry.hand.before.seats
    fault = partial(fault_in, faults)
    # The questions after the bidding are shown once it is over, if the hand is played.
    is_played, by_counts = hand.is_played, hand.input.by_counts
    has_renege_rule = any(rule.id == RENEGE for rule in rules.rule(RENEGE))
    dealers = _people_choices(entry, seats.chairs, hand.dealer)
    return HandView(
        citations=rules,
        sheet=sheet,
        faults=faults,
        asks_dealer=hand.knows_dealer or not hand.by_auction,
        is_other_dealer=hand.input.dealer not in ("", hand.before.dealer),
        dealer_question=QuestionView(field="dealer", question="Who dealt?", choices=dealers, fault=fault("dealer")),
        auction=auction_view(entry) if hand.by_auction else None,
        bid=None if hand.by_auction else bid_view(entry),
        asks_trump=is_played,
        questions=tuple(_questions(entry, rules, fault)) if is_played else (),
        rows=() if by_counts or not is_played else tuple(_award_rows(hand, rules, fault)),
        layout=_awards_layout(entry),
        points=tuple(_points_questions(entry, fault("points"))) if is_played and by_counts else (),
        after_passing=hand.after_passing,
        may_misdeal=not (hand.corrects and hand.corrects.is_played),
        asks_overtook=hand.ruleset.bidding.pitching and not hand.by_auction,
        forfeits=_forfeits_question(entry) if has_renege_rule or hand.input.forfeits else None,
    )


def citations_of(entry: HandEntry) -> Citations:
    """Return the numbered rules of a hand; none if no page shows these rules, as no hand is played by them any more."""
    rules, match = entry.hand.before.ruleset, entry.match
    has_page = rules == match.state.ruleset or hand_of_earlier_rules(match, rules) is not None
    return citations_of_ruleset(rules) if has_page else NO_CITATIONS


# ---------- the bid on a board ----------


def has_many_bids(ruleset: Ruleset) -> bool:
    """Return whether a game has more bids than a row of buttons can show."""
    return len(ruleset.bids) > MAX_BUTTONS


def likely_numbers(numbers: Sequence[int], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return at most `MAX_LIKELY` numbers: the lowest, the highest, round ones, and as many `wanted` ones as fit."""
    if len(numbers) <= MAX_LIKELY:
        return tuple(numbers)
    rounded = ({numbers[0], numbers[-1], *(number for number in numbers if number % step == 0)} for step in STEPS)
    likely = next(found for found in rounded if len(found) <= MAX_LIKELY - MIN_FREE)
    for number in wanted:
        if len(likely) < MAX_LIKELY and number in numbers:
            likely.add(number)
    return tuple(sorted(likely))


def bid_view(entry: HandEntry) -> BidView | None:
    """Return the question of bidder and bid; `None` where nobody bids. A board, for few bids, is an empty view."""
    hand = entry.hand
    if not hand.ruleset.bids or hand.is_unbound:
        return None
    if hand.has_board:
        return BidView()
    bids, entered = _shown_bids(hand), hand.input.bid
    typed = "" if entered in map(str, bids) else entered
    return BidView(
        people=() if hand.asks_pair else _people_choices(entry, hand.people, hand.input.bidder),
        bids=tuple(
            _call_choice(
                bid,
                value=str(bid),
                spoken=bid_word(bid) if isinstance(bid, str) else "",
                is_chosen=entered == str(bid),
            )
            for bid in bids
        ),
        other=_other_number(_numbers(hand.ruleset.bids), typed) if has_many_bids(hand.ruleset) else None,
    )


def _shown_bids(hand: HandInProgress) -> tuple[Bid, ...]:
    """Return the bids with a button: all, or where bids are many, likely ones."""
    bids = hand.ruleset.bids
    if not has_many_bids(hand.ruleset):
        return bids
    made = (result.bid for result in reversed(hand.before.results))
    return (*likely_numbers(_numbers(bids), _numbers(made)), *hand.ruleset.special_bids)


def _numbers(bids: Iterable[Call | None]) -> tuple[int, ...]:
    return tuple(bid for bid in bids if isinstance(bid, int))


def _other_number(numbers: Sequence[int], value: str) -> OtherNumber:
    """Return the field for a bid that has no button."""
    label = f"Another bid, {numbers[0]} to {numbers[-1]}"
    return OtherNumber(field=NUMBER_FIELD, label=label, value=value, max_length=len(str(numbers[-1])))


def _call_choice(call: Call, *, value: str, spoken: str, is_chosen: bool = False, is_quiet: bool = False) -> Choice:
    icon = {"moon": "moon", "double_moon": "moons"}.get(str(call), "")
    return Choice(value=value, label=call_word(call), icon=icon, spoken=spoken, is_chosen=is_chosen, is_quiet=is_quiet)


def _people_choices(entry: HandEntry, people: Sequence[str], chosen: str | None) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=who, label=entry.name(who), is_chosen=who == chosen, side=entry.side_of(who)) for who in people
    )


# ---------- call by call ----------


def auction_view(entry: HandEntry) -> AuctionView:
    """Return the calls so far, and the calls to choose from next."""
    hand, bidding = entry.hand, entry.hand.bidding
    if bidding is None:
        return AuctionView()
    if (caller := bidding.next_caller) is None:
        return AuctionView(outcome=auction_words(bidding.auction, entry.names))
    every_call = all_calls(hand.ruleset)
    why_not = {call: objection(hand.ruleset, bidding.auction, caller, call) for call in every_call}
    shown, other = every_call, None
    if has_many_bids(hand.ruleset):
        numbers = _numbers(call for call in every_call if why_not[call] is None)
        likely = likely_numbers(numbers, numbers)
        shown = tuple(call for call in every_call if isinstance(call, str) or call in likely)
        if len(numbers) > MAX_LIKELY:
            other = _other_number(numbers, _call_to_correct(bidding, hand))
    no_pass = why_not[PASS]
    return AuctionView(
        next_caller=caller,
        choices=tuple(
            _call_choice(
                call,
                value=f"{len(bidding.calls)}:{caller}:{call}",
                spoken=f"{entry.name(caller)}: {call_word(call)}",
                is_quiet=why_not[call] is not None,
            )
            for call in shown
        ),
        other=other,
        why_no_pass=no_pass.named(entry.names).message if no_pass else "",
    )


def _call_to_correct(bidding: RunningAuction, hand: HandInProgress) -> str:
    """Return the typed call that is not allowed, to be corrected; empty without one."""
    _, call = hand.input.calls[len(bidding.calls)] if bidding.refused else ("", PASS)
    return "" if call in all_calls(hand.ruleset) and isinstance(call, str) else str(call)


# ---------- the other questions of a game, or of a bid ----------


def _questions(entry: HandEntry, rules: Citations, fault: Callable[[str], str]) -> Iterator[QuestionView]:
    hand, entered = entry.hand, dict(entry.hand.input.answers())

    def ask(field: str, question: str, answers: Mapping[str, str], rule: str, note: str = "") -> QuestionView:
        cited, chosen = rules.rule(rule), entered.get(field, "")
        return labeled_question(field, question, answers, chosen, note=note, fault=fault(field), cited=cited)

    if hand.asks_partner:
        ranks = {rank: rank for rank in RANK_NAMES if rank in hand.ruleset.cards.ranks.split()}
        yield ask("called", "Which card was called?", ranks, "trump.call", "or skip it")
        if not hand.asks_pair:
            partner = hand.input.partner
            others = [who for who in hand.people if who != hand.input.bidder]
            alone = Choice(value=ALONE, label="nobody: alone", is_chosen=partner == ALONE)
            yield QuestionView(
                field="partner",
                question="Who held it?",
                choices=(*_people_choices(entry, others, partner), alone),
                fault=fault("partner"),
                cited=rules.rule("trump.call"),
            )
    if hand.asks_tricks:
        bidders = entry.columns[hand.bidding_column].name if hand.bidding_column else "the bidders"
        answers = {"yes": "yes, every one", "no": "no"}
        yield ask("all_tricks", f"Did {bidders} take every trick?", answers, f"bid.{hand.contract.bid}")
    if hand.asks_first:
        pegged = {side: entry.name(side) for side in hand.asks_first}
        yield ask("first_there", hand.first_question, pegged, "win.pegged")


def _forfeits_question(entry: HandEntry) -> QuestionView:
    """Return the question of what a renege costs besides points, with the answer entered among its options."""
    rules, entered = entry.hand.ruleset, dict(entry.input.answers()).get("forfeits", "none")
    game = {"game": sentence(lost_by_renege(rules))} if rules.game_award in rules.in_play else {}
    costs = {
        f"{side}:{what}": f"{label}: {view.name}"
        for what, label in {**game, "match": "the match"}.items()
        for side, view in entry.sides.items()
    }
    costs = {"none": "nothing", **costs}
    return labeled_question("forfeits", "Lost besides", {**costs, entered: costs.get(entered, entered)}, entered)


# ---------- who took what ----------


def _award_rows(hand: HandInProgress, rules: Citations, fault: Callable[[str], str]) -> Iterator[AwardRow]:
    ruleset, takers = hand.ruleset, hand.takers
    for award_id, cards in ruleset.award_rows.items():
        yield AwardRow(
            award_id=award_id,
            name=ruleset.in_play[award_id].name,
            points=ruleset.in_play[award_id].points,
            cards=cards,
            face=face(ruleset.kinds[award_id], ruleset.how_won(award_id)),
            taker=takers.get(award_id, ""),
            copies={who: _copies(hand.input, cards, who) for who in (*hand.columns, NOBODY)} if len(cards) > 1 else {},
            fault=fault(f"taken.{award_id}"),
            cited=rules.awards(award_id),
        )


def _copies(entered: HandInput, cards: Sequence[AwardId], who: str) -> int:
    """Return the number of alike cards that a column took: as typed, else by the takers of awards."""
    typed = number_or_text(entered.copies.get(f"{'.'.join(cards)}-{who}", ""))
    return typed if isinstance(typed, int) else sum(entered.taken.get(award) == who for award in cards)


def _awards_layout(entry: HandEntry) -> str:
    columns = entry.columns.values()
    few = " few" if len(entry.hand.ruleset.award_rows) <= FEW_ROWS else ""
    is_numbered = len(columns) > MAX_COLUMNS and all(side.letter.isdecimal() for side in columns)
    return f"by{len(columns)} c{len(columns)}{few}{' numbered' if is_numbered else ''}"


def _points_questions(entry: HandEntry, fault: str) -> Iterator[QuestionView]:
    """Yield a question for the points of each column; a `fault` of all of them is shown at the first."""
    hand = entry.hand
    answers = {str(n): str(n) for n in range(hand.ruleset.points_per_hand + 1)}
    for who in hand.counted_columns:
        field, name = f"{COUNT_FIELD}{who}", entry.columns[who].name
        yield labeled_question(field, name, answers, hand.input.points.get(who, ""), fault=fault)
        fault = ""
