"""The values of the match page: its scoreboard, notices, verdict and titles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scorekeeper import hooks
from scorekeeper.access.roles import HasRole
from scorekeeper.eventlog.stream import SCORER, allows
from scorekeeper.hooks import Entry
from scorekeeper.matches.change_log import undo_words, undone_words
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import LoggedHand
from scorekeeper.matches.notices import (
    Notice,
    all_passed_words,
    announcement,
    dealer_words,
    dispute_notices,
    last_change,
    rules_notices,
    side_views,
)
from scorekeeper.pages.hand.entry import describe_draft, drafted_entry
from scorekeeper.pages.match.hands import (
    MAX_BESIDE,
    HandSummary,
    More,
    OpenedHand,
    PaperRow,
    chart,
    course_notes,
    last_hand,
    latest_hands,
    more_of,
    paper_row,
    rules_url,
)
from scorekeeper.pitch.drawings.chart import ChartView
from scorekeeper.pitch.drawings.markers import RaceView, SideView, draw_race
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.phrases import listed, sentence
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import deciding_options, holding_options
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState, sides_set
from scorekeeper.pitch.scoring.outlook import Outlook, bids_first, outlook
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target, target_of
from scorekeeper.pitch.sheets.citations import Cited
from scorekeeper.pitch.text.endings import (
    Verdict,
    earlier_goal_words,
    ends_words,
    goal_words,
    held_back_words,
    lacking_ends,
    no_end_sentence,
    outcome_heading,
    verdict,
)
from scorekeeper.pitch.text.phrases import PRONOUNS, DateStyle, before_number, joined, opponents, score_text, sum_words
from scorekeeper.pitch.text.standing import outlook_sentence, owed_words, shown_amounts, sums, transfers
from scorekeeper.web.library import citations_of_match, deciding_rules_of, standard_rules
from scorekeeper.web.locale import date_style, plain_day


class CardLine(NamedTuple):
    """The line under the score of a side."""

    text: str = ""
    """"needs", "18 + 3 =", "in the hole"."""
    end: str = ""
    """The end of the line, in bold."""
    is_sum: bool = False
    is_set: bool = False
    """Whether the line is the sum of a side that was set."""


@dataclass(frozen=True, kw_only=True)
class ScoreCard:
    """The score of a side, as a card or a row."""

    side: SideView
    score: str
    """"53", "+$3", "13–14"."""
    line: CardLine
    won: Literal["", "win", "would-win"] = ""
    is_in_hole: bool = False
    is_range: bool = False
    """Whether the score is a range, as the exact score is not known."""
    deals: bool = False
    """Whether the row shows that this side deals the next hand."""


@dataclass(frozen=True, kw_only=True)
class NextHand:
    """The dealer and the first bidder of the next hand, and its outlook."""

    deals: str
    """"Dan deals hand 8."."""
    bids: str
    """"Ann bids first."; empty where the first bidder is not known."""
    outlook: str
    """"Nobody can win on this hand."."""
    bid_so_far: tuple[SideView, str] | None
    """The side that bids in the hand in progress, and its bid."""


@dataclass(frozen=True, kw_only=True)
class Scoreboard:
    """The scoreboard, which the match page and the TV share."""

    sides: tuple[SideView, ...]
    is_beside: bool
    """Whether the sides are few enough to be shown side by side."""
    cards: tuple[ScoreCard, ...]
    race: RaceView | None
    next_hand: NextHand | None
    """`None` when the match is over or stopped."""
    is_over: bool
    heading: str
    announcement: str
    """The last change, read aloud."""


def sum_lines(state: MatchState) -> dict[SideId, CardLine]:
    """Return the line under each score: the sum with the last hand, "18 + 3 = 21", or for money the balance."""
    last = state.last_scored
    if last is None or last.scores != state.scores or state.ruleset.money.settles == "hand":
        return {side: CardLine("", _owed(state, side)) for side in state.scores}
    was_set, lines = sides_set(last), {}
    for side, change in last.deltas.items():
        score, owed = state.scores[side], _owed(state, side)
        total = sum_words(score - change, change)
        lines[side] = CardLine(
            f"{total} {score_text(score)}," if owed else total,
            owed or score_text(score),
            is_sum=True,
            is_set=side in was_set,
        )
    return lines


def _score_cards(match: Match, lines: Mapping[SideId, CardLine], dealer: str | None) -> tuple[ScoreCard, ...]:
    """Return the score of each side; only rows, for many sides, show who deals."""
    state, shown, sides = match.state, shown_amounts(match.state), side_views(match)
    deals = state.seats.side_of(dealer) if state.goes_on and len(sides) > MAX_BESIDE else None
    return tuple(
        ScoreCard(
            side=view,
            score=shown[side],
            line=lines[side],
            won="win" if side in state.winners else "",
            is_in_hole=state.scores[side] < 0,
            deals=side == deals,
        )
        for side, view in sides.items()
    )


def _race_view(match: Match) -> RaceView | None:
    """Return the drawing of the scores on the way to the target; `None` without a target, or with too many sides."""
    state, sides = match.state, side_views(match)
    target = target_of(state.ruleset)
    if target is None or len(sides) > MAX_BESIDE:
        return None
    scores_in_order = sorted(((view, state.scores[side]) for side, view in sides.items()), key=lambda scored: scored[1])
    scores = ", ".join(f"{view.name} {score_text(score)}" for view, score in scores_in_order)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{scores}; the target is {target}", scores_in_order, target=target, start=start)


def _score_line(match: Match, side: SideId, prospects: Outlook) -> tuple[str, str]:
    """Return the line under a score, as text and bold end: what a side needs, or in a match for money its balance."""
    state = match.state
    if state.ruleset.money.settles == "hand":
        return "", ""
    if state.money is not None:
        return "", _owed(state, side)
    side_outlook = next(view for view in prospects.sides if view.side == side)
    needs = side_outlook.needs
    if needs is None:
        return "in the hole" if state.scores[side] < 0 else "", ""
    if state.question and side in state.question.winners:
        return "may have won", ""
    if has_reached_target(state.ruleset, state.scores[side]):
        return _needs(match.name(side)), _needed(state, side)
    is_in_the_hole = state.scores[side] < 0 and not state.ruleset.winning.count_down_from
    on_a_bid = " on a made bid" if side_outlook.needs_bid else ""
    hole = "in the hole, " if is_in_the_hole else ""
    return f"{hole}{_needs(match.name(side))}", f"{score_text(needs)}{on_a_bid}"


def _needs(name: str) -> str:
    return "need" if name in PRONOUNS else "needs"


def _needed(state: MatchState, side: SideId) -> str:
    """Return what a side that has reached the target still needs to win."""
    missing = next(standing_side.missing for standing_side in state.standing.sides if standing_side.side == side)
    if Clause.LEAD in missing and Clause.MADE_BID not in missing:
        return f"a lead of {state.ruleset.winning.win_by}"
    if state.is_overtime or state.ruleset.winning.win_rule == "made_bid":
        return "a made bid"
    return "another hand"


def _owed(state: MatchState, side: SideId) -> str:
    """Return the balance of a side if the table settles now; empty where nobody pays."""
    return owed_words(state.money[side]) if state.money is not None else ""


MAX_HANDS = 12
"""The most hands on the match page; the history has them all."""


@dataclass(frozen=True)
class Viewer(HasRole):
    """What makes the match page differ between phones; the page is rendered from this and a match without a link."""

    role: str
    seat: str | None
    disputes: frozenset[int] = frozenset()
    """The uids of the hands that this phone disputes."""
    has_answer: frozenset[int] = frozenset()
    """The uids of the hands that this phone disputed before they were confirmed."""
    shown_version: int | None = None
    """The version of the match on the phone's screen; `None` while it opens the page."""
    shown_role: str = ""
    """The role with which the phone's screen was rendered."""
    is_news: bool = False
    """Whether this phone has just appended the last event, which the page then reads aloud."""
    can_take_back: bool = False
    """Whether this phone may undo the change of players that began the match."""
    drafts: int = 0
    """The number of times that a draft of the next hand was stored, by which a poll detects a new draft."""
    draft: HandDraft | None = None
    """The hand in progress."""
    tonight: tuple[tuple[SideId, int], ...] = ()
    """The number of matches that each side won this evening, highest first."""
    late: tuple[str, str] | None = None
    """The notice that the match ended after the next round of its ladder night had begun."""
    is_open: bool = False
    """Whether this phone has opened the details of the verdict."""
    kept: tuple[str, str] | None = None
    """The code and name of the phone's saved house rules, if a finished match was played by them."""
    rules_code: str = ""
    """The share code of the house rules that the phone may save; empty without any."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Why a match is over, or why no side at the target has won."""

    verdict: Verdict
    cited: Cited
    """The rules that decided."""
    is_house_rule: bool
    uid: int
    """The uid of the deciding hand; 0 without one."""
    sheet: str
    """The address of the rules of that hand."""


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The payments if the table settles now."""

    payments: tuple[str, ...]
    sums: tuple[str, ...]
    rules: Cited


@dataclass(frozen=True, kw_only=True)
class MatchPage:
    """The values of the match page for one phone, rendered as a whole or block by block."""

    match: Match
    viewer: Viewer
    title: str
    bar_title: str
    bar_sub: str
    board: Scoreboard
    tonight: tuple[tuple[str, int], ...]
    """The number of matches that each side won this evening, highest first."""
    notices: tuple[Notice, ...]
    decision: Decision | None
    """`None` while there is nothing to explain."""
    more: More | None
    settlement: Settlement | None
    next_dealer_rule: Cited
    all_passed: str
    course_notes: tuple[str, ...]
    """Further facts about the course of the match; none before the verdict is opened."""
    goal: str
    """"First to 21 at the end of a hand, and only on a made bid."."""
    sheet: str
    """The address of the current rules."""
    score_rules: Cited
    """The rules about scores, such as the target."""
    missing_ends: str
    """What the rules lack to end a match, in words; empty where nothing is missing, or on a watcher's phone."""
    wrong: LoggedHand | None
    """The hand that this phone may dispute."""
    hands: tuple[HandSummary, ...]
    columns: int
    """The number of columns of the table of hands."""
    last_hand: OpenedHand | None
    paper: PaperRow | None
    chart: ChartView | None
    undo_note: str
    undone: str
    next_step: str
    questioned_hand: int
    continuation: Entry | None
    """A link to the page where a stopped match may have gone on."""
    player_changes: Entry | None


def _title(match: Match, dates: DateStyle) -> str:
    """Return the title of the browser's tab: "Thursday: Ann & Cal v. Bea & Dan", or the players and the day."""
    people = opponents(match.state.seats.ids, match.names)
    if match.title:
        return f"{match.title}: {people}"
    return f"{people}, {plain_day(match.occasion.day, dates)}"


def match_page(match: Match, viewer: Viewer) -> MatchPage:
    """Return the values of the match page for one phone."""
    decision, dates = _decision(match), date_style()
    seen = match.version - 1 if viewer.is_news else viewer.shown_version
    board = scoreboard(match, viewer.draft, has_verdict=decision is not None)
    rules, (bar_title, bar_sub) = citations_of_match(match), _bar(match)
    names = {side.side_id: before_number(side.name) for side in board.sides}
    more = more_of(match) if decision and viewer.is_open else None
    is_whole, continuation = more or not decision, hooks.first_entry(hooks.continued_at, match)
    return MatchPage(
        match=match,
        viewer=viewer,
        title=_title(match, dates),
        bar_title=bar_title,
        bar_sub=bar_sub,
        board=board,
        tonight=tuple((names[side], won) for side, won in viewer.tonight),
        notices=tuple(_notices(match, viewer, dates, has_verdict=decision is not None)),
        decision=decision,
        more=more,
        settlement=_settlement(match),
        next_dealer_rule=rules.rule("deal.next") if match.state.ruleset.play.next_dealer == "racehorse" else (),
        all_passed=all_passed_words(match),
        course_notes=tuple(course_notes(match)) if is_whole else (),
        goal=joined(_ends(match), earlier_goal_words(match.state)),
        sheet=rules_url(match, match.state.ruleset),
        score_rules=() if decision else rules.score_rules(),
        missing_ends=listed(lacking_ends(match.state.ruleset)) if viewer.may_score else "",
        wrong=_may_be_called_wrong(match, viewer),
        hands=() if decision else latest_hands(match, MAX_HANDS, seen),
        columns=2 + len(board.sides),
        last_hand=None if decision else last_hand(match),
        paper=paper_row(match) if len(match.log.hands) <= MAX_HANDS else None,
        chart=chart(match) if is_whole else None,
        undo_note=undo_words(match),
        undone=undone_words(match) if viewer.is_news and viewer.may_score else "",
        next_step=_next_step(match, continuation),
        questioned_hand=_uid_of(match, match.state.last_scored) if match.state.question else 0,
        continuation=continuation,
        player_changes=hooks.first_entry(hooks.player_changes, match)
        if viewer.may_score and match.status == "in_progress"
        else None,
    )


def _notices(match: Match, viewer: Viewer, dates: DateStyle, *, has_verdict: bool) -> Iterator[Notice]:
    """Yield the notices of the page, other than the verdict."""
    if viewer.shown_role and allows(viewer.shown_role, SCORER) != viewer.may_score:
        lead, text = (
            ("This phone can score now.", "Record the next hand on this phone.")
            if viewer.may_score
            else ("This phone can only watch now.", "Another phone keeps score.")
        )
        yield Notice(kind="role", lead=lead, text=text)
    disputed = dispute_notices(match, viewer.disputes)
    yield from disputed
    if viewer.is_news and (news := last_change(match)):
        # A dispute is shown for as long as it holds, and the verdict has the result of its hand.
        is_shown = bool(disputed) and news.kind == "dispute"
        is_last = news.kind in ("hand", "thrown_in") and match.state.results[-1] is match.state.last_scored
        if not is_shown and not (has_verdict and is_last):
            yield news
    if viewer.late:
        lead, text = viewer.late
        yield Notice(kind="late", lead=lead, text=text)
    yield from rules_notices(match, dates)


def _decision(match: Match) -> Decision | None:
    """Return why a match is over, or why no side at the target has won; `None` where neither applies."""
    state, stopped = match.state, match.log.is_stopped
    if match.ending:
        shown = verdict(state, match.names, stopped=stopped)
    elif not (shown := held_back_words(state, match.names)).sentence:
        return None
    last = state.last_scored if state.outcome else None
    is_undecided = stopped and not state.outcome
    return Decision(
        verdict=shown,
        cited=() if is_undecided else deciding_rules_of(match) or citations_of_match(match).goes_on(state),
        is_house_rule=_is_house_rule(state),
        uid=_uid_of(match, last),
        sheet=rules_url(match, (last or state).ruleset),
    )


def _settlement(match: Match) -> Settlement | None:
    """Return the payments; `None` without any."""
    payments = transfers(match.state.money, match.names) if match.state.money else ()
    if not payments:
        return None
    return Settlement(payments=payments, sums=sums(match.state, match.names), rules=citations_of_match(match).paid())


def _bar(match: Match) -> tuple[str, str]:
    """Return title and subtitle of the page: the game and its target, or the match's own title and both of these."""
    ruleset, last = match.state.ruleset, match.state.last_scored if match.state.outcome else None
    goal = goal_words(ruleset)
    if match.title:
        return match.title, f"{ruleset.name}, {goal}"
    made = ", only on a made bid" if ruleset.winning.win_rule == "made_bid" else ""
    return ruleset.name, sentence(f"{goal}, hand {last.number}" if last else f"{goal}{made}")


def scoreboard(match: Match, draft: HandDraft | None, *, has_verdict: bool = False) -> Scoreboard:
    """Return the scoreboard of a match with the hand in progress, beside the verdict on the match or without one."""
    state, sides = match.state, tuple(side_views(match).values())
    is_over = match.status != "in_progress"
    dealer = drafted_entry(match, draft).hand.dealer if draft else state.dealer
    prospects = None if is_over else outlook(state)
    next_hand = _next_hand(match, prospects, dealer, draft) if prospects and state.goes_on else None
    lines = (
        {side: CardLine(*_score_line(match, side, prospects)) for side in state.scores}
        if prospects and not (has_verdict and next_hand)
        else sum_lines(state)
    )
    heading = outcome_heading(state, match.names, stopped=match.log.is_stopped)
    return Scoreboard(
        sides=sides,
        is_beside=len(sides) <= MAX_BESIDE,
        cards=_score_cards(match, lines, dealer),
        race=None if is_over or has_verdict else _race_view(match),
        next_hand=next_hand,
        is_over=is_over,
        heading="Play on" if has_verdict and next_hand else heading,
        announcement=announcement(match),
    )


def _next_hand(match: Match, prospects: Outlook, dealer: str | None, draft: HandDraft | None) -> NextHand:
    first = bids_first(match.state._replace(dealer=dealer))
    deals, bids = dealer_words(match, replace(prospects, dealer=dealer, bids_first=first))
    return NextHand(
        deals=deals,
        bids=bids,
        outlook=outlook_sentence(match.state, match.names, prospects.sides),
        bid_so_far=describe_draft(match, draft) if draft else None,
    )


def _may_be_called_wrong(match: Match, viewer: Viewer) -> LoggedHand | None:
    """Return the hand that a phone may dispute: the last one, if the phone is a watcher's; else `None`."""
    last = match.log.hands[-1] if match.log.hands else None
    has_answered = last is not None and last.uid in viewer.disputes | viewer.has_answer
    return None if viewer.may_score or has_answered else last


def _ends(match: Match) -> str:
    """Return how a match ends: "First to 21 at the end of a hand, and only on a made bid."."""
    ruleset = match.state.ruleset
    may_tie = bool(citations_of_match(match).rule("win.tie_rule"))
    return ends_words(ruleset, may_tie=may_tie) or no_end_sentence(ruleset)


def _as_before(ruleset: Ruleset) -> Ruleset:
    """Return the standard rules, but with each former standard answer that this ruleset still has."""
    standard = standard_rules(ruleset)
    before = {name: answer for name, answer in standard.sheet.formerly.items() if ruleset.answer(name) == answer}
    return with_house(standard, before)[0] if before else standard


def _is_house_rule(state: MatchState) -> bool:
    base = _as_before(state.ruleset)
    deciding = deciding_options(state) or holding_options(state)
    return any(state.ruleset.answer(option) != base.answer(option) for option in deciding)


def _uid_of(match: Match, result: HandResult | None) -> int:
    return match.log.hands[result.position - 1].uid if result else 0


def _next_step(match: Match, continuation: Entry | None) -> str:
    if match.state.outcome:
        return "again"
    if match.log.is_stopped:
        return "elsewhere" if continuation else "resume"
    return "cards" if match.state.question else "record"
