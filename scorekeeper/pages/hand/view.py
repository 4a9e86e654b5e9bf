"""The values of the hand templates: the questions with their answers, the bids, and the rows of awards."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from scorekeeper.pages.hand.form import HandForm
from scorekeeper.pages.hand.in_progress import HandInProgress, RunningAuction
from scorekeeper.pages.hand.input import (
    ALONE,
    NOBODY,
    POINTS_PREFIX,
    TYPED_BID_FIELD,
    HandInput,
)
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.awards import (
    CARD_POINTS,
    JOKERS_BY_NUMBER,
    RANK_NAMES,
    AwardId,
    CardFace,
    OffTrump,
    card_face,
)
from scorekeeper.pitch.rules.entered_text import parse_number_or_text
from scorekeeper.pitch.rules.faults import MAX_CARDS_OF_RANK, MAX_PENALTY, Fault
from scorekeeper.pitch.rules.phrases import renege_cost
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import call_objection, possible_calls
from scorekeeper.pitch.scoring.hand import PASS, Bid, Call
from scorekeeper.pitch.sheets.citations import Citations, CitedRules
from scorekeeper.pitch.text.hands import auction_words
from scorekeeper.pitch.text.phrases import bid_word, call_word, verb_for
from scorekeeper.web.library import NO_CITATIONS, citations_of_ruleset, hand_uid_of_earlier_rules
from scorekeeper.web.widgets import Choice, OtherNumber, QuestionView, labeled_question

MAX_BID_BUTTONS = 16
"""The most bids that all have a button, in two rows on a phone."""
MAX_LIKELY_BIDS = 15
"""The most numbers with a button in a game with more bids than `MAX_BID_BUTTONS`; other numbers are typed."""
MIN_EARLIER_BIDS = 4
"""The fewest bid buttons to leave for bids made earlier in the match; round numbers have the rest."""
ROUND_STEPS = (5, 10, 25)
"""Steps between the round numbers on bid buttons; the first step that makes few enough buttons is used."""
MAX_NAMED_COLUMNS = 4
"""The most columns of the grid of awards whose names fit above the grid."""
MAX_FEW_ROWS = 4
"""The most rows in the grid of awards for which its squares are large."""
RENEGE_RULE_ID = "play.renege"
"""The id of the rule on what a renege costs; the form asks about the cost if a game has this rule."""


@dataclass(frozen=True, kw_only=True)
class BidView:
    """The buttons for bidder and bid, and a field for bids without a button.

    All are empty if a board enters bidder and bid with one tap.
    """

    people: tuple[Choice, ...] = ()
    """The players or sides who may be the bidder; empty if a board enters the bidder."""
    bids: tuple[Choice, ...] = ()
    """The bids that have a button."""
    other: OtherNumber | None = None
    """The field for a bid without a button; `None` if every bid has a button."""


@dataclass(frozen=True, kw_only=True)
class AuctionView:
    """An auction entered call by call: who calls next, and with which calls; or how it ended."""

    next_caller: str | None = None
    """The id of the player who calls next; `None` if the bidding is over or the dealer unknown."""
    outcome: str = ""
    """How the bidding ended, in words; empty until it has ended."""
    choices: tuple[Choice, ...] = ()
    """The calls of this game, each marked if it is not allowed now; empty if nobody calls next.

    In a game with many bids, only the likely numbers are among them.
    """
    other: OtherNumber | None = None
    """The field and button for a bid that has no button; `None` if every allowed bid has one."""
    why_no_pass: str = ""
    """Why the next caller may not pass; empty if passing is allowed."""


@dataclass(frozen=True, kw_only=True)
class AwardRow:
    """A row of the grid of awards, for one award or for several alike cards."""

    award_id: AwardId
    name: str
    points: int
    """The points of the award, or of each alike card."""
    awards: tuple[AwardId, ...]
    """The awards of the row: one for each alike card, or a single one."""
    face: CardFace
    taker: str
    """The column that took the award or the first of alike cards, or `nobody`; empty if unknown."""
    copies: Mapping[str, int]
    """How many of the alike cards each column, or `nobody`, took; empty for a single award."""
    fault: str
    """Why the takers in this row are refused; empty if they are not."""
    cited: CitedRules


@dataclass(frozen=True, kw_only=True)
class HandView:
    """The values that the hand templates show."""

    counted_cards: ClassVar = tuple((rank, RANK_NAMES[rank], points) for rank, points in CARD_POINTS.items())
    """The rank, its name and its points, for each rank that has card points."""
    max_cards_of_rank: ClassVar[int] = MAX_CARDS_OF_RANK
    """The most cards of one rank that can be tapped in a pile."""
    penalty_length: ClassVar[int] = len(str(MAX_PENALTY))
    """The most digits of a penalty."""

    citations: Citations
    """The rules of this hand with their numbers, to cite on the page."""
    sheet_url: str
    """The URL of the rule sheet."""
    fault_of: Callable[..., str]
    """Returns the message of the first fault in fields with these names or in their parts; empty without one."""

    asks_dealer: bool
    """Whether "Who dealt?" is among the questions that are seldom needed."""
    is_other_dealer: bool
    """Whether the entered dealer is not the player whose turn to deal it was."""
    dealer_question: QuestionView
    auction: AuctionView | None
    """The auction; `None` if the bid is entered without calls."""
    bid: BidView | None
    """The buttons for bidder and bid; `None` if calls are entered or there is no bidding."""
    asks_trump: bool
    """Whether the form asks for the trump suit."""
    questions: tuple[QuestionView, ...]
    """The questions after the bidding that this game or bid needs, such as for the called partner."""

    rows: tuple[AwardRow, ...]
    """The rows of the grid of awards; none if points are entered, or before the play."""
    award_grid_classes: str
    """The CSS classes of the grid of awards, which depend on its size."""
    points_questions: tuple[QuestionView, ...]
    """A question for each column whose points count; none if takers are entered, or before the play."""

    unplayed_reason: str = ""
    """Why the hand was not played, on the page "Who won?"; else empty."""
    all_passed_action: str
    """What to offer for a hand in which all passed: `redeal`, `take_set` or `unbound`; empty for nothing."""
    may_misdeal: bool
    """Whether a misdeal can be entered, which is not offered to correct a played hand."""
    sides_to_go_set: tuple[SideView, ...] = ()
    """The sides to choose from as the dealer's side, if the dealer went set instead of bidding."""
    asks_overtook: bool
    """Whether the form asks if the dealer outbid a player who had already led a card."""
    forfeits: QuestionView | None
    """The question of what a renege costs besides points; `None` without a rule on it and without an answer."""


def fault_message(faults: Sequence[Fault], *fields: str) -> str:
    """Return the message of the first fault in these fields or their parts; empty without one."""
    wrong = (item for name in fields for item in faults if f"{item.field}.".startswith(f"{name}."))
    return next((item.message for item in wrong), "")


def hand_view(form: HandForm, sheet_url: str, faults: tuple[Fault, ...]) -> HandView:
    """Return the values of the hand templates; `sheet_url` is the URL of the rule sheet.

    The fields show the messages of their `faults`.
    """
    hand, citations, seats = form.hand, citations_of(form), form.hand.before.seats
    fault_of = partial(fault_message, faults)
    # The questions after the bidding are shown once it is over, if the hand is played.
    asks_play, by_points = hand.asks_play, hand.input.by_points
    # The rules have it whether or not the match has a page with them.
    renege_rules = citations_of_ruleset(hand.before.ruleset).first_rule(RENEGE_RULE_ID)
    has_renege_rule = any(rule.id == RENEGE_RULE_ID for rule in renege_rules)
    # A side that dealt, where its player is unknown, stays chosen; an auction needs the player.
    dealing_sides = () if hand.by_auction else ({*seats.ids} - {*seats.chairs}) & {hand.dealer}
    dealers = _player_choices(form, (*seats.chairs, *dealing_sides), hand.dealer)
    return HandView(
        citations=citations,
        sheet_url=sheet_url,
        fault_of=fault_of,
        asks_dealer=hand.implies_dealer or not hand.by_auction,
        is_other_dealer=hand.input.dealer not in ("", hand.before.dealer),
        dealer_question=QuestionView(field="dealer", question="Who dealt?", choices=dealers, fault=fault_of("dealer")),
        auction=auction_view(form) if hand.by_auction else None,
        bid=None if hand.by_auction else bid_view(form),
        asks_trump=asks_play,
        questions=tuple(_later_questions(form, citations, fault_of)) if asks_play else (),
        rows=() if by_points or not asks_play else tuple(_award_rows(hand, citations, fault_of)),
        award_grid_classes=_award_grid_classes(form),
        points_questions=tuple(_points_questions(form, fault_of("points"))) if asks_play and by_points else (),
        all_passed_action=hand.all_passed_action,
        may_misdeal=not (hand.corrected_hand and hand.corrected_hand.is_played),
        asks_overtook=hand.ruleset.bidding.pitching and not hand.by_auction,
        forfeits=_forfeits_question(form) if has_renege_rule or hand.input.forfeits else None,
    )


def citations_of(form: HandForm) -> Citations:
    """Return the rules of a hand, numbered to be cited; none if no page of the match has them any more."""
    rules, match = form.hand.before.ruleset, form.match
    has_page = rules == match.state.ruleset or hand_uid_of_earlier_rules(match, rules) is not None
    return citations_of_ruleset(rules) if has_page else NO_CITATIONS


# ---------- the bid on a board ----------


def has_many_bids(ruleset: Ruleset) -> bool:
    """Return whether a game has too many bids for each to have a button."""
    return len(ruleset.bids) > MAX_BID_BUTTONS


def likely_numbers(numbers: Sequence[int], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return the ascending `numbers` that get a button: all, or if they are too many, the likely ones.

    Likely are the lowest, the highest and round ones, then those `wanted`, the first ones first.
    """
    if len(numbers) <= MAX_LIKELY_BIDS:
        return tuple(numbers)
    rounded = ({numbers[0], numbers[-1], *(number for number in numbers if number % step == 0)} for step in ROUND_STEPS)
    likely = next(found for found in rounded if len(found) <= MAX_LIKELY_BIDS - MIN_EARLIER_BIDS)
    for number in wanted:
        if len(likely) < MAX_LIKELY_BIDS and number in numbers:
            likely.add(number)
    return tuple(sorted(likely))


def bid_view(form: HandForm) -> BidView | None:
    """Return the buttons for bidder and bid, empty if a board enters both; `None` in a hand without a bid."""
    hand = form.hand
    if not hand.ruleset.bids or hand.is_unbound:
        return None
    if hand.has_bid_board:
        return BidView()
    bids, entered = _shown_bids(hand), hand.input.bid
    typed = "" if entered in map(str, bids) else entered
    return BidView(
        people=() if hand.asks_pair else _player_choices(form, hand.bidding_order, hand.input.bidder),
        bids=tuple(
            _call_choice(
                bid,
                value=str(bid),
                spoken=bid_word(bid) if isinstance(bid, str) else "",
                is_chosen=entered == str(bid),
            )
            for bid in bids
        ),
        other=_other_bid_field(_numbered_bids(hand.ruleset.bids), typed) if has_many_bids(hand.ruleset) else None,
    )


def _shown_bids(hand: HandInProgress) -> tuple[Bid, ...]:
    """Return the bids that get a button: all, or in a game with many bids the likely numbers and the special bids."""
    bids = hand.ruleset.bids
    if not has_many_bids(hand.ruleset):
        return bids
    earlier_bids = (result.bid for result in reversed(hand.before.results))
    return (*likely_numbers(_numbered_bids(bids), _numbered_bids(earlier_bids)), *hand.ruleset.special_bids)


def _numbered_bids(bids: Iterable[Call | None]) -> tuple[int, ...]:
    """Return the bids that are numbers."""
    return tuple(bid for bid in bids if isinstance(bid, int))


def _other_bid_field(numbers: Sequence[int], value: str) -> OtherNumber:
    """Return the field for a bid without a button, one of the `numbers`, filled in with the text `value`."""
    label = f"Another bid, {numbers[0]} to {numbers[-1]}"
    return OtherNumber(field=TYPED_BID_FIELD, label=label, value=value, max_length=len(str(numbers[-1])))


def _call_choice(
    call: Call, *, value: str, spoken: str, is_chosen: bool = False, is_disallowed: bool = False
) -> Choice:
    """Return the button of a call; `is_disallowed` marks one that is not allowed now."""
    icon = {"moon": "moon", "double_moon": "moons"}.get(str(call), "")
    return Choice(
        value=value, label=call_word(call), icon=icon, spoken=spoken, is_chosen=is_chosen, is_disallowed=is_disallowed
    )


def _player_choices(form: HandForm, people: Sequence[str], chosen: str | None) -> tuple[Choice, ...]:
    """Return a button for each player or side in `people`, with the color of the side."""
    return tuple(
        Choice(value=who, label=form.name(who), is_chosen=who == chosen, side=form.side_of(who)) for who in people
    )


# ---------- call by call ----------


def auction_view(form: HandForm) -> AuctionView:
    """Return the next calls to choose from, or how the bidding ended; empty if the dealer is unknown."""
    hand, bidding = form.hand, form.hand.running_auction
    if bidding is None:
        return AuctionView()
    if (caller := bidding.next_caller) is None:
        return AuctionView(outcome=auction_words(bidding.auction, form.names))
    every_call = possible_calls(hand.ruleset)
    why_not = {call: call_objection(hand.ruleset, bidding.auction, caller, call) for call in every_call}
    shown, other = every_call, None
    if has_many_bids(hand.ruleset):
        numbers = _numbered_bids(call for call in every_call if why_not[call] is None)
        likely = likely_numbers(numbers, numbers)
        shown = tuple(call for call in every_call if isinstance(call, str) or call in likely)
        if len(numbers) > MAX_LIKELY_BIDS:
            other = _other_bid_field(numbers, _call_to_correct(bidding, hand))
    no_pass = why_not[PASS]
    return AuctionView(
        next_caller=caller,
        choices=tuple(
            _call_choice(
                call,
                value=f"{len(bidding.calls)}:{caller}:{call}",
                spoken=f"{form.name(caller)}: {call_word(call)}",
                is_disallowed=why_not[call] is not None,
            )
            for call in shown
        ),
        other=other,
        why_no_pass=no_pass.with_names(form.names).message if no_pass else "",
    )


def _call_to_correct(bidding: RunningAuction, hand: HandInProgress) -> str:
    """Return the typed call that is not allowed, to show it in its field again; empty without one."""
    _, call = hand.input.calls[len(bidding.calls)] if bidding.refusal else ("", PASS)
    return "" if call in possible_calls(hand.ruleset) and isinstance(call, str) else str(call)


# ---------- the other questions of a game, or of a bid ----------


def _later_questions(form: HandForm, citations: Citations, fault_of: Callable[[str], str]) -> Iterator[QuestionView]:
    """Yield the questions that follow the bidding, such as who the partner is."""
    hand, entered = form.hand, dict(form.hand.input.filled_fields())

    def ask(field: str, question: str, answers: Mapping[str, str], rule: str, note: str = "") -> QuestionView:
        cited, chosen = citations.first_rule(rule), entered.get(field, "")
        return labeled_question(field, question, answers, chosen, note=note, fault=fault_of(field), cited=cited)

    if hand.asks_partner:
        rules = hand.ruleset
        off_trumps = [
            award.name for name, award in rules.in_play.items() if isinstance(rules.trump_by_award[name], OffTrump)
        ]
        jokers = map(str.title, JOKERS_BY_NUMBER[rules.points.jokers])
        cards = (*rules.cards.deck_ranks, *off_trumps, *jokers, *filter(None, [hand.input.called]))
        yield ask("called", "Which card was called?", {card: card for card in cards}, "trump.call", "or skip it")
        if not hand.asks_pair:
            partner = hand.input.partner
            others = [who for who in hand.bidding_order if who != hand.contract.bidder]
            alone = Choice(value=ALONE, label="nobody: alone", is_chosen=partner == ALONE)
            yield QuestionView(
                field="partner",
                question="Who held it?",
                choices=(*_player_choices(form, others, partner), alone),
                fault=fault_of("partner"),
                cited=citations.first_rule("trump.call"),
            )
    if hand.asks_tricks:
        bidders = form.columns[hand.bidding_column].name if hand.bidding_column else "the bidders"
        answers = {"yes": "yes, every one", "no": "no"}
        yield ask("all_tricks", f"Did {bidders} take every trick?", answers, f"bid.{hand.contract.bid}")
    if hand.possible_first_sides:
        pegged = {side: form.name(side) for side in hand.possible_first_sides}
        yield ask("first_there", hand.pegged_first_question, pegged, "win.pegged")


def _forfeits_question(form: HandForm) -> QuestionView:
    """Return the question of what a renege costs besides points; the entered answer is always among its options."""
    rules, entered = form.hand.ruleset, dict(form.input.filled_fields()).get("forfeits", "none")
    labels = {"none": "nothing"}
    for side, view in form.sides.items():
        if rules.game_award in rules.in_play:
            labels[f"{side}:game"] = f"{view.name} can’t score {renege_cost(rules)}"
        labels[f"{side}:match"] = f"{view.name} {verb_for(form.hand.before.seats, [side], 'lose')} the match"
    labels.setdefault(entered, entered)
    return labeled_question("forfeits", "What else does a renege cost?", labels, entered)


# ---------- who took what ----------


def _award_rows(hand: HandInProgress, citations: Citations, fault_of: Callable[[str], str]) -> Iterator[AwardRow]:
    """Yield the rows of the grid of awards, one for each award or for several alike cards."""
    ruleset, takers = hand.ruleset, hand.takers
    for award_id, awards in ruleset.award_rows.items():
        yield AwardRow(
            award_id=award_id,
            name=ruleset.in_play[award_id].name,
            points=ruleset.in_play[award_id].points,
            awards=awards,
            face=card_face(ruleset.kinds[award_id], ruleset.how_won(award_id)),
            taker=takers.get(award_id, ""),
            copies={who: _copies_taken(hand.input, awards, who) for who in (*hand.columns, NOBODY)}
            if len(awards) > 1
            else {},
            fault=fault_of(f"taken.{award_id}"),
            cited=citations.award_rules(award_id),
        )


def _copies_taken(entered: HandInput, awards: Sequence[AwardId], who: str) -> int:
    """Return how many of several alike cards the column `who` took: by takers, or as typed if too many."""
    typed = parse_number_or_text(entered.excess_copies.get(f"{'.'.join(awards)}-{who}", ""))
    return typed if isinstance(typed, int) else sum(entered.taken.get(award) == who for award in awards)


def _award_grid_classes(form: HandForm) -> str:
    """Return the CSS classes of the grid of awards, by its numbers of columns and rows."""
    columns = form.columns.values()
    few = " few" if len(form.hand.ruleset.award_rows) <= MAX_FEW_ROWS else ""
    is_numbered = len(columns) > MAX_NAMED_COLUMNS and all(side.letter.isdecimal() for side in columns)
    return f"by{len(columns)} c{len(columns)}{few}{' numbered' if is_numbered else ''}"


def _points_questions(form: HandForm, fault: str) -> Iterator[QuestionView]:
    """Yield a question for the points of each column that has a field; the first one shows the `fault`."""
    hand = form.hand
    answers = {str(n): str(n) for n in range(hand.ruleset.points_per_hand + 1)}
    for who in hand.counted_columns:
        field, name = f"{POINTS_PREFIX}{who}", form.columns[who].name
        yield labeled_question(field, name, answers, hand.input.points.get(who, ""), fault=fault)
        fault = ""
