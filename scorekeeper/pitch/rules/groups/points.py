"""House options about how awards are won: their texts, contradictions, and the answers that an answer implies."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Annotated, Any, Literal

from pydantic import Field

from scorekeeper.pitch.rules.awards import (
    JOKERS_BY_NUMBER,
    OWN_AWARD_IDS,
    AwardId,
    CaughtTrump,
    Gift,
    Joker,
    OffTrump,
    OneTrump,
    PlainCard,
    Trump,
    TurnedCard,
)
from scorekeeper.pitch.rules.groups.declare import Contradiction, Ruleset, Spec, Wording, flag, later_field, option


def _answers_implied_by_jokers(ruleset: Ruleset, jokers: int) -> Mapping[str, object]:
    """Return the answers that the number of jokers implies.

    They switch the awards for jokers on or off, and reset options that become meaningless.
    """
    meaningless = ["joker_order"] if jokers < 2 else []
    if not jokers and ruleset.points.game_tie == "joker_breaks":
        meaningless.append("game_tie")
    awards = {
        award_id: ruleset.awards[award_id].points if joker in JOKERS_BY_NUMBER[jokers] else False
        for award_id, joker in ruleset.joker_cards.items()
    }
    return {**awards, **{name: ruleset.default_answer(name) for name in meaningless}}


def _answers_implied_by_game_rule(ruleset: Ruleset, game_rule: str) -> Mapping[str, object]:
    """Return the answers that `game_rule` implies: Game on or off, and `game_tie` reset without card points."""
    game = ruleset.game_award
    award = {game: ruleset.awards[game].points if game_rule != "off" else False} if game else {}
    return award if game_rule == "card_points" else {**award, "game_tie": ruleset.default_answer("game_tie")}


def answers_implied_by_award(
    ruleset: Ruleset, award_id: AwardId, options: Mapping[str, object], awards: Mapping[AwardId, int]
) -> Iterator[tuple[str, object]]:
    """Yield the other answers, by option or award, that a house's answer to `award_id` implies.

    `options` and `awards` are all of the house's answers, among them the one to `award_id`.
    """
    worth = awards[award_id]
    if award_id in ruleset.joker_cards and "jokers" not in options:
        scored_jokers = {joker for award_id, joker in ruleset.joker_cards.items() if awards.get(award_id)}
        needed = max(
            (number for number, jokers in JOKERS_BY_NUMBER.items() if scored_jokers.intersection(jokers)), default=0
        )
        if ruleset.points.jokers < needed:
            yield "jokers", needed
            yield from ((award_id, False) for award_id in ruleset.joker_cards)
    if award_id == ruleset.game_award and not (worth and ruleset.points.game_rule != "off"):
        yield "game_rule", "card_points" if worth else "off"
    if not worth:
        yield from ((caught, False) for caught, card in ruleset.replaced_award.items() if card == award_id)
    if award_id in ruleset.awards_of_kind(PlainCard):
        alike = next(row for row in ruleset.alike_awards.values() if award_id in row)
        same = next(awards[award] for award in alike if award in awards)
        yield from ((award, same) for award in alike if award != award_id)


def options_without_awards(ruleset: Ruleset, awards: Mapping[AwardId, int]) -> Iterator[str]:
    """Yield the names of the options that concern only awards of which none is in play.

    `awards` are a house's answers about awards; for all others the ruleset decides.
    """
    low = [award_id for award_id, award in ruleset.awards.items() if award.won == "by_low_rule"]
    turned, gifts = ruleset.awards_of_kind(TurnedCard), ruleset.awards_of_kind(Gift)
    for name, award_ids in {"low": low, "dirty": low, "turned_cards": turned, "gift_to": gifts}.items():
        if not any(awards.get(award_id, ruleset.worth(award_id)) for award_id in award_ids):
            yield name


class Points(Spec):
    """Which jokers are in the deck, how trumps rank, and how Low, Game and some other awards are won."""

    jokers: Literal[0, 1, 2] = option(
        0,
        "Jokers",
        "How many jokers are in the deck?",
        **dict[str, Any](
            {
                "0": ("none", "There is no joker in the deck."),
                "1": ("one", "One joker is in the deck."),
                "2": ("two", "Both jokers are in the deck, a high one and a low one."),
            }
        ),
        implies=_answers_implied_by_jokers,
    )
    """The number of jokers in the deck."""
    low: Literal["captured", "held", "kept"] = option(
        "captured",
        "Low",
        "Who scores {low}?",
        captured=(
            "whoever wins the trick",
            "{scorer_who} wins the trick with the card in it scores {low}.",
            "{low} to whoever wins it",
        ),
        held=(
            "whoever holds it",
            "{scorer_who} holds the card scores {low}, no matter who wins the trick.",
            "{low} to whoever holds it",
        ),
        kept=(
            "whoever plays it",
            "{scorer_who} plays the card scores {low}, no matter who wins the trick.",
            "{low} to whoever plays it",
        ),
        comparison=("Low goes to", {"captured": "who wins it", "held": "who holds it", "kept": "who plays it"}),
    )
    """Who scores Low; in some games, who scores the deuce."""
    dirty: bool = flag(
        False,
        "Dirty",
        "Must a {side} win {low} in a trick?",
        "To score {low}, a {side} must win the card in a trick.",
        "Nobody has to win {low} in a trick.",
        implies=lambda _, is_dirty: {"low": "captured"} if is_dirty else {},
    )
    """Whether a side must win Low, or the deuce, in a trick to score it."""
    reverse: bool = flag(
        False,
        "Reverse",
        "Do trumps rank low to high?",
        "Trumps rank low to high: the {low_card} is the highest, the {high_card} the lowest.",
        "Trumps rank high to low, the {high_card} highest.",
    )
    """Whether the order of trumps is reversed, so that the lowest rank in the deck is the highest."""
    game_rule: Literal["card_points", "ten_of_trumps", "off"] = option(
        "card_points",
        "{game}",
        "How is {game} won?",
        card_points=("most card points", "{game} goes to the most card points in tricks."),
        ten_of_trumps=("the ten of trumps", "{game} goes to whoever wins the ten of trumps."),
        off=("none", "Nobody scores {game}."),
        implies=_answers_implied_by_game_rule,
    )
    """What wins Game: the most card points, or the ten of trumps; `off`: nobody scores it."""
    game_tie: Literal["nobody", "all_tied_score", "joker_breaks", "non_dealer", "carried_over"] = option(
        "nobody",
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
            "If {most_tied} for the most card points, nobody scores {game}: its points are carried over to the "
            "next hand that is played.",
        ),
    )
    """Who scores Game when card points are tied."""
    tie_jokers: Annotated[list[AwardId], Field(max_length=2)] = later_field([])
    """The awards for the jokers that break a tied Game; if empty, those for all jokers."""
    turned_cards: Literal["once", "last", "each"] = option(
        "once",
        "Cards turned up",
        "More cards are turned up: which score?",
        once=("one of each rank", "Of the cards turned up, each rank scores once."),
        last=("only the last", "If more cards are turned up, only the last one scores."),
        each=(
            "each",
            "Each card turned up scores at once, also one of the same rank again, and stands if the deck runs out.",
        ),
        is_later=True,
    )
    """Which score if several cards are turned up for trump: one of each rank, only the last, or each."""
    gift_to: Literal["beggar", "others"] = option(
        "beggar",
        "The gift",
        "Who gets the gift when three play?",
        beggar=("the beggar", "When three play, only the beggar gets the gift."),
        others=("both of the others", "When three play, both of the others get the gift."),
        is_later=True,
    )
    """Who gets the point that the dealer gives when a player begs: that player, or all but the dealer."""


AWARD_WORDING = Wording(
    "{award}",
    "{award}: is there a point for {card}?",
    {"n": ("{n}", "{award} scores {n}."), "no": ("no", "Nobody scores {award}.")},
)
"""The texts of the question about an award, the same for all awards."""


def low_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about who scores Low."""
    points = ruleset.points
    has_low = any(award.won == "by_low_rule" for award in ruleset.in_play.values())
    is_captured = points.low == "captured"
    if points.dirty and not is_captured:
        why = "The card goes to whoever holds or plays it here, so nobody has to win it in a trick."
        yield Contradiction("dirty_low", why, "dirty", "low")
    if not has_low and (points.dirty or not is_captured):
        yield Contradiction("no_low", "Nobody scores Low.", *(("dirty", "low") if is_captured else ("low", "dirty")))


def game_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about Game and its ties."""
    points, game = ruleset.points, ruleset.game_award
    is_on = game is not None and ruleset.awards[game].on
    if game and is_on != (points.game_rule != "off"):
        name = ruleset.game_name
        reason = (
            f"A point for {name} needs a rule for who wins it." if is_on else f"A rule for {name} needs a point for it."
        )
        yield Contradiction("game_rule", reason, game, "game_rule")
    if points.game_tie != "nobody" and not (is_on and points.game_rule == "card_points"):
        concerned = ("game_tie", "game_rule", *([game] if game else []))
        yield Contradiction("no_count", "Card points are not counted here: there is no tie.", *concerned)
    if points.game_tie == "carried_over" and (ruleset.has_bidding or ruleset.counts_in_order):
        why = "Points that are carried over fit no bid and no order of counting."
        yield Contradiction("carried_over", why, "game_tie", "tie_rule")
    if points.game_tie == "joker_breaks" and points.jokers == 0:
        yield Contradiction("no_joker", "There is no joker in the deck to break the tie.", "game_tie", "jokers")


def card_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about cards and awards, such as an award for a card that is not in the deck."""
    ranks, jokers = ruleset.cards.deck_ranks, ruleset.points.jokers
    cards = ruleset.award_cards
    scored = [award_id for award_id, award in ruleset.awards.items() if award.on]
    for award_id in scored:
        card = cards[award_id]
        if isinstance(card, Trump | OffTrump) and card.rank not in ranks:
            yield Contradiction("not_in_pack", f"There is no {card.rank} in this deck.", award_id)
    if jokers < 2 and any(cards[award_id] in (Joker.HIGH, Joker.LOW) for award_id in scored):
        of_two_jokers = [award_id for award_id, card in cards.items() if card in (Joker.HIGH, Joker.LOW)]
        why = "Points for a high and a low joker need two jokers in the deck."
        yield Contradiction("jokers", why, "jokers", *of_two_jokers)
    for award_id in scored:
        if jokers != 1 and cards[award_id] == Joker.ONLY:
            yield Contradiction("jokers", "A point for the only joker needs just one in the deck.", award_id, "jokers")
    of_one_card = [award_id for award_id in scored if isinstance(ruleset.kinds[award_id], OneTrump)]
    is_twice = len({cards[award_id] for award_id in of_one_card}) < len(of_one_card)
    for one, other in combinations(of_one_card, 2) if is_twice else ():
        if cards[one] == cards[other]:
            names = f"{ruleset.awards[one].name} and {ruleset.awards[other].name}"
            yield Contradiction("same_card", f"{names} are the same card.", one, other)
    for own_id in (award_id for award_id in OWN_AWARD_IDS if award_id in scored):
        name = ruleset.awards[own_id].name
        if any(other != own_id and ruleset.awards[other].name.casefold() == name.casefold() for other in scored):
            yield Contradiction("same_name", f"Another point is called {name}. Choose another name.", own_id)
    yield from _given_and_caught_contradictions(ruleset)
    yield from _plain_card_contradictions(ruleset)
    if ruleset.points.game_rule == "ten_of_trumps" and "10" not in ranks:
        yield Contradiction("not_in_pack", "There is no ten in this deck.", "game_rule")
    if ruleset.play.joker_order != "marked" and jokers < 2:
        yield Contradiction("jokers", "There are not two jokers in the deck to tell apart.", "joker_order", "jokers")


def _plain_card_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield contradictions about plain cards: unequal points in a rank, or cards that are trumps or not in the deck."""
    scored = {ruleset.award_cards[award_id]: award_id for award_id in ruleset.in_play}
    for award_id, kind in ruleset.awards_of_kind(PlainCard).items():
        if award_id not in ruleset.alike_awards:
            continue
        alike, award = ruleset.alike_awards[award_id], ruleset.awards[award_id]
        if len({(ruleset.awards[one].on, ruleset.awards[one].points) for one in alike}) > 1:
            yield Contradiction("same_card", f"Each {award.name} scores the same.", *alike)
        if award.on and kind.rank not in ruleset.cards.deck_ranks:
            yield Contradiction("not_in_pack", f"There is no {kind.rank} in this deck.", *alike)
        if award.on and (off := scored.get(OffTrump(kind.rank))):
            why = f"The {ruleset.awards[off].name} is a trump, and each {award.name} is none."
            yield Contradiction("same_card", why, off, *alike)


def _given_and_caught_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about cards turned up, gifts, caught cards, and a tied Game that the dealer loses."""
    for award_id in ruleset.given_awards:
        if not ruleset.cards.turned_up:
            yield Contradiction("no_turn_up", "No card is turned up for trump in this game.", award_id)
    for award_id in ruleset.awards_of_kind(CaughtTrump):
        if award_id in ruleset.in_play and award_id not in ruleset.replaced_award:
            why = f"{ruleset.awards[award_id].name} scores in place of another point, and there is none for that card."
            yield Contradiction("not_caught", why, award_id)
    if ruleset.points.turned_cards != "once" and not ruleset.turned_awards:
        yield Contradiction("no_turn_up", "No card turned up for trump scores in this game.", "turned_cards")
    if ruleset.points.gift_to != "beggar" and not ruleset.shared_gift:
        yield Contradiction("no_turn_up", "The dealer gives no point in this game.", "gift_to")
    elif ruleset.shared_gift and ruleset.table.has_two_sides:
        yield Contradiction("two_sides", "Only two sides play, so the gift goes to one.", "gift_to")
    if ruleset.points.game_tie == "non_dealer" and ruleset.has_bidding and ruleset.pools_defenders:
        why = "The defenders count together here, whoever of them deals."
        yield Contradiction("dealer_among_others", why, "game_tie", "defenders_score")
    if ruleset.cards.turned_up and ruleset.has_bidding:
        yield Contradiction("no_turn_up", "Whoever bids names trump: no card is turned up for it.", "turned_up")
