"""Faults in rulesets, house rules and all other input, with the codes of the faults."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from pydantic import ValidationError

ContradictionCode = Literal[
    "carried_over",
    "dealer_among_others",
    "dirty_low",
    "double_needs_stake",
    "double_off",
    "double_worth",
    "forced_outside",
    "game_rule",
    "how_many_hands",
    "jokers",
    "max_above_offer",
    "min_above_max",
    "moon_cents",
    "moon_counting_down",
    "moon_no_stake",
    "moon_no_target",
    "moon_off",
    "moon_pays_nothing",
    "moon_worth",
    "no_bid_of_four",
    "no_bidding",
    "no_count",
    "no_effect",
    "no_joker",
    "no_kitty",
    "no_low",
    "no_pitching",
    "no_points",
    "no_target",
    "no_turn_up",
    "nobody_called",
    "not_by_hands",
    "not_caught",
    "not_counting_down",
    "not_counting_up",
    "not_in_pack",
    "not_two_sides",
    "only_bidder_counts",
    "pegged",
    "same_card",
    "same_name",
    "too_many_points",
    "two_directions",
    "two_sides",
    "two_targets",
    "unknown_award",
    "unknown_option",
    "win_by_hands",
]
"""The codes of faults in a house's or a ruleset's answers: they contradict each other, have no effect, or name an award
or option that does not exist."""

RefusalCode = Literal[
    "after_pitch",
    "against_the_count",
    "all_lost",
    "bad_value",
    "below_forced",
    "below_zero",
    "bidding_over",
    "both_ways",
    "dealer_must_bid",
    "dealer_must_choose",
    "disagrees",
    "forfeited",
    "gift_wins",
    "impossible_counts",
    "level",
    "lower_count",
    "moon_too_soon",
    "must_be_somebodys",
    "no_bid",
    "no_bidder",
    "no_bidding",
    "no_moon_yet",
    "no_partner",
    "no_pitching",
    "no_players",
    "no_steal",
    "no_such_bid",
    "no_take_set",
    "nobody_called",
    "not_counted",
    "not_dealer",
    "not_dealt",
    "not_every_trick",
    "not_first",
    "not_for_you",
    "not_higher",
    "not_in_play",
    "not_level",
    "not_named",
    "not_overtaken",
    "not_pegged",
    "not_played",
    "once_only",
    "out_of_turn",
    "own_gift",
    "own_partner",
    "played_unbound",
    "same_card",
    "settle_first",
    "side_dealer",
    "side_missing",
    "thrown_in",
    "too_few_card_points",
    "too_high",
    "too_late",
    "too_low",
    "too_many_card_points",
    "too_many_cards",
    "too_many_points",
    "too_many_ways",
    "tricks_not_said",
    "unfinished",
    "unknown_player",
    "unknown_side",
    "who_tied",
]
"""The codes of a `Refusal`: a hand, or a change of rules, that a match does not allow. `pitch/sheets/citations.py` maps
some of them to rules of the rule sheet."""

FaultCode = (
    ContradictionCode
    | RefusalCode
    | Literal[
        "after_the_end",
        "bad_code",
        "bad_key",
        "bad_line",
        "bad_name",
        "bad_parent",
        "bad_text",
        "bad_trace",
        "cannot_be_won",
        "differs",
        "empty",
        "half_seated",
        "missing",
        "needs_format_2",
        "needs_format_3",
        "needs_format_4",
        "needs_format_5",
        "no_change",
        "no_dealer",
        "no_file",
        "no_such_call",
        "nobody",
        "not_a_call",
        "not_a_date",
        "not_a_moment",
        "not_json",
        "not_list",
        "not_object",
        "not_text",
        "not_toml",
        "nothing",
        "one_answer",
        "one_hand",
        "other_people",
        "refused",
        "repeated",
        "repeated_key",
        "repeated_name",
        "reserved_name",
        "stale",
        "to_agree",
        "too_large",
        "too_long",
        "too_many",
        "unknown_card",
        "unknown_format",
        "unknown_key",
        "unknown_reading",
        "unknown_section",
        "unknown_variant",
        "unprintable",
        "wrong_number",
    ]
)
"""The codes of all faults: the two kinds above, and those in other input, such as files, forms and records."""


def shorten(text: str) -> str:
    """Return a text for use in a message.

    A text of more than 40 characters is cut, with an ellipsis at its end.
    """
    return text if len(text) <= 40 else f"{text[:37]}…"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in some input, with a code for programs and a sentence for people."""

    field: str
    """The path of the field that has the fault, such as `house.low`; empty if the fault is of the whole input."""
    code: FaultCode
    text: str
    """The sentence for people. In "{0} bid 9", `{0}` stands for the first of `people`."""
    people: tuple[str, ...] = ()
    """The ids of the players or sides in the sentence. If there are none, braces in `text` are ordinary characters."""

    @property
    def message(self) -> str:
        """The sentence for people.

        It names players and sides by their ids until `with_names` puts in their names.
        """
        return self.text.format(*self.people) if self.people else self.text

    def inside(self, path: str) -> Self:
        """Return the fault with `path` before its field, so that `low` becomes `house.low`."""
        return replace(self, field=f"{path}.{self.field}" if self.field else path)

    def with_names(self, names: Mapping[str, str]) -> Self:
        """Return the fault with names instead of ids in its sentence.

        `names` are keyed by id. An id that has no name there stays in the sentence.
        """
        if not self.people:
            return self
        return replace(self, text=self.text.format(*(names.get(who, who) for who in self.people)), people=())


@dataclass(frozen=True, slots=True)
class FileFault:
    """A fault in a file, with the name of the file."""

    file: str
    fault: Fault

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.file, self.fault.field, self.fault.message)))


class BadRulesets(Exception):
    """Raised for invalid files of rulesets, examples or house rules.

    `faults` has every fault of every file.
    """

    def __init__(self, faults: tuple[FileFault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def shape_faults(error: ValidationError) -> Iterator[Fault]:
    """Yield a fault for each wrong key, type or value that pydantic reports in `error`."""
    for error_details in error.errors(include_url=False):
        invalid_value = error_details["input"]
        quoted_value = "" if isinstance(invalid_value, dict) else f" Found {shorten(repr(invalid_value))}."
        reason = error_details["msg"].removeprefix("Value error, ")
        yield Fault(".".join(map(str, error_details["loc"])), "bad_value", f"{reason}.{quoted_value}")


MAX_PENALTY = 100
"""The most points that a side may lose in a hand for its own mistakes, or get for those of the others."""
MAX_CARDS_OF_RANK = 4
"""The number of cards of one rank in a deck, one of each suit."""
SETTLE_FIRST_MESSAGE = "This game is played for money. Settle up, and begin a new match with whoever sits in."
"""The message that in a match for money nobody may substitute for a player."""


@dataclass(frozen=True, slots=True)
class Refusal(Fault):
    """A fault in a hand, or in a change of rules, that the match does not allow."""

    code: RefusalCode


@dataclass(frozen=True, slots=True)
class HandFault:
    """A fault with the number of the hand that it is in.

    The number is `None` for a fault outside all hands.
    """

    hand: int | None
    fault: Fault


class FaultsFound(Exception):
    """The base class of exceptions that have all faults found in some input, such as a hand or a record.

    The exception's own message joins the messages of all faults with `separator`.
    """

    separator: ClassVar[str] = "; "

    def __init__(self, faults: Iterable[HandFault | Fault]) -> None:
        self.faults = tuple(fault if isinstance(fault, HandFault) else HandFault(None, fault) for fault in faults)
        super().__init__(self.separator.join(hand_fault.fault.message for hand_fault in self.faults))
