"""House options about the deal and the play: their texts, their contradictions, and which have no effect."""

from collections.abc import Iterator
from typing import Literal

from scorekeeper.pitch.rules.groups.declare import Contradiction, Ruleset, StrictModel, declare_flag, declare_option


class Play(StrictModel):
    """The deal and the play.

    Most of it is only for the rule sheet. Scoring needs who deals, and which cards may be missing.
    """

    next_dealer: Literal["clockwise", "racehorse", "counterclockwise"] = declare_option(
        "clockwise",
        "Next dealer",
        "Who deals next?",
        clockwise=("player on the left", "The deal passes to the left after each hand."),
        racehorse=(
            "depends on the bid",
            "A bidder who makes the bid deals next; if the bid is set, the player on the bidder’s right deals, "
            "so that the bidder bids first.",
        ),
        counterclockwise=("player on the right", "The deal passes to the right after each hand."),
    )
    """Who deals the next hand."""
    draw: Literal["none", "fill_to_six", "up_to_three", "discard_three", "up_to_four", "discard_two"] = declare_option(
        "none",
        "Discard and draw",
        "What do players discard and draw before the play?",
        none=("nothing", "Nobody draws."),
        fill_to_six=(
            "all but trumps, up to six",
            "Everyone discards all but trumps, and the dealer fills each hand up to six.",
        ),
        up_to_three=(
            "up to three, then six",
            "Each player may discard up to three cards and draw as many; then everyone goes down to six cards.",
        ),
        discard_three=("three", "Each player discards three cards and draws three."),
        up_to_four=("up to four", "Each player may discard up to four cards and draw as many."),
        discard_two=("two, no draw", "Each player discards two cards; nobody draws."),
    )
    """What players may or must discard and draw before the play."""
    kitty: Literal["none", "before_trump", "after_trump", "after_call", "rest_to_bidder"] = declare_option(
        "none",
        "Cards left over",
        "Who gets the cards left over, and when?",
        none=("nobody", "Nobody gets the cards left over."),
        before_trump=("the bidder, before trump", "The bidder takes the kitty, then names trump."),
        after_trump=(
            "the bidder, after trump",
            "The bidder names trump, then takes the kitty without showing it.",
        ),
        after_call=("the bidder, after the call", "After the call the bidder takes the kitty."),
        rest_to_bidder=("the rest, after the draw", "After the draw the bidder gets what is left of the deck."),
    )
    """Who gets the cards left over from the deal, and when."""
    share_the_wealth: bool = declare_flag(
        False,
        "Share the wealth",
        "May the bidder pass the cards left over to a partner?",
        "The bidder may take the cards left over face down, or pass them to the partner without looking at them.",
        "The bidder keeps the cards left over.",
        meaningless_beside=("kitty", "none"),
    )
    """Whether the bidder may pass the kitty to a partner without looking at it."""
    cut: bool = declare_flag(
        False,
        "Cut",
        "Are the cards cut?",
        "The player on the dealer’s right cuts the deck.",
        "The deck need not be cut.",
    )
    """Whether the player on the dealer's right cuts the cards."""
    first_lead: Literal["trump", "any", "no_trump_first"] = declare_option(
        "trump",
        "First lead",
        "What may the bidder lead first?",
        trump=("trump", "The bidder leads a trump first."),
        any=("any card", "The bidder leads first, and may lead any card."),
        no_trump_first=(
            "off-suit, no trumping",
            "The bidder may lead an off-suit first; then nobody may trump that trick.",
        ),
    )
    """What the bidder may lead to the first trick."""
    follow: Literal["follow_or_trump", "must_follow", "must_trump_if_void", "trump_only"] = declare_option(
        "follow_or_trump",
        "Following",
        "What must be played to a trick?",
        follow_or_trump=(
            "follow or trump",
            "Follow suit or trump: you may trump even if you could follow. If you cannot follow, play anything.",
        ),
        must_follow=("follow", "Follow suit. If you cannot, play anything."),
        must_trump_if_void=(
            "follow or trump; if you cannot follow, you must trump",
            "Follow suit or trump. If you cannot follow, you must trump. Only if you can do neither, play anything.",
        ),
        trump_only=("trumps only", "Only trumps are played."),
    )
    """Which cards a player may play to a trick that another player has led."""
    misdeal: Literal["none", "no_face_no_point"] = declare_option(
        "none",
        "Misdeal",
        "Which hand is dealt again?",
        none=("none", "A poor hand is no misdeal."),
        no_face_no_point=(
            "no face, no point card",
            "A hand of nothing but cards from {plain_cards} is a misdeal: say so before trump is named, and the "
            "dealer deals again.",
        ),
    )
    """Which poor hands of cards are a misdeal, so that the cards are dealt again."""
    burn: Literal["none", "face_up", "out_of_game"] = declare_option(
        "none",
        "Burning",
        "What happens to trumps over six?",
        none=("nothing", "No trumps are burned."),
        face_up=(
            "burned face up",
            "If you have more than six trumps, burn the extra ones: say so, and lay them face up on your first turn.",
        ),
        out_of_game=("out of the hand", "If you have more than six trumps, put the extra ones out of the hand."),
    )
    """What happens to the trumps that a player has beyond six."""
    joker_order: Literal["marked", "first_played", "second_played"] = declare_option(
        "marked",
        "Jokers",
        "Which joker is high?",
        marked=("the marked one", "One joker is marked as the high one."),
        first_played=("the first played", "The joker played first is the high one."),
        second_played=("the second played", "The joker played second is the high one."),
    )
    """Which of two jokers is the high one."""
    call: Literal["any_card", "any_trump"] = declare_option(
        "any_card",
        "The call",
        "What may the bidder call?",
        any_card=(
            "a card not in the hand",
            "The bidder calls a card that the bidder does not hold; whoever holds it is the partner.",
        ),
        any_trump=(
            "any trump",
            "Then the bidder calls one trump: whoever holds it is the partner, and must play it to the first trick.",
        ),
    )
    """Which card the bidder may call to choose a partner."""
    call_lead: Literal["bidder", "holder"] = declare_option(
        "bidder",
        "First lead after a call",
        "Who leads to the first trick?",
        bidder=("the bidder", "The bidder leads to the first trick."),
        holder=("the partner", "The partner leads the called card to the first trick."),
    )
    """Who leads to the first trick after the bidder has called a partner."""
    alone: Literal["choice", "holds_called"] = declare_option(
        "choice",
        "Alone",
        "When does the bidder play alone?",
        choice=("by choice", "The bidder may go alone and call nobody."),
        holds_called=("holding the called card", "A bidder who holds the called card plays alone."),
    )
    """When the bidder plays without a partner."""


def direction_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction if the deal goes around the table to the right, but the bidding to the left."""
    if ruleset.has_bidding and ruleset.play.next_dealer == "counterclockwise":
        message = "The bidding goes around to the left, and the deal with it."
        yield Contradiction("two_directions", message, "next_dealer")


def called_partner_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction for each answer about a called partner in a game without one."""
    if ruleset.table.called:
        return
    for name in ruleset.non_default_options(("partner_set_too", "call", "call_lead", "alone")):
        yield Contradiction("nobody_called", "Nobody calls a partner in this game.", name)
    if ruleset.play.kitty == "after_call":
        yield Contradiction("nobody_called", "Nobody calls a partner in this game.", "kitty")


def kitty_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield a contradiction if the bidder may pass on the kitty in a game without a kitty."""
    if ruleset.play.share_the_wealth and ruleset.play.kitty == "none":
        yield Contradiction("no_kitty", "There is no kitty to pass on.", "share_the_wealth", "kitty")


def moot_reasons(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield the name of each option about the deal and the play that has no effect, with the reason."""
    if not ruleset.has_bidding:
        reason = "Nobody bids in this game, so there is no bidder."
        yield from ((name, reason) for name in ("kitty", "first_lead", "share_the_wealth"))
    elif ruleset.play.follow == "trump_only":
        yield "first_lead", "Only trumps are played."
    elif ruleset.table.called and ruleset.play.call_lead == "holder":
        yield "first_lead", "The partner leads the called card first."
