"""The hand in progress: the values that follow from its input by the rules, and the input that is still missing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.eventlog.stream import HandRefused, refuse_any
from scorekeeper.matches.fold import unplayed_hand
from scorekeeper.pages.hand.input import (
    AWARD_PREFIX,
    NOBODY,
    PENALTY_PREFIX,
    POINTS_PREFIX,
    SKIPPED_TRUMP,
    TIMES_PREFIX,
    HandInput,
)
from scorekeeper.pitch.rules.awards import SUITS, AwardId
from scorekeeper.pitch.rules.entered_text import parse_number_or_text
from scorekeeper.pitch.rules.faults import Refusal
from scorekeeper.pitch.rules.phrases import award_row_name
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import Auction, is_played_without_bid, run_auction, take_set_calls
from scorekeeper.pitch.scoring.award_cards import dealing_side, game_groups_by_count, given_award_sides, with_last_pile
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, TAKE_SET, Calls, Contract, Hand, SideId
from scorekeeper.pitch.scoring.hand_score import HandScore, needs_every_trick
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, play
from scorekeeper.pitch.scoring.outcome import turned_card_winner
from scorekeeper.pitch.scoring.seats import (
    HandSides,
    clockwise_after,
    dealer_by_calls,
    divide_sides,
    find_group,
    sums_by_group,
)
from scorekeeper.pitch.scoring.standing import target_score
from scorekeeper.pitch.text.phrases import Names, bid_word

MAX_BOARD_BIDS = 5
"""The most bids for which a board has a square for each bid beside each player's name."""
MAX_BOARD_PLAYERS = 8
"""The most players for whom a board leaves enough room on the screen."""
_FIELDS_WITHOUT_QUESTION = ("house", "house_on", "note")
"""The fields of a stored hand that a correction leaves unchanged, as no form has them."""


@dataclass(frozen=True)
class RunningAuction:
    """An auction entered call by call, up to the first call that is not allowed."""

    auction: Auction
    calls: Calls
    """The calls before the first one that is not allowed."""
    refusal: Refusal | None = None
    """Why the call after `calls` is not allowed; `None` if all entered calls are allowed."""

    @property
    def next_caller(self) -> str | None:
        """The player who calls next; `None` if the bidding is over."""
        return next(iter(self.auction.waiting_players), None)


@dataclass(frozen=True)
class HandInProgress:
    """A hand while it is entered or corrected, and what follows from its input, the rules and the match before it.

    Players and sides are ids. A column is what points are entered for: a side, or, where several defending sides count
    together, `bidders` or `defenders`.
    """

    before: MatchState
    """The state of the match before the hand."""
    input: HandInput
    corrected_hand: Hand | None = None
    """The stored hand that this one corrects; `None` for a new hand."""

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules of this hand; Game is worth more if a tied Game was carried over to it."""
        return self.before.ruleset.with_carried_points(self.before.carried)

    # ---- Who deals, and the bidding

    def _known_id(self, who: str) -> str | None:
        """Return `who` if it is the id of a player or side in the match; else `None`."""
        return who if self.before.seats.side_of(who) else None

    @cached_property
    def dealer(self) -> str | None:
        """The dealer as entered, else the presumed one; `None` if unknown.

        A side, if the players' seats are unknown.
        """
        return self._known_id(self.input.dealer) or self._presumed_dealer

    @property
    def implies_dealer(self) -> bool:
        """Whether the first call or the order of dealing implies which player deals, whatever dealer was entered."""
        return self._presumed_dealer in self.before.seats.players

    @property
    def _presumed_dealer(self) -> str | None:
        """The dealer by the first call, else by turn; `None` if unknown."""
        return dealer_by_calls(self.before.seats, self.input.calls) or self.before.dealer

    @cached_property
    def bidding_order(self) -> tuple[str, ...]:
        """The players clockwise from the left of the dealer, if known; the sides if the players' seats are unknown."""
        seats = self.before.seats
        return clockwise_after(seats.players, self.dealer) or seats.ids

    @property
    def can_enter_calls(self) -> bool:
        """Whether calls can be entered one by one: the rules have an auction, and the seats are known."""
        return self.ruleset.bidding.auction and bool(self.before.seats.players)

    @property
    def by_auction(self) -> bool:
        """Whether the auction is entered call by call: the input has this mode, and the rules and seats allow it."""
        return self.input.by_auction and self.can_enter_calls

    @cached_property
    def running_auction(self) -> RunningAuction | None:
        """The auction up to the first call that is not allowed, in any mode of entry.

        `None` if the rules have no auction, or if it is unknown which player deals.
        """
        calls = self.input.calls
        if not self.can_enter_calls or self.dealer is None or self.dealer not in self.before.seats.players:
            return None
        auction, fault = run_auction(self.ruleset, self.before.seats, self.dealer, calls)
        allowed = int(fault.field.removeprefix("auction.")) if fault else None
        return RunningAuction(auction, calls[:allowed], fault)

    @property
    def call_refusal(self) -> Refusal | None:
        """Why the first call that is not allowed is refused; `None` if all are allowed or no calls are entered."""
        return self.running_auction.refusal if self.by_auction and self.running_auction else None

    @property
    def calls_to_keep(self) -> Calls:
        """The calls to put back into the form: all entered ones, except a last one that is not allowed."""
        calls = self.input.calls
        # If more are not allowed, another dealer was chosen: the calls are kept in case that is undone.
        is_only_last_refused = self.running_auction is not None and len(self.running_auction.calls) == len(calls) - 1
        return calls[:-1] if is_only_last_refused else calls

    @property
    def is_bidding(self) -> bool:
        """Whether an auction is entered call by call and still going on; later questions are hidden meanwhile."""
        return self.by_auction and not (self.running_auction and self.running_auction.auction.is_over)

    @property
    def ended_unplayed(self) -> bool:
        """Whether the calls ended the hand without play: all passed, or the dealer took the set."""
        return self.by_auction and not self.is_bidding and self.contract.bidder is None and not self.is_unbound

    @cached_property
    def is_unbound(self) -> bool:
        """Whether the hand is played without a bid, as all passed and the rules say so."""
        if self.by_auction:
            all_passed = self.running_auction is not None and self.running_auction.auction.all_passed
        else:
            all_passed = self.input.is_unbound
        return all_passed and is_played_without_bid(self.ruleset, Contract())

    @property
    def all_passed_action(self) -> str:
        """What to offer for a hand in which all passed: `redeal`, `take_set` or `unbound`; empty for nothing.

        With `take_set` the dealer goes set instead of bidding; with `unbound` the hand is played without a bid.
        """
        if not self.ruleset.bidding.auction or (self.by_auction and not self.is_bidding):
            return ""
        match self.ruleset.bidding.all_pass:
            case "redeal" | "pass_deal" | None:
                return "redeal"
            case "may_take_set" if self.before.seats.players:
                return "take_set"
            case "unobliged" if not self.by_auction:
                return "unbound"
            case _:
                return ""

    @property
    def asks_play(self) -> bool:
        """Whether the form asks about the play: the bidding is over, and its calls did not end the hand unplayed.

        Whether the hand was thrown in, such as for a misdeal, does not matter.
        """
        return not self.is_bidding and not self.ended_unplayed

    @cached_property
    def contract(self) -> Contract:
        """The bidder and bid so far; empty during an auction call by call, and in a hand without a bid."""
        if self.is_bidding or self.is_unbound:
            return Contract()
        if not (self.by_auction and self.running_auction):
            return Contract(self._known_id(self.input.bidder), self.input.bid_value)
        auction = self.running_auction.auction
        return Contract(auction.bidder, auction.bid, auction.overtook_pitch)

    @property
    def has_bid_board(self) -> bool:
        """Whether bids and players are few enough for a board, on which one tap enters bidder and bid."""
        return len(self.ruleset.bids) <= MAX_BOARD_BIDS and len(self.bidding_order) <= MAX_BOARD_PLAYERS

    @property
    def asks_partner(self) -> bool:
        """Whether the form asks which card the bidder called, and which partner held it."""
        return self.ruleset.table.called and not self.is_unbound

    @property
    def asks_pair(self) -> bool:
        """Whether a board enters bidder and partner with one tap, and the bid follows with another."""
        return self.asks_partner and not self.by_auction and len(self.ruleset.bids) > MAX_BOARD_BIDS

    @property
    def asks_tricks(self) -> bool:
        """Whether the form asks if the bidding side took every trick, as its bid needs all of them."""
        return needs_every_trick(self.ruleset, self.contract)

    @property
    def has_complete_bid(self) -> bool:
        """Whether bidder and bid are entered, trump is entered or skipped, and with `asks_pair`, the partner too."""
        has_trump = self.input.trump in (*SUITS, SKIPPED_TRUMP)
        return self.contract.is_bid and has_trump and bool(self.input.partner or not self.asks_pair)

    # ---- Who can take what

    @cached_property
    def _hand_sides(self) -> HandSides:
        """The sides of this hand, in groups that share their points; the bidders' group comes first."""
        partner = self._known_id(self.input.partner)
        return divide_sides(self.ruleset, self.before.seats, self.contract.bidder, partner)

    @property
    def has_roles(self) -> bool:
        """Whether the columns are `bidders` and `defenders`, rather than sides."""
        return self.ruleset.pools_defenders and len(self.before.seats.sides) > 2 and not self.is_unbound

    @property
    def sides_in_rows(self) -> tuple[SideId, ...]:
        """The sides in the order of the form's rows: in bidding order if all play alone, else in their usual order."""
        ids = self.before.seats.ids
        return self.bidding_order if set(self.bidding_order) == set(ids) else ids

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that can take points: the sides, or `bidders` and `defenders`."""
        return (BIDDERS, DEFENDERS) if self.has_roles else self.sides_in_rows

    @property
    def bidding_sides(self) -> tuple[SideId, ...]:
        """The sides that play for the bid, the bidder's first; empty until there is a bidder."""
        return self._hand_sides.bidders

    @property
    def bidding_column(self) -> str | None:
        """The column of the bidding side; `None` until there is a bidder."""
        if not self.bidding_sides:
            return None
        return BIDDERS if self.has_roles else self.bidding_sides[0]

    @property
    def counted_columns(self) -> tuple[str, ...]:
        """The columns with a field for points: all, or only the bidding side's once known, if no others count."""
        if self.ruleset.only_bidder_counts and self.bidding_column:
            return (self.bidding_column,)
        return self.columns

    @property
    def open_columns(self) -> tuple[str, ...]:
        """The columns whose field for points is empty."""
        return tuple(who for who in self.counted_columns if who not in self.input.points)

    @property
    def has_open_points(self) -> bool:
        """Whether a taker is still missing, or the points of a column if points are entered."""
        return bool(self.open_columns if self.input.by_points else self.open_awards)

    @property
    def assumed_points(self) -> Mapping[str, str]:
        """The points to suggest in empty fields, by field, once another field is filled.

        They are the points left if one field is empty, or 0 if no points are left.
        """
        if not (self.asks_play and self.input.by_points and len(self.open_columns) < len(self.counted_columns)):
            return {}
        is_certain = len(self.open_columns) == 1 or not self.points_left
        return {f"{POINTS_PREFIX}{who}": str(self.points_left) for who in self.open_columns if is_certain}

    @cached_property
    def _game_groups(self) -> tuple[int, ...] | None:
        """The indexes of the groups of sides that score Game by the card points; `None` if still undecided.

        Empty if nobody scores Game.
        """
        seats, sides = self.before.seats, self._hand_sides
        typed = {who: parse_number_or_text(text) for who, text in self.input.card_points.items()}
        numbers = {who: number for who, number in typed.items() if isinstance(number, int)}
        counts, faults = sums_by_group(seats, sides, numbers)
        if faults or len(numbers) < len(typed) or not (counts and self.ruleset.card_points_award):
            return None
        if "game" in self.input.forfeits.values():
            return None
        piles = with_last_pile(self.ruleset, seats, sides, counts)
        dealing = dealing_side(self.ruleset, seats, self.dealer, self.input.taken)
        return game_groups_by_count(self.ruleset, seats, sides, piles, dealing)

    @property
    def derived_game_taker(self) -> str:
        """The column that scores Game by the card points entered, or `nobody`; empty if undecided or shared."""
        groups = self._game_groups
        if groups is None or len(groups) > 1:
            return ""
        found = (who for who in self.columns if find_group(self.before.seats, self._hand_sides, who, "") in groups)
        return next(found, NOBODY)

    @property
    def takers(self) -> Mapping[AwardId, str]:
        """The taker of each award as entered; that of Game may follow from the card points instead."""
        game, taken = self.ruleset.card_points_award, self.input.taken
        return {game: self.derived_game_taker, **taken} if game and self.derived_game_taker else taken

    def has_same_game_taker(self, fields: Mapping[str, str]) -> bool:
        """Return whether posted fields have this hand's taker of Game; true in rules without Game by card points."""
        game = self.ruleset.card_points_award
        return game is None or self.takers.get(game, "") == fields.get(f"{AWARD_PREFIX}{game}", "")

    @cached_property
    def open_awards(self) -> tuple[AwardId, ...]:
        """The awards whose taker must still be entered; none if a card turned up has won the match."""
        taken, ruleset, before = self.input.taken, self.ruleset, self.before
        given = given_award_sides(ruleset, before.seats, taken)
        if turned_card_winner(ruleset, before.scores, before.reached_by_two, given) is not None:
            return ()  # a card turned up has won the match, so the hand is not played
        is_game_counted = len(self.input.card_points) >= len(self.columns) or self._game_groups is not None
        replaced = (
            card for caught, card in ruleset.replaced_award_by_caught.items() if taken.get(caught, NOBODY) != NOBODY
        )
        not_missing = {*taken, *ruleset.rare_awards, *replaced, ruleset.card_points_award if is_game_counted else None}
        not_missing = not_missing.union(*(ruleset.award_rows[award_id] for award_id in self._overfull_rows))
        return tuple(award for award in ruleset.in_play if award not in not_missing)

    @property
    def _overfull_rows(self) -> tuple[AwardId, ...]:
        """The rows of alike cards with more cards entered than the deck has, each by its first award."""
        typed = {name.rpartition("-")[0] for name in self.input.excess_copies}
        return tuple(award_id for award_id, row in self.ruleset.award_rows.items() if ".".join(row) in typed)

    @property
    def points_left(self) -> int:
        """The number of points without a taker; 0 if only the bidding side's points are entered."""
        if not self.input.by_points:
            return sum(self.ruleset.in_play[award].points for award in self.open_awards)
        if len(self.counted_columns) < 2:
            return 0
        counts = self.input.points_by_column
        return max(self.ruleset.points_per_hand - sum(counts.get(who, 0) for who in self.columns), 0)

    def with_rest(self, who: str) -> HandInput:
        """Return the input with all missing takers, or all points that are left, given to the column `who`.

        If points are entered, other columns without a number get 0. The input is unchanged if one is mistyped.
        """
        entered, counts = self.input, self.input.points_by_column
        if not entered.by_points:
            return replace(entered, taken={**dict.fromkeys(self.open_awards, who), **entered.taken})
        if len(counts) < len(entered.points):  # what is left is not known
            return entered
        left = {who: self.points_left}
        points = {column: str(counts.get(column, 0) + left.get(column, 0)) for column in self.counted_columns}
        return replace(entered, points={**entered.points, **points})

    def compute_points(self, score: HandScore | None) -> Mapping[str, int]:
        """Return the points of each column: from the `score` if it has points for each column, else from the input."""
        groups = self._hand_sides.groups
        if score and self.has_roles:
            return {who: score.points[group[0]] for who, group in zip(self.columns, groups, strict=True)}
        if score and all(len(group) == 1 for group in groups):
            # For a complete hand the score is right, as it includes Game by the card points.
            return score.points
        if self.input.by_points:
            return self.input.points_by_column
        points: dict[str, int] = {}
        for award_id, who in self.takers.items():
            if award_id in self.ruleset.in_play:
                points[who] = points.get(who, 0) + self.ruleset.in_play[award_id].points
        return points

    # ---- The hand to store

    def to_hand(self) -> Hand:
        """Return the hand to store; raises `HandRefused` for an input that is not a valid hand."""
        hand = self._to_hand_as_entered()
        return hand if hand.first_there is None or self.possible_first_sides else replace(hand, first_there=None)

    @cached_property
    def possible_first_sides(self) -> tuple[SideId, ...]:
        """The sides among which the form must ask who pegged the target first; else none."""
        if not (self.ruleset.winning.pegged and self.asks_play) or (self.open_awards and not self.input.by_points):
            return ()
        try:
            question = play(self.before, replace(self._to_hand_as_entered(), first_there=None)).question
        except (HandRefused, ImpossibleHand):
            return ()
        return question.winners if question and not question.awards else ()

    @property
    def pegged_first_question(self) -> str:
        """The text of the question which side pegged the target first."""
        return f"Who pegged {target_score(self.ruleset)} first?"

    def _to_hand_as_entered(self) -> Hand:
        """Return the hand to store, with a posted `first_there` even if the form asks none; raises `HandRefused`."""
        self._refuse_excess_copies()
        entered = self.input.to_hand()
        if not self.asks_tricks:  # the answer belongs to a bid that was taken back
            entered = replace(entered, all_tricks=None)
        if self.input.thrown_in == TAKE_SET:
            return unplayed_hand(entered, auction=take_set_calls(self.before.seats, self.dealer))
        if entered.thrown_in == "ran_out":
            # Cards turned up score even if the hand is not played.
            taken, scored = self.input.taken.items(), self.repeatable_awards
            turned = {award: who for award, who in taken if award in scored and who != NOBODY}
            entered = replace(entered, taken=turned or None, times=entered.times if turned else None)
        hand, corrected = entered if entered.thrown_in else self._with_calls(entered), self.corrected_hand
        unchanged = {name: getattr(corrected, name) for name in _FIELDS_WITHOUT_QUESTION} if corrected else {}
        return replace(hand, dealer=self._dealer_to_store(hand), **unchanged)

    def _with_calls(self, hand: Hand) -> Hand:
        """Return the hand with the calls that led to its bid, if they were entered before the mode changed.

        A hand that ended with its auction becomes unplayed.
        """
        if self.ended_unplayed:
            return unplayed_hand(hand, dealer=hand.dealer, auction=hand.auction)
        auction = self.running_auction.auction if self.running_auction and not self.by_auction else None
        if auction is None or not (auction.is_over and auction.bidder):
            return hand
        called = Contract(auction.bidder, auction.bid, auction.overtook_pitch)
        if called != Contract(hand.bidder, hand.bid, bool(hand.overtook_pitch)):
            return hand
        return replace(hand, auction=self.input.calls, bidder=None, bid=None, overtook_pitch=None)

    def _dealer_to_store(self, hand: Hand) -> str | None:
        """Return the dealer to store with a hand; `None` if the order of dealing is enough.

        A correction keeps what is stored, unless the dealer changes.
        """
        corrected, by_calls = self.corrected_hand, dealer_by_calls(self.before.seats, hand.auction or ())
        if corrected and corrected.dealer and corrected.dealer == (hand.dealer or self.before.dealer):
            return corrected.dealer
        if corrected and corrected.dealer is None and hand.dealer == by_calls:
            return None
        return None if hand.dealer == self.before.dealer and by_calls in (None, hand.dealer) else hand.dealer

    def _refuse_excess_copies(self) -> None:
        """Raise `HandRefused` if more alike cards were entered than the deck has."""
        for award_id in self._overfull_rows:
            if self.asks_play and not (self.input.by_points or self.input.thrown_in):
                number, name = len(self.ruleset.award_rows[award_id]), award_row_name(self.ruleset, award_id)
                why = f"There are {number} {name}: enter how many each took, {number} in all."
                refuse_any([Refusal(f"taken.{award_id}", "too_many_cards", why)], HandRefused)

    @property
    def repeatable_awards(self) -> tuple[AwardId, ...]:
        """The awards for a card turned up, if each such card scores; else none."""
        return self.ruleset.turned_awards if self.ruleset.points.turned_cards == "each" else ()


# ---------- what a hand needs before it can be saved, in the order of its page's questions ----------


MAX_NAMED_AWARDS = 3
"""The most rows of awards to name on the save button if takers are missing; "…" stands for the rest."""


@dataclass(frozen=True)
class Requirement:
    """An input that the form needs before the hand can be saved: whether it is there, how to ask for it, and where."""

    is_met: bool
    label: Callable[[Names], str]
    """Returns the text of the save button while the input is missing, given names by id."""
    target: str
    """The id of the HTML element where the input is entered."""


def first_missing(requirements: Iterator[Requirement]) -> Requirement | None:
    """Return the first requirement that is not met; `None` if all are."""
    return next((required for required in requirements if not required.is_met), None)


def hand_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield the inputs that a hand needs, met or not, in the order of the questions."""
    if not hand.ended_unplayed:
        yield from bid_requirements(hand)
        yield from _play_requirements(hand)


def bid_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield the inputs that the bidding needs, and then those that the bid needs, such as the partner."""
    entered, bid = hand.input, hand.input.bid_value
    if hand.by_auction:
        caller = hand.running_auction.next_caller if hand.running_auction else None
        yield Requirement(hand.running_auction is not None, lambda _: "Who dealt?", "dealer")
        yield Requirement(caller is None, lambda names: f"{names[caller or '']} to bid", "q-bid")
    elif hand.ruleset.bidding.auction and not hand.is_unbound:
        bidder = entered.bidder
        yield Requirement(bool(bidder) or bid is not None, lambda _: "Tap who bid, and how much", "q-bid")
        yield Requirement(bool(bidder), lambda _: f"Who bid {bid_word(bid)}?", "q-bid")
        yield Requirement(bool(entered.bid), lambda names: f"How much did {names.get(bidder, bidder)} bid?", "q-bid")
    if hand.asks_partner:
        partner = "q-bid" if hand.asks_pair else "partner"
        yield Requirement(bool(entered.partner), lambda _: "Who held the called card?", partner)
    if hand.asks_tricks:
        yield Requirement(entered.all_tricks is not None, lambda _: "Every trick, or not?", "all_tricks")


def _play_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield the inputs that the play needs: takers of awards or points of columns, and who pegged the target first."""
    if hand.input.by_points:
        who = next(iter(hand.open_columns), "")
        yield Requirement(not who, lambda names: f"How many did {names[who]} take?", f"{POINTS_PREFIX}{who}")
    elif hand.open_awards:
        rows = _open_rows(hand)
        yield Requirement(False, lambda _: _open_rows_label(hand, rows), f"row-{rows[0]}")
    if hand.possible_first_sides:
        yield Requirement(bool(hand.input.first_there), lambda _: hand.pegged_first_question, "first_there")


def _open_rows(hand: HandInProgress) -> list[AwardId]:
    """Return the rows of awards in which a taker is missing, each by its first award."""
    rows = hand.ruleset.award_rows.items()
    return [award_id for award_id, row in rows if not set(row).isdisjoint(hand.open_awards)]


def _open_rows_label(hand: HandInProgress, rows: list[AwardId]) -> str:
    """Return the save button's text on the points left and the takers of these rows: "3 left: who took Low, Jack?"."""
    names = [award_row_name(hand.ruleset, award_id) for award_id in rows[:MAX_NAMED_AWARDS]]
    more = ("…",) if len(rows) > MAX_NAMED_AWARDS else ()
    return f"{hand.points_left} left: who took {', '.join((*names, *more))}?"


def fault_target(hand: HandInProgress, field: str) -> str:
    """Return the id of the HTML element in which to correct the `field` of a fault; empty if the page has none."""
    name, _, part = field.partition(".")
    bid = "q-bid" if hand.ruleset.bids else ""
    targets = {
        "auction": bid,
        "bidder": bid,
        "bid": bid,
        "partner": "q-bid" if hand.asks_pair else "partner",
        "all_tricks": "all_tricks" if hand.asks_tricks else "",
        "taken": f"row-{part}" if part in hand.ruleset.in_play else "",
        "points": f"{POINTS_PREFIX}{hand.counted_columns[0]}",
        # Card points entered before the mode changed count, but only the other mode shows them.
        "card_points": "way-menu" if hand.input.by_points else "card-points",
        "penalties": f"{PENALTY_PREFIX}{part}",
        "penalties_to": "penalties",
        "forfeits": "penalties",
        "times": f"{TIMES_PREFIX}{part}",
        **{field: field for field in ("dealer", "trump", "called", "first_there")},
    }
    return targets.get(name, "")
