"""The wording of the options about points, the deal and the play, and of the question about an award."""

from collections.abc import Mapping

from scorekeeper.rules.wording import Wording, yes_no

POINTS: Mapping[str, Wording] = {
    "jokers": Wording(
        "Jokers",
        "How many jokers are in the deck?",
        **{
            "0": ("none", "There is no joker in the deck."),
            "1": ("one", "One joker is in the deck."),
            "2": ("two", "Both jokers are in the deck, a high one and a low one."),
        },
    ),
    "low": Wording(
        "Low",
        "Who scores {low}?",
        captured=("whoever wins the trick", "{scorer_who} wins the trick with the card in it scores {low}."),
        held=("whoever holds it", "{scorer_who} holds the card scores {low}, no matter who wins the trick."),
        kept=("whoever plays it", "{scorer_who} plays the card scores {low}, no matter who wins the trick."),
    ),
    "dirty": yes_no(
        "Dirty",
        "Must a side win the {low_card} in a trick?",
        "A side must win the {low_card} in a trick to score it.",
        "Nobody has to win the {low_card} in a trick.",
    ),
    "reverse": yes_no(
        "Reverse",
        "Do trumps rank low to high?",
        "Trumps rank low to high: the {low_card} is the highest, the {high_card} the lowest.",
        "Trumps rank high to low, the {high_card} highest.",
    ),
    "game_rule": Wording(
        "Game",
        "How is Game won?",
        card_points=("most card points", "Game goes to the most card points in tricks."),
        ten_of_trumps=("the ten of trumps", "Game goes to whoever wins the ten of trumps."),
        off=("none", "Nobody scores Game."),
    ),
    "game_tie": Wording(
        "Tied Game",
        "Game is tied: who scores it?",
        nobody=("nobody", "If {most_tied} for the most card points, nobody scores Game."),
        all_tied_score=("everyone tied", "If {most_tied} for the most card points, everyone tied scores Game."),
        joker_breaks=(
            "whoever has the joker",
            "If {most_tied} for the most card points, {scorer_who} won a joker scores Game.",
        ),
        non_dealer=("whoever did not deal", "{dealer_tied}"),
    ),
}

PLAY: Mapping[str, Wording] = {
    "next_dealer": Wording(
        "Next dealer",
        "Who deals next?",
        clockwise=("player on the left", "The deal passes to the left after each hand."),
        racehorse=(
            "depends on the bid",
            "A bidder who makes the bid deals next; if the bid is set, the player on the bidder’s right deals.",
        ),
        counterclockwise=("player on the right", "The deal passes to the right after each hand."),
    ),
    "draw": Wording(
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
    ),
    "kitty": Wording(
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
    ),
    "share_the_wealth": yes_no(
        "Share the wealth",
        "May the bidder pass the cards left over to a partner?",
        "The bidder may pass the cards left over, unseen, to a partner.",
        "The bidder keeps the cards left over.",
    ),
    "cut": yes_no(
        "Cut", "Are the cards cut?", "The player on the dealer’s right cuts the deck.", "The deck need not be cut."
    ),
    "first_lead": Wording(
        "First lead",
        "What may be led first?",
        trump=("trump", "The bidder leads a trump first."),
        any=("any card", "The bidder may lead any card first."),
        no_trump_first=(
            "off-suit, no trumping",
            "The bidder may lead an off-suit first; then nobody may trump that trick.",
        ),
    ),
    "follow": Wording(
        "Following",
        "What must be played to a trick?",
        follow_or_trump=(
            "follow or trump",
            "Follow suit or trump: you may trump even if you could follow. If you cannot follow, play anything.",
        ),
        must_follow=("follow", "Follow suit. If you cannot, play anything."),
        must_trump_if_void=(
            "follow or trump, always",
            "Follow suit or trump. Only if you can do neither, play anything.",
        ),
        trump_only=("trumps only", "Only trumps are played."),
    ),
    "misdeal": Wording(
        "Misdeal",
        "Which hand is dealt again?",
        none=("none", "A poor hand is no misdeal."),
        no_face_no_point=(
            "no face, no point card",
            "A hand of nothing but cards from {plain_cards} is a misdeal: show it before the bidding, and the dealer "
            "deals again.",
        ),
    ),
    "burn": Wording(
        "Burning",
        "What happens to trumps over six?",
        none=("nothing", "No trumps are burned."),
        face_up=(
            "burned face up",
            "If you have more than six trumps, burn the extra ones: lay them face up on your first turn.",
        ),
        out_of_game=("out of the game", "If you have more than six trumps, put the extra ones out of the game."),
    ),
    "joker_order": Wording(
        "Jokers",
        "Which joker is high?",
        marked=("the marked one", "One joker is marked as the high one."),
        first_played=("the first played", "The joker played first is the high one."),
        second_played=("the second played", "The joker played second is the high one."),
    ),
    "call": Wording(
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
    ),
    "call_lead": Wording(
        "First lead after a call",
        "Who leads to the first trick?",
        bidder=("the bidder", "The bidder leads to the first trick."),
        holder=("the partner", "The partner leads the called card to the first trick."),
    ),
    "alone": Wording(
        "Alone",
        "When does the bidder play alone?",
        choice=("by choice", "The bidder may go alone and call nobody."),
        holds_called=("holding the called card", "A bidder who holds the called card plays alone."),
    ),
}

AWARD = Wording(
    "{award}",
    "{award}: is there a point for {card}?",
    n=("{n}", "{award} scores {n}."),
    no=("no", "Nobody scores {award}."),
)
"""The question about any award."""
