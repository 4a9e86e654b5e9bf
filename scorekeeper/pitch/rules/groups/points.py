"""House options about how awards are won: their texts, their contradictions, and what their answers imply."""

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
from scorekeeper.pitch.rules.groups.declare import (
    Contradiction,
    Ruleset,
    StrictModel,
    Wording,
    declare_flag,
    declare_later_field,
    declare_option,
)


def _answers_implied_by_jokers(ruleset: Ruleset, joker_count: int) -> Mapping[str, object]:
    """Return the answers that the number of jokers implies, keyed by option or award.

    They switch the awards for jokers on or off, and reset the options that become meaningless.
    """
    meaningless_options = ["joker_order"] if joker_count < 2 else []
    if not joker_count and ruleset.points.game_tie == "joker_breaks":
        meaningless_options.append("game_tie")
    worth_by_award = {
        award_id: ruleset.awards[award_id].points if joker in JOKERS_BY_NUMBER[joker_count] else False
        for award_id, joker in ruleset.joker_by_award.items()
    }
    return {**worth_by_award, **{name: ruleset.default_answer(name) for name in meaningless_options}}


def _answers_implied_by_game_rule(ruleset: Ruleset, game_rule: str) -> Mapping[str, object]:
    """Return the answers that an answer to `game_rule` implies, keyed by option or award.

    They switch Game on or off. `game_tie` is reset where card points decide nothing.
    """
    game_award = ruleset.game_award
    answers = {game_award: ruleset.awards[game_award].points if game_rule != "off" else False} if game_award else {}
    return answers if game_rule == "card_points" else {**answers, "game_tie": ruleset.default_answer("game_tie")}


def answers_implied_by_award(
    ruleset: Ruleset, award_id: AwardId, answers_by_option: Mapping[str, object], worth_by_award: Mapping[AwardId, int]
) -> Iterator[tuple[str, object]]:
    """Yield the other answers that a house's answer about `award_id` implies, each with its option or award.

    `answers_by_option` and `worth_by_award` are all answers of the house, the one about `award_id` among them.
    """
    worth = worth_by_award[award_id]
    if award_id in ruleset.joker_by_award and "jokers" not in answers_by_option:
        scored_jokers = {joker for award_id, joker in ruleset.joker_by_award.items() if worth_by_award.get(award_id)}
        needed_joker_count = max(
            (joker_count for joker_count, jokers in JOKERS_BY_NUMBER.items() if scored_jokers.intersection(jokers)),
            default=0,
        )
        if ruleset.points.jokers < needed_joker_count:
            yield "jokers", needed_joker_count
            yield from ((award_id, False) for award_id in ruleset.joker_by_award)
    if award_id == ruleset.game_award and not (worth and ruleset.points.game_rule != "off"):
        yield "game_rule", "card_points" if worth else "off"
    if not worth:
        yield from (
            (caught_award, False)
            for caught_award, replaced_award in ruleset.replaced_award_by_caught.items()
            if replaced_award == award_id
        )
    if award_id in ruleset.awards_of_kind(PlainCard):
        alike_awards = next(
            awards_in_group for awards_in_group in ruleset.alike_awards_by_first.values() if award_id in awards_in_group
        )
        common_worth = next(worth_by_award[alike] for alike in alike_awards if alike in worth_by_award)
        yield from ((alike, common_worth) for alike in alike_awards if alike != award_id)


def options_without_awards(ruleset: Ruleset, worth_by_award: Mapping[AwardId, int]) -> Iterator[str]:
    """Yield the names of the options that are only about awards of which none is in play.

    `worth_by_award` are a house's answers about awards. For other awards, the ruleset decides.
    """
    low_awards = [award_id for award_id, award in ruleset.awards.items() if award.won == "by_low_rule"]
    turned_awards = ruleset.awards_of_kind(TurnedCard)
    gift_awards = ruleset.awards_of_kind(Gift)
    for name, award_ids in {
        "low": low_awards,
        "dirty": low_awards,
        "turned_cards": turned_awards,
        "gift_to": gift_awards,
    }.items():
        if not any(worth_by_award.get(award_id, ruleset.worth(award_id)) for award_id in award_ids):
            yield name


class Points(StrictModel):
    """Which jokers are in the deck, how trumps rank, and how Low, Game and some other awards are won."""

    jokers: Literal[0, 1, 2] = declare_option(
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
    low: Literal["captured", "held", "kept"] = declare_option(
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
    """Who scores Low. In some games, it is who scores the deuce."""
    dirty: bool = declare_flag(
        False,
        "Dirty",
        "Must a {side} win {low} in a trick?",
        "To score {low}, a {side} must win the card in a trick.",
        "Nobody has to win {low} in a trick.",
        implies=lambda _, is_dirty: {"low": "captured"} if is_dirty else {},
    )
    """Whether a side must win Low, or the deuce, in a trick to score it."""
    reverse: bool = declare_flag(
        False,
        "Reverse",
        "Do trumps rank low to high?",
        "Trumps rank low to high: the {low_card} is the highest, the {high_card} the lowest.",
        "Trumps rank high to low, the {high_card} highest.",
    )
    """Whether the order of trumps is reversed, so that the lowest rank in the deck is the highest trump."""
    game_rule: Literal["card_points", "ten_of_trumps", "off"] = declare_option(
        "card_points",
        "{game}",
        "How is {game} won?",
        card_points=("most card points", "{game} goes to the most card points in tricks."),
        ten_of_trumps=("the ten of trumps", "{game} goes to whoever wins the ten of trumps."),
        off=("none", "Nobody scores {game}."),
        implies=_answers_implied_by_game_rule,
    )
    """What wins Game: the most card points, or the ten of trumps. With `off`, nobody scores it."""
    game_tie: Literal["nobody", "all_tied_score", "joker_breaks", "non_dealer", "carried_over"] = declare_option(
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
    tie_jokers: Annotated[list[AwardId], Field(max_length=2)] = declare_later_field([])
    """The awards for the jokers that break a tied Game. If empty, they are those for all jokers."""
    turned_cards: Literal["once", "last", "each"] = declare_option(
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
    """Which cards score if several are turned up for trump: one of each rank, only the last, or each."""
    gift_to: Literal["beggar", "others"] = declare_option(
        "beggar",
        "The gift",
        "Who gets the gift when three play?",
        beggar=("the beggar", "When three play, only the beggar gets the gift."),
        others=("both of the others", "When three play, both of the others get the gift."),
        is_later=True,
    )
    """Who gets the point that the dealer gives when a player begs: that player, or everyone but the dealer."""


AWARD_WORDING = Wording(
    "{award}",
    "{award}: is there a point for {card}?",
    {"n": ("{n}", "{award} scores {n}."), "no": ("no", "Nobody scores {award}.")},
)
"""The texts of the question about an award, which are the same for every award."""


def low_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about who scores Low."""
    points = ruleset.points
    has_low = any(award.won == "by_low_rule" for award in ruleset.in_play.values())
    is_captured = points.low == "captured"
    if points.dirty and not is_captured:
        message = "The card goes to whoever holds or plays it here, so nobody has to win it in a trick."
        yield Contradiction("dirty_low", message, "dirty", "low")
    if not has_low and (points.dirty or not is_captured):
        yield Contradiction("no_low", "Nobody scores Low.", *(("dirty", "low") if is_captured else ("low", "dirty")))


def game_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions between answers about Game and about a tied Game."""
    points, game = ruleset.points, ruleset.game_award
    is_game_on = game is not None and ruleset.awards[game].on
    if game and is_game_on != (points.game_rule != "off"):
        game_name = ruleset.game_name
        message = (
            f"A point for {game_name} needs a rule for who wins it."
            if is_game_on
            else f"A rule for {game_name} needs a point for it."
        )
        yield Contradiction("game_rule", message, game, "game_rule")
    if points.game_tie != "nobody" and not (is_game_on and points.game_rule == "card_points"):
        options_concerned = ("game_tie", "game_rule", *([game] if game else []))
        yield Contradiction("no_count", "Card points are not counted here: there is no tie.", *options_concerned)
    if points.game_tie == "carried_over" and (ruleset.has_bidding or ruleset.breaks_ties_in_counting_order):
        carried_over_message = "Points that are carried over fit no bid and no order of counting."
        yield Contradiction("carried_over", carried_over_message, "game_tie", "tie_rule")
    if points.game_tie == "joker_breaks" and points.jokers == 0:
        yield Contradiction("no_joker", "There is no joker in the deck to break the tie.", "game_tie", "jokers")


def card_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about cards and awards, such as an award for a card that is not in the deck."""
    deck_ranks, joker_count = ruleset.cards.deck_ranks, ruleset.points.jokers
    trump_by_award = ruleset.trump_by_award
    scored_awards = [award_id for award_id, award in ruleset.awards.items() if award.on]
    for award_id in scored_awards:
        card = trump_by_award[award_id]
        if isinstance(card, Trump | OffTrump) and card.rank not in deck_ranks:
            yield Contradiction("not_in_pack", f"There is no {card.rank} in this deck.", award_id)
    if joker_count < 2 and any(trump_by_award[award_id] in (Joker.HIGH, Joker.LOW) for award_id in scored_awards):
        two_joker_awards = [award_id for award_id, card in trump_by_award.items() if card in (Joker.HIGH, Joker.LOW)]
        message = "Points for a high and a low joker need two jokers in the deck."
        yield Contradiction("jokers", message, "jokers", *two_joker_awards)
    for award_id in scored_awards:
        if joker_count != 1 and trump_by_award[award_id] == Joker.ONLY:
            yield Contradiction("jokers", "A point for the only joker needs just one in the deck.", award_id, "jokers")
    one_trump_awards = [award_id for award_id in scored_awards if isinstance(ruleset.kinds[award_id], OneTrump)]
    has_card_twice = len({trump_by_award[award_id] for award_id in one_trump_awards}) < len(one_trump_awards)
    for first_award, other_award in combinations(one_trump_awards, 2) if has_card_twice else ():
        if trump_by_award[first_award] == trump_by_award[other_award]:
            names = f"{ruleset.awards[first_award].name} and {ruleset.awards[other_award].name}"
            yield Contradiction("same_card", f"{names} are the same card.", first_award, other_award)
    for own_award_id in (award_id for award_id in OWN_AWARD_IDS if award_id in scored_awards):
        name = ruleset.awards[own_award_id].name
        if any(
            other_award != own_award_id and ruleset.awards[other_award].name.casefold() == name.casefold()
            for other_award in scored_awards
        ):
            yield Contradiction("same_name", f"Another point is called {name}. Choose another name.", own_award_id)
    yield from _given_and_caught_contradictions(ruleset)
    yield from _plain_card_contradictions(ruleset)
    if ruleset.points.game_rule == "ten_of_trumps" and "10" not in deck_ranks:
        yield Contradiction("not_in_pack", "There is no ten in this deck.", "game_rule")
    if ruleset.play.joker_order != "marked" and joker_count < 2:
        yield Contradiction("jokers", "There are not two jokers in the deck to tell apart.", "joker_order", "jokers")


def _plain_card_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about awards for plain cards.

    The awards of one rank differ in points, or their card is a trump or is not in the deck.
    """
    award_by_trump = {ruleset.trump_by_award[award_id]: award_id for award_id in ruleset.in_play}
    for award_id, kind in ruleset.awards_of_kind(PlainCard).items():
        if award_id not in ruleset.alike_awards_by_first:
            continue
        alike_awards = ruleset.alike_awards_by_first[award_id]
        award = ruleset.awards[award_id]
        if len({(ruleset.awards[alike].on, ruleset.awards[alike].points) for alike in alike_awards}) > 1:
            yield Contradiction("same_card", f"Each {award.name} scores the same.", *alike_awards)
        if award.on and kind.rank not in ruleset.cards.deck_ranks:
            yield Contradiction("not_in_pack", f"There is no {kind.rank} in this deck.", *alike_awards)
        if award.on and (off_award := award_by_trump.get(OffTrump(kind.rank))):
            message = f"The {ruleset.awards[off_award].name} is a trump, and each {award.name} is none."
            yield Contradiction("same_card", message, off_award, *alike_awards)


def _given_and_caught_contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions about cards turned up, the gift, caught cards, and ties that go to non-dealers."""
    for award_id in ruleset.given_awards:
        if not ruleset.cards.turned_up:
            yield Contradiction("no_turn_up", "No card is turned up for trump in this game.", award_id)
    for award_id in ruleset.awards_of_kind(CaughtTrump):
        if award_id in ruleset.in_play and award_id not in ruleset.replaced_award_by_caught:
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
