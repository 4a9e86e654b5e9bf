"""How a match ends, who has won it, and what is paid then."""

from scorekeeper.rules import words
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Line, Section


def winning(telling: Telling) -> Section:
    """Tell the end of the match, with an example where it may surprise."""
    return Section("Winning", lines=(*_end(telling), *_sudden(telling), *_money(telling)))


def _end(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    if ruleset.winning.length == "hands":
        return _by_hands(telling)
    if ruleset.winning.target is None and not ruleset.winning.count_down_from and "target" not in telling.is_open:
        return ()
    lines = [_who_goes_out(telling)]
    if ruleset.winning.win_rule == "made_bid" and not ruleset.winning.count_down_from:
        lines.append(telling.line("Points taken against another’s bid count, but do not go out.", "win_rule"))
    lines += _lead(telling)
    if ruleset.winning.win_rule != "made_bid" or ruleset.table.called or telling.differs("tie_rule"):
        lines.append(telling.told("tie_rule"))
    lines += telling.told_if("defenders_stop_at_one", False)
    return (*lines, *_example(telling))


def _goal(ruleset: Ruleset) -> str:
    if ruleset.winning.count_down_from:
        return "0 or less"
    return f"{ruleset.winning.target} or more" if ruleset.winning.target else "____ or more"


def _who_goes_out(telling: Telling) -> Line:
    ruleset = telling.ruleset
    side, goal = words.side_word(ruleset), _goal(ruleset)
    its = words.phrases(ruleset)["its"]
    depends = ("win_rule", "target", "count_down_from")
    start = ""
    if ruleset.winning.count_down_from:
        start = f"Scores start at {ruleset.winning.count_down_from} and count down. "
    match ruleset.winning.win_rule:
        case "made_bid":
            who = f"A {side} wins only at the end of a hand in which {its} own bid was made, with {goal}."
        case "first_to_target":
            who = f"The first {side} with {goal} at the end of a hand wins."
        case None:
            who = f"A {side} with {goal} wins; who may go out is agreed below."
    return telling.line(start + who, *depends)


def _lead(telling: Telling) -> tuple[Line, ...]:
    return telling.told_if("win_by", None)


def _by_hands(telling: Telling) -> tuple[Line, ...]:
    hands = telling.ruleset.winning.hands or 0
    count = "lowest" if telling.ruleset.winning.count_down_from else "highest"
    again = telling.ruleset.winning.tie_rule == "another_hand"
    level = "level at the top, another hand decides" if again else "level at the top, they share it"
    return (
        telling.line(
            f"After {words.several(hands, 'hand')} the {count} score wins; {level}.", "length", "hands", "tie_rule"
        ),
    )


def _sudden(telling: Telling) -> tuple[Line, ...]:
    """Tell what ends a match besides the score."""
    return (*telling.told_if("set_limit", None), *telling.told_if("four_points_win_game", False))


def _example(telling: Telling) -> tuple[Line, ...]:
    """Show the one case in which the lower score may win."""
    ruleset = telling.ruleset
    target = ruleset.winning.target
    if not target or not ruleset.bidding.auction or ruleset.winning.win_by:
        return ()
    us, them = ("Us", "Them") if ruleset.table.partners else ("Ann", "Bea")
    wins = "win" if ruleset.table.partners else "wins"
    have = "have" if ruleset.table.partners else "has"
    if ruleset.winning.win_rule == "made_bid":
        told = f"{us} made the bid and {have} {target}, {them} {have} {target + ruleset.on_offer}: {us} {wins}."
        return (telling.line(told, is_spare=True),)
    if ruleset.winning.win_rule == "first_to_target" and ruleset.winning.tie_rule in (
        "bidder_first",
        "bidder_or_play_on",
    ):
        ahead = ruleset.on_offer - ruleset.bottom_number - 1
        if ahead > 0:
            told = f"{us} bid, made it and {have} {target}, {them} {have} {target + ahead}: {us} {wins}."
            return (telling.line(told, is_spare=True),)
    return ()


def _money(telling: Telling) -> tuple[Line, ...]:
    """Tell who pays whom when the match is settled."""
    ruleset = telling.ruleset
    lines = []
    if ruleset.money.settles != "hand" and (cents := ruleset.money.cents_per_point):
        if ruleset.money.settles == "average":
            lines.append(telling.line("No score ends the match: settle up whenever somebody comes or goes."))
        each = words.money(cents)
        lines.append(
            telling.line(
                f"Each point above the average of the scores gets {each}, each point below it pays {each}.",
                "cents_per_point",
            )
        )
    if ruleset.money.settles == "hand":
        lines.append(telling.line("Every hand is paid at once: stop whenever you like."))
    return (*lines, *_stakes(telling))


def _stakes(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    for_game, for_set = ruleset.money.game_stake_cents, ruleset.money.set_stake_cents
    parts = []
    if for_game or "game_stake_cents" in telling.is_open:
        parts.append(words.money(for_game) if for_game else "____")
    if for_set or "set_stake_cents" in telling.is_open:
        paid = words.money(for_set) if for_set else "____"
        parts.append(f"{paid} for each time that they were set")
    if not parts:
        return ()
    twice = " (a failed moon counts twice)" if ruleset.moon.moon == "to_minus_four" and len(parts[-1]) > 12 else ""
    return (
        telling.line(
            f"The winner gets from each other player {words.listed(parts)}{twice}.",
            "game_stake_cents",
            "set_stake_cents",
        ),
    )
