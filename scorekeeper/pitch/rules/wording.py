"""The wording of every house option, by group: the question, a heading, and each answer's label and sentence.

`phrases.placeholders` fills the braces in a text; `{n}` is a number that was answered, `{n_hands}` and `{n_times}` the
same as a number of hands, and as how often. An answer is named as in files and forms: yes, no, none, or one of the
option's own words. `n` stands for any number.
"""

from collections.abc import Mapping


class Wording:
    """A heading, a question, and a label and a sentence for every answer."""

    def __init__(self, title: str, ask: str, **answers: tuple[str, str]) -> None:
        self.title = title
        self.ask = ask
        self.answers = answers


def yes_no(title: str, ask: str, yes: str, no: str) -> Wording:
    """Return the wording of a question with the sentences for yes and no."""
    return Wording(title, ask, yes=("yes", yes), no=("no", no))


BIDDING: Mapping[str, Wording] = {
    "min_bid": Wording(
        "Lowest bid",
        "What is the lowest bid?",
        n=("{n}", "The lowest bid is {n}."),
        none=("up to you", "The lowest bid is up to you."),
    ),
    "max_bid": Wording(
        "Highest bid",
        "What is the highest numbered bid?",
        n=("{n}", "The highest numbered bid is {n}."),
        none=("every point", "The highest numbered bid is every point in a hand."),
    ),
    "forced_bid": Wording(
        "Stuck dealer",
        "What is the least that a stuck dealer may bid?",
        n=("{n}", "A stuck dealer bids at least {n}."),
        none=("the lowest bid", "A stuck dealer may make the lowest bid."),
    ),
    "all_pass": Wording(
        "All pass",
        "What if everyone passes?",
        dealer_forced=(
            "the dealer is stuck",
            "If everyone else passes, the dealer is stuck and must bid {stuck}, a bid like any other.",
        ),
        redeal=("deal again", "If everyone passes, nothing is scored, and the same dealer deals again."),
        pass_deal=("next player deals", "If everyone passes, nobody plays the hand, and the next player deals."),
        unobliged=(
            "play without a bid",
            "If everyone passes, nobody is bound: {names_unbound} names trump, and everyone scores what they take.",
        ),
        may_take_set=(
            "bid or go set",
            "If everyone else passes, the dealer bids {lowest} or more, or goes set for {forced} without playing.",
        ),
        none=("up to you", "What happens if everyone passes is up to you."),
    ),
    "dealer_steal": Wording(
        "Dealer steals",
        "May the dealer steal the bid by matching it?",
        no=("no", "The dealer cannot steal the bid."),
        yes=("yes", "The dealer may steal the bid by matching it."),
        not_smudge=(
            "yes, but not a smudge or moon",
            "The dealer may steal a bid by matching it, but not a smudge or moon.",
        ),
        top_only=("only {top_bid}", "The dealer may steal the bid by matching it only if it is {top_bid}."),
        below_top=("below {top_bid}", "The dealer may steal a bid below {top_bid} by matching it."),
    ),
    "top_bid_again": yes_no(
        "Highest bid again",
        "May the highest bid be bid again over another player’s?",
        "Over another player’s {last_bid} you may bid the same: whoever bids it last has it.",
        "Nobody may bid the same as another player.",
    ),
    "rounds": Wording(
        "Rounds",
        "How many times does the bidding go around?",
        one=(
            "once",
            "The bidding goes around once, starting on the dealer’s left: bid higher than the last bid, or pass.",
        ),
        until_passed=(
            "until all have passed",
            "The bidding goes around and around, starting on the dealer’s left: bid higher than the last bid, or pass "
            "and be out. It ends when all but one have passed{or_last_bid}.",
        ),
    ),
    "smudge": yes_no(
        "Smudge",
        "Is there a smudge?",
        "A smudge outbids the numbers. It needs every point and every trick: if a point is not in play, it fails.",
        "There is no smudge.",
    ),
    "pitching": yes_no(
        "Pitching",
        "May a card be led instead of a bid?",
        "A card led instead of a bid is a bid of four with its suit as trump. Only the dealer may take the bid, by "
        "leading a card{or_higher}; the first bidder then takes the card back.",
        "Nobody leads before the bidding is over.",
    ),
    "double_loss_on_overtake": yes_no(
        "Outbidding",
        "Does a dealer who outbid a led card lose double?",
        "A dealer who takes the bid from a led card and is set loses double.",
        "A dealer who outbid a led card loses no more than any other bidder.",
    ),
}

MOON: Mapping[str, Wording] = {
    "moon": Wording(
        "Moon",
        "What does shooting the moon do?",
        off=("none", "Nobody shoots the moon."),
        stake=("wins or costs points", "A moon wins or costs a fixed number of points."),
        win_or_lose=("wins or loses the match", "A made moon wins the match; a failed one loses it."),
        win_or_minus_target=(
            "wins the match or costs the target",
            "A made moon wins the match; a failed one costs {target_points}.",
        ),
        to_minus_four=("points, or back to −4", "A made moon scores points; a failed one sets the score to −4."),
        money=("pays money", "A moon pays money and scores nothing."),
    ),
    "moon_made": Wording(
        "Made moon",
        "What does a made moon score?",
        n=("{n}", "A made moon scores {n}."),
        none=("nothing", "A made moon has no points of its own."),
    ),
    "moon_set": Wording(
        "Failed moon",
        "What does a failed moon cost?",
        n=("{n}", "A failed moon costs {n}."),
        none=("nothing", "A failed moon has no points of its own."),
    ),
    "double_moon": yes_no(
        "Double moon", "Is there a double moon?", "A double moon outbids a moon.", "There is no double moon."
    ),
    "double_moon_made": Wording(
        "Made double",
        "What does a made double moon score?",
        n=("{n}", "A made double moon scores {n}."),
        none=("nothing", "A made double moon has no points of its own."),
    ),
    "double_moon_set": Wording(
        "Failed double",
        "What does a failed double moon cost?",
        n=("{n}", "A failed double moon costs {n}."),
        none=("nothing", "A failed double moon has no points of its own."),
    ),
    "moon_after": Wording(
        "Before a moon",
        "When may the moon be bid?",
        any=("at any time", "A moon may be bid at any time."),
        top_bid_by_another=(
            "only over {top_bid} from another player",
            "A moon can only outbid {top_bid} from another player.",
        ),
    ),
    "moon_needs": Wording(
        "A moon needs",
        "What must a moon take?",
        points=("every point", "A moon must take every point."),
        points_and_tricks=("points and tricks", "A moon must take every point and every trick."),
    ),
    "moon_counts_burned": Wording(
        "A moon needs missing points",
        "Does a moon fail if a point card is out of play?",
        all=("yes", "A moon needs all the points: it fails if one is not in play."),
        in_play=("no", "A moon needs only the points that are in play."),
    ),
}


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
        "Must a {side} win {low} in a trick?",
        "To score {low}, a {side} must win the card in a trick.",
        "Nobody has to win {low} in a trick.",
    ),
    "reverse": yes_no(
        "Reverse",
        "Do trumps rank low to high?",
        "Trumps rank low to high: the {low_card} is the highest, the {high_card} the lowest.",
        "Trumps rank high to low, the {high_card} highest.",
    ),
    "game_rule": Wording(
        "{game}",
        "How is {game} won?",
        card_points=("most card points", "{game} goes to the most card points in tricks."),
        ten_of_trumps=("the ten of trumps", "{game} goes to whoever wins the ten of trumps."),
        off=("none", "Nobody scores {game}."),
    ),
    "game_tie": Wording(
        "Tied {game}",
        "{game} is tied: who scores it?",
        nobody=("nobody", "If {most_tied} for the most card points, nobody scores {game}."),
        all_tied_score=("everyone tied", "If {most_tied} for the most card points, everyone tied scores {game}."),
        joker_breaks=(
            "whoever has the joker",
            "If {most_tied} for the most card points, whichever of them won {a_joker} scores {game}.",
        ),
        non_dealer=("whoever did not deal", "{dealer_tied}"),
        carried_over=(
            "whoever wins the next",
            "If {most_tied} for the most card points, nobody scores {game}: its points are carried over to the next "
            "hand that is played.",
        ),
    ),
    "turned_cards": Wording(
        "Cards turned up",
        "More cards are turned up: which score?",
        once=("one of each rank", "Of the cards turned up, each rank scores once."),
        last=("only the last", "If more cards are turned up, only the last one scores."),
        each=(
            "each",
            "Each card turned up scores at once, also one of the same rank again, and stands if the deck runs out.",
        ),
    ),
    "gift_to": Wording(
        "The gift",
        "Who gets the gift when three play?",
        beggar=("the beggar", "When three play, only the beggar gets the gift."),
        others=("both of the others", "When three play, both of the others get the gift."),
    ),
}

PLAY: Mapping[str, Wording] = {
    "next_dealer": Wording(
        "Next dealer",
        "Who deals next?",
        clockwise=("player on the left", "The deal passes to the left after each hand."),
        racehorse=(
            "depends on the bid",
            "A bidder who makes the bid deals next; if the bid is set, the player on the bidder’s right deals, "
            "so that the bidder bids first.",
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
        "The bidder may take the cards left over face down, or pass them to the partner without looking at them.",
        "The bidder keeps the cards left over.",
    ),
    "cut": yes_no(
        "Cut", "Are the cards cut?", "The player on the dealer’s right cuts the deck.", "The deck need not be cut."
    ),
    "first_lead": Wording(
        "First lead",
        "What may the bidder lead first?",
        trump=("trump", "The bidder leads a trump first."),
        any=("any card", "The bidder leads first, and may lead any card."),
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
            "follow or trump; if you cannot follow, you must trump",
            "Follow suit or trump. If you cannot follow, you must trump. Only if you can do neither, play anything.",
        ),
        trump_only=("trumps only", "Only trumps are played."),
    ),
    "misdeal": Wording(
        "Misdeal",
        "Which hand is dealt again?",
        none=("none", "A poor hand is no misdeal."),
        no_face_no_point=(
            "no face, no point card",
            "A hand of nothing but cards from {plain_cards} is a misdeal: say so before trump is named, and the dealer "
            "deals again.",
        ),
    ),
    "burn": Wording(
        "Burning",
        "What happens to trumps over six?",
        none=("nothing", "No trumps are burned."),
        face_up=(
            "burned face up",
            "If you have more than six trumps, burn the extra ones: say so, and lay them face up on your first turn.",
        ),
        out_of_game=("out of the hand", "If you have more than six trumps, put the extra ones out of the hand."),
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


SCORING: Mapping[str, Wording] = {
    "score_on_made": Wording(
        "A made bid",
        "Does a made bid score what you took, or just the bid?",
        points=("what you took", "{bidder_who} makes the bid {scores} all the points {it_takes}."),
        bid=("just the bid", "{bidder_who} makes the bid {scores} the bid, not the points taken."),
        nothing=("nothing", "A made bid scores nothing: it pays money."),
    ),
    "defenders_score": Wording(
        "Defenders",
        "What do the defenders score?",
        each=("what each takes", "{defender} {scores} what {it_takes}, whether the bid is made or set."),
        pooled=("all that they take", "The defenders count together: each scores all that they take."),
        none=("nothing", "The defenders score nothing."),
    ),
    "partner_set_too": yes_no(
        "Partner",
        "Is a called partner set, too?",
        "If the bid fails, the partner loses it, too.",
        "If the bid fails, only the bidder loses it; the partner scores 0.",
    ),
    "on_set": Wording(
        "A set bid",
        "What happens to a bid that is set?",
        lose_bid=("it is lost", "{bidder_who} is set loses the bid."),
        bid_to_defenders=(
            "the others score it",
            "{bidder_who} takes less than the bid is set and scores nothing: the others score what they take, "
            "and the bid as well.",
        ),
    ),
}

WINNING: Mapping[str, Wording] = {
    "target": Wording(
        "Target",
        "What score do you play to?",
        n=("{n}", "Play to {n}."),
        none=("no target", "No score ends the match."),
    ),
    "length": Wording(
        "Length",
        "What ends the match?",
        target=("a score", "A score ends the match."),
        hands=("a number of hands", "The match ends after an agreed number of hands; the highest score wins."),
    ),
    "hands": Wording(
        "Hands",
        "After how many hands does the match end?",
        n=("{n}", "The match ends after {n_hands}."),
        none=("no limit", "There is no limit on hands."),
    ),
    "win_rule": Wording(
        "Who wins",
        "Who may win?",
        first_to_target=("whoever reaches it", "Whoever reaches the target first wins."),
        made_bid=("only on a made bid", "A {side} wins only at the end of a hand in which {its} own bid was made."),
        none=("up to you", "Who may win is up to you."),
    ),
    "tie_rule": Wording(
        "Both reach it",
        "{several} reach it on the same hand: who wins?",
        bidder_first=("the bidder", "If {several_reach}, {bidder} wins{even_so}{bidder_else}."),
        higher_score=(
            "the higher score",
            "If {several_reach}, the better score wins; if that is tied, {level_winner}.",
        ),
        another_hand=("play another hand", "If {several_reach}, play another hand."),
        point_order=(
            "first in {short_order} order",
            "If {several_reach}, count the points in the order {order}: whoever gets there first wins.",
        ),
        bidder_or_play_on=(
            "the bidder, or keep playing",
            "If {several_reach}, the bidder wins{with_lead}. {no_such_bidder} keep playing until {bidder_who} makes "
            "the bid is at {at_target}{and_leads}.",
        ),
        bidder_then_point_order=(
            "the bidder, then {short_order} order",
            "If {several_reach}, {bidder} wins. If {bidder} is not one of them, count the points in the order {order}: "
            "whoever gets there first wins.",
        ),
        higher_score_or_play_on=(
            "the higher score, or keep playing",
            "If {several_reach}, the better score wins; if that is tied, play another hand.",
        ),
    ),
    "win_by": Wording(
        "Lead",
        "By how much must the winner lead?",
        n=("{n}", "The winner must lead by {n}."),
        none=("any lead", "Any lead wins."),
    ),
    "count_down_from": Wording(
        "Counting down",
        "Do scores count down, and from what?",
        n=("from {n}", "Scores start at {n} and go down to 0."),
        none=("no", "Scores start at 0 and go up."),
    ),
    "defenders_stop_at_one": yes_no(
        "Stopping at 1",
        "Do defenders stop at 1 against a made bid?",
        "If a hand with a made bid would bring the defenders to 0 or less, they stop at 1. So only a made bid "
        "of your own wins, or a failed one of theirs.",
        "Defenders may win against a made bid.",
    ),
    "defenders_stop_short": yes_no(
        "Stopping short",
        "Do those who did not bid stop one point short of the target?",
        "{defender_who} would reach {target} stops one point short of it.",
        "{defender_who} reaches {target} counts all points.",
    ),
    "set_limit": Wording(
        "Sets",
        "How many sets lose the match?",
        n=("{n}", "Whoever is set {n_times} loses the match."),
        none=("no limit", "Nobody loses the match by being set."),
    ),
    "four_points_win_game": yes_no(
        "Every point",
        "Does taking every point in one hand win the match?",
        "Taking every point in one hand wins the match.",
        "Taking every point in one hand wins nothing extra.",
    ),
}

_SHARED = ("they share the win", "If it is tied after the last hand, they share the win.")
_PLAYED_ON = ("play another hand", "If it is tied after the last hand, play another hand.")
TIE_AFTER_HANDS = Wording(
    "Tied at the end",
    "It is tied after the last hand: who wins?",
    **{
        answer: _PLAYED_ON if answer in ("another_hand", "higher_score_or_play_on") else _SHARED
        for answer in WINNING["tie_rule"].answers
    },
)
"""Who wins a tie where the match ends after a number of hands."""

_TIE = WINNING["tie_rule"]
_BY_LEAD = ("whoever leads by {lead}", "If {several_reach}, whoever leads by {lead} wins; until then, keep playing.")
TIE_WITH_LEAD = Wording(
    _TIE.title,
    _TIE.ask,
    **{answer: words if answer == "bidder_or_play_on" else _BY_LEAD for answer, words in _TIE.answers.items()},
)
"""Who wins a tie where the winner has to lead."""

MONEY: Mapping[str, Wording] = {
    "cents_per_point": Wording(
        "A point",
        "What is a point worth?",
        n=("{money}", "A point is worth {money}."),
        none=("nothing", "Points pay nothing."),
    ),
    "moon_cents": Wording(
        "A moon",
        "What does a moon pay?",
        n=(
            "{money}",
            "A bidder who makes the moon gets {money} from each other player; one who fails pays {money} to each.",
        ),
        none=("nothing", "A moon pays nothing."),
    ),
    "set_stake_cents": Wording(
        "A set",
        "What does a player pay the winner for each set?",
        n=("{money}", "Each set pays {money} to the winner."),
        none=("nothing", "A set pays nothing."),
    ),
    "game_stake_cents": Wording(
        "The match",
        "What does each player pay the winner for the match?",
        n=("{money}", "Each player pays {money} to the winner."),
        none=("nothing", "The match pays nothing."),
    ),
}

TERMS: Mapping[str, Mapping[str, str]] = {
    "target": {"n": "to {n}", "none": "to no score"},
    "win_rule": {"first_to_target": "whoever reaches it wins", "made_bid": "only a made bid wins"},
    "low": {
        "captured": "{low} to whoever wins it",
        "held": "{low} to whoever holds it",
        "kept": "{low} to whoever plays it",
    },
    "dealer_steal": {
        "no": "dealer may not steal",
        "yes": "dealer may steal",
        "not_smudge": "dealer may steal numbers",
        "top_only": "dealer may steal only {top_bid}",
        "below_top": "dealer may steal below {top_bid}",
    },
}
"""An answer as one of the few words above Start: "To 21 · only a made bid wins"."""

MOON_STAKE = "stake"
"""The moon that wins or costs points: how many stands in its place."""
COMPARED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "min_bid": ("Bids from", {"none": "you pick"}),
    "score_on_made": ("Made bid scores", {"points": "all taken", "bid": "the bid", "nothing": "nothing"}),
    "win_rule": ("Who wins", {"first_to_target": "reaches it", "made_bid": "made bid only"}),
    "moon": (
        "Moon",
        {
            "off": "none",
            "win_or_lose": "win or lose",
            "win_or_minus_target": "win or lose",
            "to_minus_four": "or −4",
            "money": "money",
        },
    ),
    "low": ("Low goes to", {"captured": "who wins it", "held": "who holds it", "kept": "who plays it"}),
}
"""What tells games apart at a glance, with the few words of each answer."""
