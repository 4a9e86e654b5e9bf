"""What the match page shows, and the questions that are asked before a whole match changes."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.engine.match import MatchState, score_histories
from scorekeeper.engine.readings import rule_on, winners_of
from scorekeeper.engine.standing import target_of
from scorekeeper.graphics.chart import ChartView, draw_chart
from scorekeeper.graphics.race_and_strip import RaceView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.rights import may_redo, may_undo
from scorekeeper.ledger.roles import SCORER, allows
from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.endings import (
    deciding_options,
    deciding_rule,
    ends_words,
    final_score,
    goal_words,
    no_end_sentence,
    outcome_heading,
    verdict_sentence,
)
from scorekeeper.narration.hands import bid_line
from scorekeeper.narration.notices import Notice, announcement, held_back_notice, last_change, waiting_notice
from scorekeeper.narration.payments import sums, transfers
from scorekeeper.narration.phrases import opponents
from scorekeeper.narration.readings import ending_words
from scorekeeper.narration.rule_changes import RulesNotice, rules_notice
from scorekeeper.rules.phrases import listed
from scorekeeper.services.money_nights import may_change_players
from scorekeeper.sheets.citations import CitedRule
from scorekeeper.web.match.hands import HandsView, correction_words, latest_hands, line_views, made_or_set_by, turned_on
from scorekeeper.web.match.scoreboard import MOST_CARDS, ScoreView, TurnView, race_view, score_views, turn_view
from scorekeeper.web.rules.source import standard_rules
from scorekeeper.web.shared.library import earlier_rules, library, rules_of, rules_of_hand
from scorekeeper.web.shared.match_views import ReadingsView, memoized, readings_view, side_views
from scorekeeper.web.shared.reader import plain_day
from scorekeeper.web.shared.widgets import LineView

MOST_HANDS = 12
"""On the match page; the history has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """A hand that was corrected, and counts."""

    text: str
    """"Hand 9 was corrected by Bea: bid 3 → 4"."""
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """How a match ended, or who leads where it was stopped."""

    heading: str
    """"Us win", "Stopped"."""
    score: str
    """"21 to 25", the winners' first; empty where nobody has won."""
    why: str
    corrections: tuple[CorrectionView, ...]
    since: tuple[str, ...]
    """What became of it since: how it had ended before, hands after the end."""
    rule: str
    cited: tuple[CitedRule, ...]
    """Where that rule stands on the sheet."""
    earlier_rules: int | None
    """A hand on whose page the rules of the hand that decided are, where the match has others by now."""
    is_house_rule: bool
    """Whether the table plays that rule otherwise than the standard game."""
    hand_number: int | None
    """The hand that decided; its bid and its lines follow."""
    hand_bid: str
    """"Cal 3 ♥ made"."""
    hand_cited: tuple[CitedRule, ...]
    """By which rule it was made or set."""
    lines: tuple[LineView, ...]
    turned_on: tuple[CitedRule, ...]
    """The rules that this hand turned on, besides the one that decided."""

    @property
    def is_won(self) -> bool:
        """Whether somebody has won."""
        return self.score != ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndsView:
    """How the match ends, and the rules that a score turns on."""

    sentence: str
    """"First to 21 at the end of a hand, and only on a made bid."; empty where no score ends it."""
    terms: tuple[CitedRule, ...]
    lacks_target: bool
    """Whether the table may still pick one."""
    was: str
    """"Until hand 5 it was to 42.", where the match had another target."""
    payments: tuple[str, ...]
    """Who pays whom if the table settles now: "Bob pays Ann 17 cents"."""
    paid_by: tuple[CitedRule, ...]
    """What a point, a set and the match pay."""
    sums: tuple[str, ...]
    """How each comes to what they owe or get."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """Template match/show.html. Blocks: board, announcement, turn, history, chart, bottom_bar."""

    code: str
    version: int
    role: str
    """What the phone's link allows."""
    title: str
    page_title: str
    rules: str
    """"Partnership Pitch, to 21"."""
    is_owner: bool
    may_score: bool
    phone_of: str
    """Whose phone it is, where that is known."""
    next_step: str
    asked_hand: int
    """The uid of the hand that is asked who took what; 0 where none is."""
    """The main button: `record`, `again`, `resume`, `night`, or `accept` where it is won but for hands that wait."""
    is_for_money: bool
    may_change_players: bool
    """Whether players may join and leave now, which settles up."""
    can_take_back: bool
    """Whether the change of players that began the match can be undone."""
    can_undo: bool
    can_redo: bool
    has_new_role: bool
    """Whether this phone may score since it last asked, or may no longer."""
    notices: tuple[Notice, ...]
    rules_notice: RulesNotice | None
    announcement: str
    """The last change in a sentence, read aloud when it comes."""
    is_news: bool
    """Whether this phone has just written it, and reads it aloud as the page opens."""
    scores: tuple[ScoreView, ...]
    is_rows: bool
    """Whether the scores stand in rows instead of cards."""
    race: RaceView | None
    held_back_by: tuple[CitedRule, ...]
    """The rule by which nobody has won who is at the target."""
    ends: EndsView
    turn: TurnView | None
    verdict: VerdictView | None
    readings: ReadingsView | None
    """What other tables would make of the hand that decided; `None` where that is the same, or nobody has won."""
    hands: HandsView
    chart: ChartView | None
    """From the second hand on."""
    chart_ends: int | None
    """The last hand in the chart, where hands after it wait to be accepted."""


def match_page(
    match: Match,
    dates: DateStyle,
    *,
    actor: str = "",
    phones: Collection[str] = (),
    since: int | None = None,
    old_role: str = "",
    is_news: bool = False,
    can_take_back: bool = False,
) -> MatchPage:
    """Return what the match page shows to the phone that signs as `actor`.

    `phones` are the sides that have one, `since` the version and `old_role` the role that the phone has on its screen.
    """
    log, link, verdict = match.log, match.link, verdict_view(match)
    notices = (
        waiting_notice(match, actor, phones),
        held_back_notice(match),
        last_change(match) if is_news else None,
    )
    hands = latest_hands(match, MOST_HANDS, match.version - 1 if is_news else since)
    return MatchPage(
        code=match.code,
        version=match.version,
        role=link.role,
        title=match_title(match),
        page_title=title_of_page(match, dates),
        rules=rules_words(match.state),
        is_owner=link.is_owner,
        may_score=link.may_score,
        phone_of=match.names[link.seat] if link.seat else "",
        next_step=_next_step(match),
        asked_hand=_asked_hand(match),
        is_for_money=match.state.ruleset.pays,
        may_change_players=may_change_players(match) and match.link.may_score and match.status == "in_progress",
        can_take_back=can_take_back,
        can_undo=can_undo(match, actor),
        can_redo=can_redo(match, actor),
        has_new_role=bool(old_role) and allows(old_role, SCORER) != link.may_score,
        notices=tuple(notice for notice in notices if notice),
        rules_notice=rules_notice(match, dates),
        announcement=announcement(match),
        is_news=is_news,
        scores=score_views(match),
        is_rows=len(hands.sides) > MOST_CARDS,
        race=None if verdict else race_view(match),
        held_back_by=_held_back_by(match),
        ends=ends_view(match),
        turn=None if verdict else turn_view(match),
        verdict=verdict,
        readings=_readings(match) if match.counted.outcome else None,
        hands=hands,
        chart=_chart(match),
        chart_ends=match.counted.next_number - 1 if log.counted < len(log.hands) else None,
    )


def match_title(match: Match) -> str:
    """Return a match's title, or who plays it: "Ann & Cal v. Bea & Dan"."""
    return match.title or opponents(match.state.seats.ids, match.names)


def title_of_page(match: Match, dates: DateStyle) -> str:
    """Return what a browser's tab calls a match: "Thursday: Ann & Cal v. Bea & Dan", or its players and its day."""
    people = opponents(match.state.seats.ids, match.names)
    if match.title:
        return f"{match.title}: {people}"
    played_on = match.setup.played_on or match.setup.created_at.astimezone().date().isoformat()
    return f"{people}, {plain_day(played_on, dates)}"


def rules_words(state: MatchState) -> str:
    """Return which game is played, and how far: "Partnership Pitch, to 21"."""
    return f"{state.ruleset.name}, {goal_words(state.ruleset)}"


def can_undo(match: Match, actor: str) -> bool:
    """Return whether the phone that signs as `actor` may undo what was written last."""
    return may_undo(match.setup, match.log, match.link, actor)


def can_redo(match: Match, actor: str) -> bool:
    """Return whether the phone that signs as `actor` may bring back what the last undo took."""
    return may_redo(match.setup, match.log, match.link, actor)


def verdict_view(match: Match) -> VerdictView | None:
    """Return who won and why, or that the match is stopped; `None` for one that goes on."""
    state = match.counted
    if not state.outcome and not match.log.is_stopped:
        return None
    last = state.last_scored if state.outcome else None
    cited = _cited(match)
    return VerdictView(
        heading=outcome_heading(state, match.names, stopped=True),
        score=final_score(state),
        why=verdict_sentence(state, match.names, stopped=match.log.is_stopped),
        corrections=tuple(_corrections(match)) if last else (),
        since=tuple(_since(match)) if last else (),
        rule=deciding_rule(state),
        cited=cited,
        earlier_rules=earlier_rules(match, last.ruleset) if last else None,
        is_house_rule=_is_house_rule(state),
        hand_number=last.number if last else None,
        hand_bid=bid_line(last, match.names_in(last.place)) if last else "",
        hand_cited=made_or_set_by(last) if last else (),
        lines=line_views(match, last) if last else (),
        turned_on=tuple(rule for rule in turned_on(last) if rule not in cited) if last else (),
    )


def _corrections(match: Match) -> Iterator[CorrectionView]:
    """Yield which of the hands that count were corrected."""
    for result, logged in zip(match.counted.results, match.log.hands, strict=False):
        if logged.corrections and result.status == "scored":
            text = f"Hand {result.number} was {correction_words(match, result, logged)}"
            yield CorrectionView(text=text, at=logged.corrections[-1].stamp.at)


def _since(match: Match) -> Iterator[str]:
    """Yield how a match had ended before the last change, and which hands came after its end."""
    before = match.before_last_change()
    if before and before.counted.outcome and before.counted.outcome.winners != winners_of(match.counted):
        yield f"Before that: {ending_words(before.counted, before.names)}."
    late = [str(result.number) for result in match.counted.results if result.status == "after_end"]
    if late:
        came = "came after the end and do" if len(late) > 1 else "came after the end and does"
        yield f"Hand{'s' if len(late) > 1 else ''} {listed(late)} {came} not count."


def _cited(match: Match) -> tuple[CitedRule, ...]:
    """Return where the rule that decided stands on the sheet of the hand that decided."""
    state, last = match.counted, match.counted.last_scored
    if state.outcome is None or last is None:
        return ()
    return rules_of_hand(last).decided(state.outcome.rule, deciding_options(state)[1:])


@memoized
def _readings(match: Match) -> ReadingsView | None:
    """Return the other readings of the hand that decided."""
    last = match.counted.last_scored
    if last is None:
        return None
    agreed = match.agreed(last.place)
    ruling = rule_on(match.state_at(last.place), last.hand, standard_rules(last.ruleset), agreed.keys())
    return readings_view(ruling, match.names, side_views(match)) if ruling.others else None


def _held_back_by(match: Match) -> tuple[CitedRule, ...]:
    rules, winning = rules_of(match), match.state.ruleset.winning
    if match.state.question:
        rule = rules.rule("win.tie_rule", "win.four_points_win_game")
    elif winning.win_rule == "made_bid":
        rule = rules.rule("win.target")
    else:
        rule = rules.rule("win.win_by" if winning.win_by else "win.tie_rule")
    return (rule,) if rule else ()


@memoized
def ends_view(match: Match) -> EndsView:
    """Return how a match ends under the rules in force."""
    rules = rules_of(match)
    sentence = ends_words(match.state.ruleset, may_tie=rules.rule("win.tie_rule") is not None)
    return EndsView(
        sentence=sentence or no_end_sentence(match.state.ruleset),
        terms=rules.terms(),
        lacks_target="target" in match.state.ruleset.to_agree and target_of(match.state.ruleset) is None,
        was=_earlier_goal(match),
        payments=transfers(match.counted.money or {}, match.names),
        paid_by=rules.paid() if match.state.ruleset.pays else (),
        sums=sums(match.counted, match.names),
    )


def _earlier_goal(match: Match) -> str:
    """Return what the match went to before the rules changed."""
    goals = [(hand.number, goal_words(hand.ruleset)) for hand in match.state.results]
    now = goal_words(match.state.ruleset)
    return next((f"Until hand {number} it was {goal}." for number, goal in reversed(goals) if goal != now), "")


def _is_house_rule(state: MatchState) -> bool:
    ruleset, variants = state.ruleset, library()
    base = variants[ruleset.id] if ruleset.id in variants else ruleset
    return any(ruleset.answer(option) != base.answer(option) for option in deciding_options(state))


def _asked_hand(match: Match) -> int:
    last = match.counted.last_scored
    return match.log.hands[last.place - 1].uid if match.counted.question and last else 0


def _next_step(match: Match) -> str:
    if match.counted.outcome:
        return "again"
    if match.log.is_stopped:
        # A match for money that is settled up may have gone on in the next: the money night knows.
        return "night" if match.state.ruleset.pays else "resume"
    # Won as it is written, and not yet as it counts: there is no hand to record before it is accepted.
    if match.counted.question:
        return "cards"
    return "record" if match.state.goes_on else "accept"


@memoized
def _chart(match: Match) -> ChartView | None:
    if match.counted.ruleset.money.settles == "hand":
        return None  # there is no score to draw
    return draw_chart(score_histories(match.counted), side_views(match), target=target_of(match.counted.ruleset))


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeMatch:
    """Templates match/stop.html, match/delete.html and match/deleted.html."""

    code: str
    title: str
    hands: int
    is_owner: bool


def whole_match(match: Match) -> WholeMatch:
    """Return what is shown before a whole match is stopped or deleted, and after it was."""
    return WholeMatch(
        code=match.code, title=match_title(match), hands=len(match.log.hands), is_owner=match.link.is_owner
    )
