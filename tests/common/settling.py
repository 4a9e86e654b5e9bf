"""Addresses of hands that are settled without a match."""

MADE = "v=1&rules=colorado-ten-point&score-0=37&score-1=40&bidder=s1&bid=6&count-s1=6&count-s2=4"
"""Both reach the target by points, and the bidders have less."""
BY_CARDS = (
    "v=1&rules=colorado-ten-point&by=cards&score-0=37&score-1=40&bidder=s1&bid=6&trump=hearts&took-ace=s1&took-jack=s2"
    "&took-off_jack=s1&took-high_joker=s2&took-low_joker=s2&took-ten=s1&took-trey=s1&took-deuce=s2"
)
"""The same hand card by card."""
NOT_AGREED = "v=1&rules=auction-pitch&score-0=10&score-1=8&call=s1:3&count-s1=3&count-s2=1"
"""A hand that turns on a rule which the table has not agreed."""
WENT_SET = "v=1&rules=partnership-pitch&house-all_pass=may_take_set&score-0=18&score-1=12"
"""Scores before a hand by rules under which the dealer may go set instead of bidding."""
