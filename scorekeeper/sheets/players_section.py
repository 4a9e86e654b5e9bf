"""Who plays, with which cards, and how trumps rank where that is not plain."""

from collections.abc import Iterator, Sequence

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId, OneCard
from scorekeeper.rules.cards import JOKERS, RANK_NAMES, OffTrump, Trump, trump_name
from scorekeeper.rules.schema import Ruleset, Table
from scorekeeper.sheets.parts import Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter

_AGAINST = {2: "two", 3: "three"}
_BOTH = "A player alone is a side, too."


def players_section(writer: SheetWriter) -> Section:
    """Return who plays, and what cards there are."""
    rules = writer.with_own(
        "players",
        writer.rule("players.seats", _seats(writer.ruleset.table)),
        writer.rule("players.deck", _deck(writer.ruleset), "jokers"),
        *_trumps(writer),
    )
    return Section("players", "Players and cards", rules=rules)


def _seats(table: Table) -> str:
    if table.called:
        return f"{_players(table)}. The bidder calls a partner for the hand, and each player keeps a score."
    partners = "; or ".join(_partners(*it) for it in sorted(table.partners.items()))
    if not table.most:
        return f"{phrases.sentence(partners)}. {_opposite(table)}."
    if table.open:
        return f"{_players(table)}. You pick the sides: each alone, or partners opposite each other. {_BOTH}"
    if partners:
        return f"{_count(range(table.fewest, table.most + 1))}, each alone; or {partners}. {_opposite(table)}. {_BOTH}"
    return f"{_players(table)}, each alone."


def _players(table: Table) -> str:
    return _count(table.player_counts)


def _count(counts: Sequence[int]) -> str:
    if len(counts) == 2:
        return f"{_number(counts[0])} or {phrases.number(counts[1])} play"
    return (
        f"{_number(counts[0])} play"
        if len(counts) == 1
        else f"{_number(counts[0])} to {phrases.number(counts[-1])} play"
    )


def _partners(players: int, sides: int) -> str:
    against = " against ".join([_AGAINST.get(players // sides, str(players // sides))] * sides)
    return f"{phrases.number(players)} play, {against}"


def _opposite(table: Table) -> str:
    most = max(players // sides for players, sides in table.partners.items())
    return "Partners sit opposite each other" if most == 2 else "Every other player is on the same side"


def _number(count: int) -> str:
    return phrases.sentence(phrases.number(count))


def _deck(ruleset: Ruleset) -> str:
    ranks, jokers = ruleset.cards.deck_ranks, ruleset.points.jokers
    with_jokers = ("", " and one joker", " and both jokers")[jokers]
    if len(ranks) == len(RANK_NAMES):
        return f"Use the usual 52 cards{with_jokers}. The ace is high."
    number = 4 * len(ranks) + jokers
    return f"Use {number} cards: {phrases.listed(ranks)} of each suit{with_jokers}. The ace is high."


def _trumps(writer: SheetWriter) -> Iterator[Rule]:
    """Yield which cards are trumps beside those of the suit, where they rank, and what some are called."""
    ruleset = writer.ruleset
    above_jokers = "the jack"
    awards_above: tuple[AwardId, ...] = ()
    for award_id, award in ruleset.in_play.items():
        match ruleset.kinds[award_id]:
            case OneCard(OffTrump(rank)):
                name = RANK_NAMES[rank]
                other = f"The {name} of the other suit of the same color"
                text = f"{other} is the {award.name}: a trump too, just below the {name}."
                if rank == "J":
                    above_jokers, awards_above = f"the {award.name}", (award_id,)
                yield writer.rule(f"players.{award_id}", text, award_id)
            case OneCard(Trump(rank) as card) if award.name.lower() != RANK_NAMES[rank]:
                yield writer.rule(f"players.{award_id}", f"The {award.name} is {trump_name(card)}.", award_id)
    if ruleset.points.jokers:
        order = "The joker is a trump" if ruleset.points.jokers == 1 else "Both jokers are trumps"
        where = "the lowest of all" if ruleset.has_lowest_jokers else f"just below {above_jokers}"
        text = f"{order}, {where}: the High Joker, then the Low Joker."
        if ruleset.points.jokers == len(JOKERS[1]):
            text = f"{order}, {where}."
        yield writer.rule("players.jokers", text, "jokers", *awards_above)
        if ruleset.points.jokers == 2:
            yield writer.answer("players.joker_order", "joker_order", "jokers")
    yield from writer.unusual("players", "reverse")
