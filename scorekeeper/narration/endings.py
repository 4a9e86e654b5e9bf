"""What a match goes to, how it ended, and the rule that decided, in a few words."""

from collections.abc import Iterator

from scorekeeper.engine.match import MatchState
from scorekeeper.engine.target import target_of
from scorekeeper.narration.phrases import Names, named, score_text, verb
from scorekeeper.rules.phrases import digits, listed, times, two_sides
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset

_OPTION_OF = {
    "made_bid": "win_rule",
    "turned_up": "win_rule",
    "first_to_target": "win_rule",
    "moon_won": "moon",
    "moon_lost": "moon",
    "all_points": "four_points_win_game",
    "set_limit": "set_limit",
    "hands": "length",
}
"""Which house option decided, by the rule that an outcome names; tie rules stand for themselves."""


def goal_words(ruleset: Ruleset) -> str:
    """Return in a few words what a match goes to: "to 21", "from 21 down", "12 hands", "for money", "no target"."""
    winning = ruleset.winning
    if winning.length == "hands":
        return digits(winning.hands or 0, "hand")
    if winning.count_down_from:
        return f"from {winning.count_down_from} down"
    if winning.target:
        return f"to {winning.target}"
    if "target" in ruleset.to_agree:
        return "you pick the target"
    return "for money" if ruleset.pays else "no target"


def ends_words(ruleset: Ruleset, *, may_tie: bool) -> str:
    """Return how a match ends, whoever is near: "First to 42 at the end of a hand; both there: the bidder.".

    `may_tie` says whether several can reach the target on the same hand. It is empty where no score ends the match.
    """
    winning = ruleset.winning
    if winning.length == "hands":
        return " ".join((*_by_hands(ruleset), *_outright(ruleset)))
    target = target_of(ruleset)
    if target is None:
        return ""
    down = f"Scores count down from {winning.count_down_from}. " if winning.count_down_from else ""
    made = ", and only on a made bid" if winning.win_rule == "made_bid" else ""
    lead = f", with a lead of {winning.win_by}" if winning.win_by else ""
    tie = f"; {_tied(ruleset)}" if may_tie else ""
    return " ".join((f"{down}First to {target} at the end of a hand{made}{lead}{tie}.", *_outright(ruleset)))


def _by_hands(ruleset: Ruleset) -> Iterator[str]:
    winning = ruleset.winning
    best = "lowest" if winning.count_down_from else "highest"
    tied = "play another hand" if winning.plays_on_when_tied else "they share the win"
    yield f"After {digits(winning.hands or 0, 'hand')} the {best} score wins; tied: {tied}."


def _tied(ruleset: Ruleset) -> str:
    """Return who wins where several reach the target on the same hand: "both there: the bidders"."""
    rule = ruleset.winning.tie_rule
    is_two = two_sides(ruleset)
    who = "the bidders" if is_two and rule == "bidder_first" else QUESTIONS["tie_rule"].label(rule, ruleset)
    return f"{'both' if is_two else 'several'} there: {who}"


def _outright(ruleset: Ruleset) -> Iterator[str]:
    """Yield what ends a match besides, and who does not win with whom."""
    if ruleset.moon.moon == "win_or_lose":
        yield "A moon can win or lose the match."
    elif ruleset.moon.moon == "win_or_minus_target":
        yield "A made moon can win the match."
    if ruleset.winning.set_limit:
        yield f"Whoever is set {times(ruleset.winning.set_limit)} loses."
    if ruleset.winning.four_points_win_game:
        yield "Every point in one hand wins."
    if ruleset.table.called:
        yield "A called partner does not win with the bidder."


def outcome_heading(state: MatchState, names: Names, *, stopped: bool) -> str:
    """Return in a word or two how a match stands: "Us win", "Stopped", "Not over yet"."""
    if state.outcome is None:
        return "Stopped" if stopped else "It depends" if state.question else "Not over yet"
    winners = state.outcome.winners
    return f"{listed(named(winners, names))} {verb(state.seats, winners, 'win', 'wins')}"


def final_score(state: MatchState) -> str:
    """Return the scores, the winner's first: "21 to 25"; of more than two sides "with 42".

    It is empty where nobody has won.
    """
    if state.outcome is None:
        return ""
    winners = state.outcome.winners
    if len(state.scores) > 2:
        return f"with {score_text(state.scores[winners[0]])}"
    others = [side for side in state.scores if side not in winners]
    return " to ".join(score_text(state.scores[side]) for side in (*winners, *others))


def deciding_rule(state: MatchState) -> str:
    """Return the whole rule that decided a match, as the rule sheet has it; empty where nothing has."""
    return " ".join(QUESTIONS[option].rule(state.ruleset) for option in deciding_options(state))


def deciding_options(state: MatchState) -> tuple[str, ...]:
    """Return the house options that say how a match was decided; none where nothing has."""
    if state.outcome is None:
        return ()
    option = _OPTION_OF.get(state.outcome.rule, "tie_rule")
    if option == "win_rule" and state.ruleset.winning.count_down_from:
        return (option, "count_down_from")
    return (option, "win_by") if option in ("win_rule", "tie_rule") and state.ruleset.winning.win_by else (option,)
