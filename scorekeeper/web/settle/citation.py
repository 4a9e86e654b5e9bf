"""The numbered rules of the sheet that a ruling rests on."""

from collections.abc import Iterator

from scorekeeper.engine.readings import Ruling
from scorekeeper.narration.hands import HandLine
from scorekeeper.sheets.citations import Citations, CitedRule


def deciding_rules(ruling: Ruling, rules: Citations) -> tuple[CitedRule, ...]:
    """Return the rules that decide: who has won, or that the bid is set, or else what ends the match."""
    return tuple(dict.fromkeys(_deciding(ruling, rules)))


def _deciding(ruling: Ruling, rules: Citations) -> Iterator[CitedRule]:
    state, result = ruling.state, ruling.result
    is_set = result.score is not None and result.score.made is False
    found = [rules.set(result.bid) if is_set else None]
    if result.set_taken_by:
        is_set, found = True, [rules.rule("bid.all_pass")]
    if state.outcome:
        found.append(rules.outcome(state.outcome.rule))
    elif not is_set:
        found.append(next(iter(rules.ends()), None))
    yield from (rule for rule in found if rule)


def rules_of_line(ruling: Ruling, line: HandLine, rules: Citations) -> tuple[CitedRule, ...]:
    """Return the rules by which a line of the hand scores."""
    if line.awards:
        return rules.awards(line.awards)
    hand_sides = ruling.result.hand_sides
    bidders = hand_sides.bidders if hand_sides else ()
    rule = rules.reason(line.reason, ruling.result.bid, is_bidder=line.sides[0] in bidders)
    return (rule,) if rule else ()
