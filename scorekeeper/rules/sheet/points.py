"""The points of a hand: how each is won, by whom, and whether it may be nobody's."""

from collections.abc import Sequence

from scorekeeper.rules import words
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import AwardId, Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Line, Section

IT = "{it}"
"""Stands for the card until it is known how many awards are won alike."""


def points(telling: Telling) -> Section:
    """Tell who scores each award; awards that are won alike stand in one line."""
    groups: dict[tuple[str, bool], list[AwardId]] = {}
    for award_id in telling.ruleset.in_play:
        alike = _how(telling.ruleset, award_id), _is_house(telling, award_id)
        groups.setdefault(alike, []).append(award_id)
    lines = [_line(telling, how, awards, is_house) for (how, is_house), awards in groups.items()]
    return Section("Points", lines=(*lines, *_level(telling), *_nobodys(telling)))


def _who(ruleset: Ruleset) -> str:
    return "the side that" if words.side_word(ruleset) == "side" else "the player who"


def _how(ruleset: Ruleset, award_id: AwardId) -> str:
    """Say who scores an award, without its name."""
    award, how, who = ruleset.awards[award_id], ruleset.how_won(award_id), _who(ruleset)
    its = words.phrases(ruleset)["its"]
    if how == "card_points":
        most = who.removesuffix(" that").removesuffix(" who")
        return f"{most} with the most card points in {its} tricks: {_counted(ruleset)}."
    thing = IT if _is_one_card(ruleset, award_id) else words.award_card(award_id, award)
    if award.won == "by_game_rule":
        thing = "the ten of trumps"
    match how:
        case "held":
            return f"{who} was dealt {thing}, whoever takes it."
        case "kept":
            return f"{who} plays {thing}: nobody can take it."
        case _ if ruleset.points.dirty and award.won == "by_low_rule":
            return f"{who} takes {thing}: it has to be carried home."
        case _:
            return f"{who} takes {thing}."


def _is_one_card(ruleset: Ruleset, award_id: AwardId) -> bool:
    """Tell whether an award hangs on a card of its own that the row of trumps shows."""
    award = ruleset.awards[award_id]
    return award_id not in ("high", "low", "game") and award.card not in ("spade", "trick")


def _is_house(telling: Telling, award_id: AwardId) -> bool:
    """Tell whether the house changed an award, or the rule that decides it."""
    rule = {"by_low_rule": ("low", "dirty"), "by_game_rule": ("game_rule",)}.get(
        telling.ruleset.awards[award_id].won, ()
    )
    changed_rule = any(
        QUESTIONS[option].answer(telling.ruleset) != QUESTIONS[option].answer(telling.base) for option in rule
    )
    return award_id in telling.changed_awards or changed_rule


def _line(telling: Telling, how: str, awards: Sequence[AwardId], is_house: bool) -> Line:
    ruleset = telling.ruleset
    lead = ", ".join(f"{ruleset.awards[award_id].name} {ruleset.awards[award_id].points}" for award_id in awards)
    return Line(how.replace(IT, "it" if len(awards) == 1 else "the card"), f"{lead}:", is_house)


def _counted(ruleset: Ruleset) -> str:
    ranks = ruleset.cards.ranks.split()
    return ", ".join(f"{words.RANKS[rank]} {worth}" for rank, worth in words.CARD_POINTS.items() if rank in ranks)


def _level(telling: Telling) -> tuple[Line, ...]:
    """Tell what becomes of a level count."""
    ruleset = telling.ruleset
    counts = "game" in ruleset.in_play and ruleset.how_won("game") == "card_points"
    return (telling.told("game_tie"),) if counts else ()


def _nobodys(telling: Telling) -> tuple[Line, ...]:
    """Tell which points may go to nobody."""
    ruleset = telling.ruleset
    free = [award_id for award_id, award in ruleset.in_play.items() if award.unclaimed and award_id != "game"]
    if ruleset.how_won("game") != "card_points" and "game" in ruleset.in_play:
        free.append("game")
    cards = [award_id for award_id in ruleset.in_play if _is_one_card(ruleset, award_id)]
    if not free:
        return ()
    if len(free) > 2 and set(cards) <= set(free):
        return (telling.line("A scoring card that is not in play is nobody’s.", is_spare=True),)
    named = words.listed((ruleset.awards[award_id].name for award_id in free), "or")
    return (telling.line(f"{named} not in play: nobody scores it."),)
