"""What a match goes to, how it ended, and the rule that decided, in a few words."""

from scorekeeper.engine.match import MatchState
from scorekeeper.engine.outcome import comparable
from scorekeeper.narration.phrases import Names, named, score_text, verb
from scorekeeper.rules.phrases import digits, listed
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset

_OPTION_OF = {
    "made_bid": "win_rule",
    "first_to_target": "win_rule",
    "moon_won": "moon",
    "moon_lost": "moon",
    "all_points": "four_points_win_game",
    "set_limit": "set_limit",
    "hands": "length",
}
"""Which house option decided, by the rule that an outcome names; tie rules stand for themselves."""


def goal_words(ruleset: Ruleset) -> str:
    """Return in a few words what a match goes to: "to 21", "from 21 down", "12 hands", "for money"."""
    winning = ruleset.winning
    if winning.length == "hands":
        return digits(winning.hands or 0, "hand")
    if winning.count_down_from:
        return f"from {winning.count_down_from} down"
    if winning.target:
        return f"to {winning.target}"
    return "you pick the target" if "target" in ruleset.to_agree else "for money"


def outcome_heading(state: MatchState, names: Names, *, stopped: bool) -> str:
    """Return in a word or two how a match stands: "Us win", "Stopped", "Not over yet"."""
    if state.outcome is None:
        return "Stopped" if stopped else "Not over yet"
    winners = state.outcome.winners
    return f"{listed(named(winners, names))} {verb(state.seats, winners, 'win', 'wins')}"


def final_score(state: MatchState) -> str:
    """Return the scores, the winners' first: "21 to 25"; empty where nobody has won."""
    if state.outcome is None:
        return ""
    winners = state.outcome.winners
    others = [side for side in state.scores if side not in winners]
    others.sort(key=lambda side: -comparable(state.ruleset, state.scores[side]))
    return " to ".join(score_text(state.scores[side]) for side in (*winners, *others))


def deciding_rule(state: MatchState) -> str:
    """Return the whole rule that decided a match, as the rule sheet has it; empty where nothing has."""
    return " ".join(QUESTIONS[option].rule(state.ruleset) for option in deciding_options(state))


def deciding_options(state: MatchState) -> tuple[str, ...]:
    """Return the house options that say how a match was decided; none where nothing has."""
    if state.outcome is None:
        return ()
    option = _OPTION_OF.get(state.outcome.rule, "tie_rule")
    return (option, "win_by") if option in ("win_rule", "tie_rule") and state.ruleset.winning.win_by else (option,)
