"""What the match page shows, and the questions that are asked before a whole match changes."""

from collections.abc import Collection
from dataclasses import dataclass

from scorekeeper.engine.match import MatchState
from scorekeeper.engine.outcome import target_of
from scorekeeper.engine.score_history import score_histories
from scorekeeper.graphics.chart import ChartView, draw_chart
from scorekeeper.graphics.race_and_strip import RaceView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import SCORER, allows
from scorekeeper.narration.announcement import announcement
from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.endings import deciding_options, deciding_rule, final_score, goal_words, outcome_heading
from scorekeeper.narration.hands import bid_line, last_scored
from scorekeeper.narration.notices import Notice, held_back_notice, last_change
from scorekeeper.narration.phrases import opponents
from scorekeeper.narration.rule_changes import RulesNotice, rules_notice
from scorekeeper.narration.verdict import verdict_sentence
from scorekeeper.narration.waiting import waiting_notice
from scorekeeper.web.match.hands import HandsView, latest_hands, line_views
from scorekeeper.web.match.scoreboard import MOST_CARDS, ScoreView, TurnView, race_view, score_views, turn_view
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.memoized import memoized
from scorekeeper.web.shared.side_views import side_views, side_views_in
from scorekeeper.web.shared.times import plain_day
from scorekeeper.web.shared.widgets import LineView

MOST_HANDS = 12
"""On the match page; the history has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """How a match ended, or who leads where it was stopped."""

    heading: str
    """"Us win", "Stopped"."""
    score: str
    """"21 to 25", the winners' first; empty where nobody has won."""
    why: str
    rule: str
    is_house_rule: bool
    """Whether the table plays that rule otherwise than the standard game."""
    hand_number: int | None
    """The hand that decided; its bid and its lines follow."""
    hand_bid: str
    """"Cal 3 ♥ made"."""
    lines: tuple[LineView, ...]

    @property
    def is_won(self) -> bool:
        """Whether somebody has won."""
        return self.score != ""


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
    """The main button: `record`, `again`, `resume`, or `accept` where it is won but for hands that wait."""
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
    turn: TurnView | None
    verdict: VerdictView | None
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
        can_undo=can_undo(match),
        can_redo=can_redo(match),
        has_new_role=bool(old_role) and allows(old_role, SCORER) != link.may_score,
        notices=tuple(notice for notice in notices if notice),
        rules_notice=rules_notice(match, dates),
        announcement=announcement(match),
        is_news=is_news,
        scores=score_views(match),
        is_rows=len(hands.sides) > MOST_CARDS,
        race=None if verdict else race_view(match),
        turn=None if verdict else turn_view(match),
        verdict=verdict,
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


def can_undo(match: Match) -> bool:
    """Return whether this phone may undo something."""
    return match.link.may_score and match.log.undo_next is not None


def can_redo(match: Match) -> bool:
    """Return whether this phone may bring back what an undo took."""
    return match.link.may_score and match.log.redo_target is not None


def verdict_view(match: Match) -> VerdictView | None:
    """Return who won and why, or that the match is stopped; `None` for one that goes on."""
    state = match.counted
    if not state.outcome and not match.log.is_stopped:
        return None
    last = last_scored(state) if state.outcome else None
    return VerdictView(
        heading=outcome_heading(state, match.names, stopped=True),
        score=final_score(state),
        why=verdict_sentence(state, match.names, stopped=match.log.is_stopped),
        rule=deciding_rule(state),
        is_house_rule=_is_house_rule(state),
        hand_number=last.number if last else None,
        hand_bid=bid_line(last, match.names_in(last.place)) if last else "",
        lines=line_views(side_views_in(match, last.place), last) if last else (),
    )


def _is_house_rule(state: MatchState) -> bool:
    ruleset, variants = state.ruleset, library()
    base = variants[ruleset.id] if ruleset.id in variants else ruleset
    return any(ruleset.answer(option) != base.answer(option) for option in deciding_options(state))


def _next_step(match: Match) -> str:
    if match.counted.outcome:
        return "again"
    if match.log.is_stopped:
        return "resume"
    # Won as it is written, and not yet as it counts: there is no hand to record before it is accepted.
    return "accept" if match.state.outcome else "record"


@memoized
def _chart(match: Match) -> ChartView | None:
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
