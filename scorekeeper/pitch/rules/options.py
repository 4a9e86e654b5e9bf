"""The house options: their names, their possible answers, how an answer is read, and which answers contradict.

A check looks at a whole ruleset and names the options that exclude each other, with what would resolve it. The rulesets
that come with the program pass every check, so a conflict in house rules was caused by a house's answers, and is
reported at those.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from scorekeeper.pitch.rules.awards import (
    OWN_AWARDS,
    Caught,
    Joker,
    OffTrump,
    OneCard,
    PlainCard,
    Trump,
    parse_kind,
    ways_to_win,
)
from scorekeeper.pitch.rules.fault_codes import ContradictionCode
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import always_two, two_sides
from scorekeeper.pitch.rules.schema import GROUPS, MOST_POINTS, PITCHED_BID, Ruleset, is_option

POINTS_OF_AWARD = (1, 60)
"""The fewest and the most points that a house may give an award."""
LOW = "low"
"""The name of an option, who scores Low, and of an award, what Low is worth."""
ONE_ANSWER = "House rules have one answer for Low: who scores it, or what it is worth. Undo the first one."
NEVER_NONE = ("min_bid",)
"""Options where none only means that the sources leave the answer open."""
SHEET_ALONE = (
    *("dirty", "reverse", "draw", "kitty", "share_the_wealth", "cut", "first_lead", "follow", "misdeal", "burn"),
    *("joker_order", "call", "call_lead", "alone"),
)
"""Options that only the sheet of rules says: what they change happens with the cards, before anything is scored."""


@dataclass(frozen=True, slots=True)
class Option:
    """One house option: its group, and what it may be answered."""

    name: str
    group: str
    adapter: TypeAdapter[Any]
    default: Any
    """The answer of a variant that never had this option."""
    choices: tuple[str, ...]
    """The words to choose from; empty for a number, and for yes or no."""
    is_flag: bool
    may_be_none: bool
    """Whether "none" is an answer."""
    lowest: int | None
    highest: int | None

    def read(self, given: object) -> Any:
        """Return an answer as the ruleset holds it; raises `ValueError` with what is allowed.

        Files and forms may have words for yes, no and none.
        """
        if self.is_flag and given in ("yes", "no"):
            given = given == "yes"
        elif "yes" in self.choices and isinstance(given, bool):
            given = "yes" if given else "no"
        elif self.may_be_none and given == "none":
            given = None
        try:
            return self.adapter.validate_python(given)
        except ValidationError:
            raise ValueError(self.allowed) from None

    @property
    def allowed(self) -> str:
        """The possible answers, in words."""
        if self.is_flag:
            return "yes or no"
        if self.choices:
            return "one of " + ", ".join(self.choices)
        numbers = f"a number from {self.lowest} to {self.highest}"
        return f"none, or {numbers}" if self.may_be_none else numbers


def _option(name: str, group: str, field: FieldInfo) -> Option:
    adapter = TypeAdapter[Any](field.rebuild_annotation(), config={"strict": True})
    schema = adapter.json_schema()
    arms = schema.get("anyOf", [schema])
    words = [word for arm in arms for word in arm.get("enum", ())]
    choices = tuple(word for word in words if isinstance(word, str))
    numbers = [word for word in words if isinstance(word, int)]
    numbers += [arm[bound] for arm in arms for bound in ("minimum", "maximum") if bound in arm]
    return Option(
        name=name,
        group=group,
        adapter=adapter,
        default=field.default,
        choices=choices,
        is_flag=schema.get("type") == "boolean",
        may_be_none={"type": "null"} in arms and not choices,
        lowest=min(numbers, default=None),
        highest=max(numbers, default=None),
    )


@cache
def options() -> Mapping[str, Option]:
    """Return every house option by name; an award is one too, but not among these."""
    found: dict[str, Option] = {}
    for group in GROUPS:
        part = Ruleset.model_fields[group].annotation
        for name, field in part.model_fields.items():  # type: ignore[union-attr]
            if is_option(field):
                found[name] = _option(name, group, field)
    return found


@cache
def may_be_empty() -> frozenset[str]:
    """Return the keys of a ruleset's tables that may be empty."""
    parts = [Ruleset.model_fields[group].annotation for group in (*GROUPS, "cards")]
    return frozenset(
        name
        for part in parts
        for name, field in part.model_fields.items()  # type: ignore[union-attr]
        if type(None) in get_args(field.annotation)
    )


def read_award(given: object) -> bool | int:
    """Return an award's answer, on, off or its points; raises `ValueError` with what is allowed."""
    given = {"yes": True, "no": False}.get(given, given) if isinstance(given, str) else given
    lowest, highest = POINTS_OF_AWARD
    if isinstance(given, bool):
        return given
    if isinstance(given, int) and lowest <= given <= highest:
        return given
    raise ValueError(f"yes, no, or its points from {lowest} to {highest}")


class Contradiction:
    """Options that exclude each other, the likeliest to be changed first."""

    def __init__(self, code: ContradictionCode, message: str, *options: str) -> None:
        self.code = code
        self.message = message
        self.options = options


Check = Callable[[Ruleset], Iterator[Contradiction]]


def contradictions(ruleset: Ruleset, stated: Collection[str] | None = None) -> list[Fault]:
    """Return every contradiction, at the `stated` options of a house or at the paths of a ruleset's own file."""
    faults: list[Fault] = []
    for check in CHECKS:
        for conflict in check(ruleset):
            if stated is None:
                at = [_path(ruleset, conflict.options[0])]
            else:
                # An implied answer is no field of the form: the answers that imply it are reported.
                at = [name for name in conflict.options if name in stated] or list(stated)
            faults.extend(Fault(field, conflict.code, conflict.message) for field in at)
    return faults


def award_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Find awards of no known kind, and ways to win that a kind does not have; no house rule can cause these."""
    for award_id, award in ruleset.awards.items():
        path = f"awards.{award_id}"
        try:
            kind = parse_kind(award_id, award.card)
        except ValueError:
            yield Fault(f"{path}.card", "unknown_card", f"There is no award for {award.card!r}.")
            continue
        if award.won not in ways_to_win(kind):
            ways = ", ".join(ways_to_win(kind))
            yield Fault(f"{path}.won", "cannot_be_won", f"Found {award.won!r}; an award for this is won by {ways}.")


def _path(ruleset: Ruleset, option: str) -> str:
    """Return where an option is in a ruleset's file; what is no option is a key of the file itself."""
    if option in ruleset.awards:
        return f"awards.{option}"
    return f"{options()[option].group}.{option}" if option in options() else option


def _unusual(ruleset: Ruleset, names: Iterable[str]) -> Iterator[str]:
    """Yield those of some options that are not answered by their defaults."""
    return (name for name in names if ruleset.answer(name) != options()[name].default)


def _bid_range(ruleset: Ruleset) -> Iterator[Contradiction]:
    bidding, worth = ruleset.bidding, ruleset.points_per_hand
    if worth == 0:
        played = [award_id for award_id, award in ruleset.awards.items() if award.won != "given"]
        yield Contradiction("no_points", "Every award is switched off: a hand is worth nothing.", *played)
        return
    if (points := sum(award.points for award in ruleset.awards.values() if award.on)) > MOST_POINTS:
        why = f"A hand is worth {points} points; {MOST_POINTS} fit. Give some awards fewer."
        yield Contradiction("too_many_points", why, *ruleset.in_play)
        return
    if not bidding.auction:
        return
    top = bidding.max_bid or worth
    if top > worth:
        yield Contradiction(
            "max_above_offer",
            f"The highest bid is {top}, but a hand is worth only {worth}. Choose 1 to {worth}.",
            "max_bid",
            *ruleset.awards,
        )
    elif ruleset.bottom_number > top:
        worth_or_top = f"a hand is worth only {worth}" if top == worth else f"the highest bid is {top}"
        yield Contradiction(
            "min_above_max",
            f"The lowest bid is {ruleset.bottom_number}, but {worth_or_top}. Choose 1 to {top}.",
            "min_bid",
            "max_bid",
            *ruleset.awards,
        )
    elif bidding.forced_bid and bidding.all_pass == "dealer_forced":
        if bidding.forced_bid > top:
            yield Contradiction(
                "forced_outside",
                f"The dealer is forced to {bidding.forced_bid}, but bids go only to {top}.",
                "forced_bid",
                "min_bid",
                "max_bid",
            )


_NEEDS_BIDDING = (
    "min_bid max_bid forced_bid all_pass dealer_steal rounds smudge pitching double_loss_on_overtake top_bid_again "
    "moon moon_made moon_set double_moon double_moon_made double_moon_set moon_after moon_needs moon_counts_burned "
    "score_on_made defenders_score partner_set_too on_set set_limit moon_cents"
).split()


def _without_bidding(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.has_bidding:
        return
    for name in _unusual(ruleset, _NEEDS_BIDDING):
        yield Contradiction("no_bidding", "Nobody bids in this game, so there is nothing to answer here.", name)
    if ruleset.winning.win_rule == "made_bid":
        yield Contradiction("no_bidding", "Nobody bids in this game, so a win can’t depend on a made bid.", "win_rule")
    if ruleset.winning.tie_rule in ("bidder_first", "bidder_or_play_on", "bidder_then_point_order"):
        yield Contradiction(
            "no_bidding", "Nobody bids in this game, so there is no bidding side to go first.", "tie_rule"
        )
    if ruleset.play.next_dealer == "racehorse":
        yield Contradiction("no_bidding", "Nobody bids in this game, so the bidder cannot deal next.", "next_dealer")


def _direction(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.has_bidding and ruleset.play.next_dealer == "counterclockwise":
        why = "The bidding goes around to the left, and the deal with it."
        yield Contradiction("two_directions", why, "next_dealer")


def _set(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.scoring.on_set == "lose_bid":
        return
    if not always_two(ruleset):
        yield Contradiction("not_two_sides", "Only where two sides play can the other one score a bid.", "on_set")
    if ruleset.pays_by_hand or ruleset.scoring.defenders_score == "none":
        why = "The points of those who did not bid do not count here."
        yield Contradiction("only_bidder_counts", why, "on_set", "defenders_score")


def _special_bids(ruleset: Ruleset) -> Iterator[Contradiction]:
    moon = ruleset.moon
    if moon.moon == "off":
        for name in _unusual(ruleset, (name for name in type(moon).model_fields if name in options())):
            if name != "moon":
                yield Contradiction("moon_off", "Nobody shoots the moon here. Switch the moon on first.", name, "moon")
        return
    if moon.moon == "stake" and not (moon.moon_made and moon.moon_set):
        yield Contradiction("moon_worth", "Say what a moon wins and what it costs.", "moon", "moon_made", "moon_set")
    if moon.moon not in ("stake", "to_minus_four") and moon.moon_made:
        yield Contradiction("moon_no_stake", "This moon is not played for points.", "moon_made", "moon")
    if moon.moon != "stake" and moon.moon_set:
        yield Contradiction("moon_no_stake", "This moon does not cost a fixed number of points.", "moon_set", "moon")
    if moon.moon == "win_or_minus_target" and not ruleset.winning.target:
        yield Contradiction(
            "moon_no_target", "A failed moon costs the target here, but there is no target.", "moon", "target"
        )
    if moon.moon in ("win_or_lose", "win_or_minus_target", "to_minus_four") and ruleset.counts_down:
        yield Contradiction(
            "moon_counting_down", "This moon does not fit counting down to 0.", "moon", "count_down_from"
        )
    if moon.moon == "money" and ruleset.money.moon_cents is None:
        yield Contradiction("moon_cents", "Say how many cents a moon pays.", "moon", "moon_cents")
    if moon.double_moon and moon.moon != "stake":
        yield Contradiction(
            "double_needs_stake", "A double moon outbids a moon played for points.", "double_moon", "moon"
        )
    if moon.double_moon and not (moon.double_moon_made and moon.double_moon_set):
        yield Contradiction(
            "double_worth",
            "Say what a double moon wins and what it costs.",
            "double_moon",
            "double_moon_made",
            "double_moon_set",
        )
    if not moon.double_moon and (moon.double_moon_made or moon.double_moon_set):
        yield Contradiction(
            "double_off", "There is no double moon here.", "double_moon_made", "double_moon_set", "double_moon"
        )


def _money(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.money.moon_cents and ruleset.moon.moon != "money" and ruleset.has_bidding:
        yield Contradiction("moon_pays_nothing", "The moon pays no money here.", "moon_cents", "moon")


def _pitching(ruleset: Ruleset) -> Iterator[Contradiction]:
    bidding = ruleset.bidding
    if bidding.pitching and not (ruleset.bottom_number <= PITCHED_BID <= ruleset.top_number):
        yield Contradiction(
            "no_bid_of_four", "A led card is a bid of four, and four cannot be bid.", "pitching", "min_bid", "max_bid"
        )
    if bidding.double_loss_on_overtake and not bidding.pitching:
        yield Contradiction(
            "no_pitching",
            "Nobody leads a card instead of bidding here, so the dealer outbids none.",
            "double_loss_on_overtake",
            "pitching",
        )


def _low(ruleset: Ruleset) -> Iterator[Contradiction]:
    points = ruleset.points
    has_low = any(award.won == "by_low_rule" for award in ruleset.in_play.values())
    if points.dirty and points.low != "captured":
        yield Contradiction(
            "dirty_low",
            "Low goes to whoever holds or plays it here, so nobody has to win it in a trick.",
            "dirty",
            "low",
        )
    if not has_low and (points.dirty or points.low != "captured"):
        yield Contradiction(
            "no_low", "Nobody scores Low.", *(("low", "dirty") if points.low != "captured" else ("dirty", "low"))
        )


def _game(ruleset: Ruleset) -> Iterator[Contradiction]:
    points, game = ruleset.points, ruleset.game_award
    on = game is not None and ruleset.awards[game].on
    if game and on != (points.game_rule != "off"):
        reason = "A point for Game needs a rule for who wins it." if on else "A rule for Game needs a point for it."
        yield Contradiction("game_rule", reason, game, "game_rule")
    if points.game_tie != "nobody" and not (on and points.game_rule == "card_points"):
        named = ("game_tie", "game_rule", *([game] if game else []))
        yield Contradiction("no_count", "Card points are not counted here: there is no tie.", *named)
    if points.game_tie == "carried_over" and (ruleset.has_bidding or ruleset.counts_in_order):
        why = "Points that are carried over fit no bid and no order of counting."
        yield Contradiction("carried_over", why, "game_tie", "tie_rule")
    if points.game_tie == "joker_breaks" and points.jokers == 0:
        yield Contradiction("no_joker", "There is no joker in the deck to break the tie.", "game_tie", "jokers")


def _cards(ruleset: Ruleset) -> Iterator[Contradiction]:
    ranks, jokers = ruleset.cards.deck_ranks, ruleset.points.jokers
    cards = ruleset.award_cards
    scored = [award_id for award_id, award in ruleset.awards.items() if award.on]
    for award_id in scored:
        card = cards[award_id]
        if isinstance(card, Trump | OffTrump) and card.rank not in ranks:
            yield Contradiction("not_in_pack", f"There is no {card.rank} in this deck.", award_id)
    if jokers < 2 and any(cards[award_id] in (Joker.HIGH, Joker.LOW) for award_id in scored):
        marked = [award_id for award_id, card in cards.items() if card in (Joker.HIGH, Joker.LOW)]
        yield Contradiction("jokers", "High and Low Joker need two jokers in the deck.", "jokers", *marked)
    for award_id in scored:
        if jokers != 1 and cards[award_id] == Joker.ONLY:
            yield Contradiction(
                "jokers", "The Joker is scored where there is just one in the deck.", award_id, "jokers"
            )
    of_one_card = [award_id for award_id in scored if isinstance(ruleset.kinds[award_id], OneCard)]
    is_twice = len({cards[award_id] for award_id in of_one_card}) < len(of_one_card)
    for one, other in combinations(of_one_card, 2) if is_twice else ():
        if cards[one] == cards[other]:
            names = f"{ruleset.awards[one].name} and {ruleset.awards[other].name}"
            yield Contradiction("same_card", f"{names} are the same card.", one, other)
    for own in (award_id for award_id in OWN_AWARDS if award_id in scored):
        name = ruleset.awards[own].name
        if any(it != own and ruleset.awards[it].name.casefold() == name.casefold() for it in scored):
            yield Contradiction("same_name", f"Another point is called {name}. Choose another name.", own)
    yield from _given_and_caught(ruleset)
    yield from _plain(ruleset)
    if ruleset.points.game_rule == "ten_of_trumps" and "10" not in ranks:
        yield Contradiction("not_in_pack", "There is no ten in this deck.", "game_rule")
    if ruleset.play.joker_order != "marked" and jokers < 2:
        yield Contradiction("jokers", "There are not two jokers in the deck to tell apart.", "joker_order", "jokers")


def _plain(ruleset: Ruleset) -> Iterator[Contradiction]:
    plain = ruleset.of_kind(PlainCard)
    if not plain:
        return
    in_play = [(award_id, ruleset.kinds[award_id]) for award_id in ruleset.in_play]
    cards = [(award_id, kind.card) for award_id, kind in in_play if isinstance(kind, OneCard)]
    off_trumps = {card.rank: award_id for award_id, card in cards if isinstance(card, OffTrump)}
    for award_id, alike in ruleset.alike.items():
        if award_id not in plain:
            continue
        kind, award = plain[award_id], ruleset.awards[award_id]
        if len({(it.on, it.points) for it in (ruleset.awards[one] for one in alike)}) > 1:
            yield Contradiction("same_card", f"Each {award.name} scores the same.", *alike)
        if award.on and kind.rank not in ruleset.cards.deck_ranks:
            yield Contradiction("not_in_pack", f"There is no {kind.rank} in this deck.", *alike)
        if award.on and kind.rank in off_trumps:
            off = off_trumps[kind.rank]
            why = f"The {ruleset.awards[off].name} is a trump, and each {award.name} is none."
            yield Contradiction("same_card", why, off, *alike)


def _given_and_caught(ruleset: Ruleset) -> Iterator[Contradiction]:
    for award_id in ruleset.given_awards:
        if not ruleset.cards.turned_up:
            yield Contradiction("no_turn_up", "No card is turned up for trump in this game.", award_id)
    for award_id in ruleset.of_kind(Caught):
        if award_id in ruleset.in_play and award_id not in ruleset.in_place_of:
            why = f"{ruleset.awards[award_id].name} scores in place of another point, and there is none for that card."
            yield Contradiction("not_caught", why, award_id)
    if ruleset.points.turned_cards != "once" and not ruleset.turned_awards:
        yield Contradiction("no_turn_up", "No card turned up for trump scores in this game.", "turned_cards")
    if ruleset.points.gift_to != "beggar" and not ruleset.shared_gift:
        yield Contradiction("no_turn_up", "The dealer gives no point in this game.", "gift_to")
    elif ruleset.shared_gift and two_sides(ruleset):
        yield Contradiction("two_sides", "Only two sides play, so the gift goes to one.", "gift_to")
    if ruleset.points.game_tie == "non_dealer" and ruleset.has_bidding and ruleset.pools_defenders:
        why = "The defenders count together here, whoever of them deals."
        yield Contradiction("dealer_among_others", why, "game_tie", "defenders_score")
    if ruleset.cards.turned_up and ruleset.has_bidding:
        yield Contradiction("no_turn_up", "Whoever bids names trump: no card is turned up for it.", "turned_up")


def _winning(ruleset: Ruleset) -> Iterator[Contradiction]:
    winning = ruleset.winning
    if winning.target and winning.count_down_from:
        yield Contradiction(
            "two_targets", "Scores that count down end at 0, not at a target.", "target", "count_down_from"
        )
    if winning.defenders_stop_at_one and not winning.count_down_from:
        yield Contradiction(
            "not_counting_down", "Scores do not count down here.", "defenders_stop_at_one", "count_down_from"
        )
    if winning.defenders_stop_at_one and not ruleset.has_bidding:
        yield Contradiction("no_bidding", "Nobody bids in this game, so nobody defends.", "defenders_stop_at_one")
    if winning.defenders_stop_short and (winning.count_down_from or winning.length == "hands"):
        stops = ("defenders_stop_short", "count_down_from" if winning.count_down_from else "length")
        yield Contradiction("not_counting_up", "Scores do not count up to a target here.", *stops)
    elif winning.defenders_stop_short and not (winning.target or "target" in ruleset.to_agree):
        why = "There is no target here to stop short of."
        yield Contradiction("no_target", why, "defenders_stop_short", "target")
    if winning.defenders_stop_short and not ruleset.has_bidding:
        yield Contradiction("no_bidding", "Nobody bids in this game, so nobody defends.", "defenders_stop_short")
    if winning.length == "hands" and not winning.hands:
        yield Contradiction("how_many_hands", "Say after how many hands the match ends.", "length", "hands")
    if winning.hands and winning.length != "hands":
        yield Contradiction(
            "not_by_hands", "The match is played to a target, not for a number of hands.", "hands", "length"
        )
    if winning.win_by and winning.length == "hands":
        yield Contradiction(
            "win_by_hands", "After a number of hands the best score wins, by whatever it leads.", "win_by", "length"
        )


def _pegged(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.winning.pegged and ruleset.winning.tie_rule != "higher_score":
        why = "Points are pegged as they are taken: whoever pegs the target first has won."
        yield Contradiction("pegged", why, "tie_rule")


def _partner(ruleset: Ruleset) -> Iterator[Contradiction]:
    play = ruleset.play
    if ruleset.table.called:
        return
    for name in _unusual(ruleset, ("partner_set_too", "call", "call_lead", "alone")):
        yield Contradiction("nobody_called", "Nobody calls a partner in this game.", name)
    if play.kitty == "after_call":
        yield Contradiction("nobody_called", "Nobody calls a partner in this game.", "kitty")


def _left_over(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.play.share_the_wealth and ruleset.play.kitty == "none":
        yield Contradiction("no_kitty", "There is no kitty to pass on.", "share_the_wealth", "kitty")
    for name in ruleset.winning.count_order:
        if name not in ruleset.awards:
            yield Contradiction("unknown_award", f"There is no award {name!r} to count.", "count_order")
    for name in ruleset.to_agree:
        if name not in options() and name not in ruleset.awards:
            yield Contradiction("unknown_option", f"There is no option {name!r} to agree.", "to_agree")


CHECKS: tuple[Check, ...] = (
    _bid_range,
    _without_bidding,
    _direction,
    _set,
    _special_bids,
    _money,
    _pitching,
    _low,
    _game,
    _cards,
    _winning,
    _pegged,
    _partner,
    _left_over,
)
