"""The values that the template of the match page shows: scoreboard, notices, verdict and titles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from scorekeeper import hooks
from scorekeeper.access.roles import HasRole
from scorekeeper.eventlog.stream import OWNER, SCORER, WATCHER
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
    last_change_notice,
    rule_change_notices,
    rules_words,
    side_views,
)
from scorekeeper.pages.hand.form import describe_draft, form_from_draft
from scorekeeper.pages.match.hands import (
    MAX_SIDE_BY_SIDE,
    HandSummary,
    OpenedHand,
    PaperRow,
    VerdictDetails,
    course_notes,
    last_hand,
    latest_hands,
    paper_row,
    rules_url,
    verdict_details,
)
from scorekeeper.pitch.drawings.chart import ChartView, draw_match_chart
from scorekeeper.pitch.drawings.markers import RaceView, SideView, draw_race
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.phrases import capitalize, join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.deciding_rules import deciding_options, options_delaying_win
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, MatchState, sides_set_in
from scorekeeper.pitch.scoring.outlook import Outlook, SideOutlook, first_bidder, outlook
from scorekeeper.pitch.scoring.standing import Clause, has_reached_target, target_score
from scorekeeper.pitch.sheets.citations import CitedRules
from scorekeeper.pitch.text.endings import (
    Verdict,
    earlier_goal_words,
    goal_words,
    held_back_verdict,
    missing_end_choices,
    no_end_sentence,
    outcome_heading,
    possible_endings_words,
    verdict,
)
from scorekeeper.pitch.text.phrases import (
    LETTERS_OF_WE_AND_THEY,
    DateStyle,
    join_nonempty,
    name_before_number,
    opponents_text,
    score_text,
    sum_words,
)
from scorekeeper.pitch.text.standing import (
    money_sum_sentences,
    outlook_sentence,
    owed_words,
    payment_sentences,
    score_or_money_texts,
)
from scorekeeper.web.library import citations_of_match, deciding_rules_of, standard_rules
from scorekeeper.web.locale import date_style, plain_day


class CardLine(NamedTuple):
    """The line below the score of a side."""

    text: str = ""
    """The first words of the line: "needs", "18 + 3 =", "in the hole"."""
    bold_end: str = ""
    """The last words of the line, in bold: "5 on a made bid", "21"."""
    is_sum: bool = False
    """Whether the line is a sum with the last hand, such as "18 + 3 = 21"."""
    is_set: bool = False
    """Whether the side was set in the last hand; only for a sum."""


@dataclass(frozen=True, kw_only=True)
class ScoreCard:
    """The score of a side on the scoreboard, as a card or a row."""

    side: SideView
    score: str
    """The score, an amount of money, or a range of scores: "53", "+$3", "13–14"."""
    line: CardLine
    won: Literal["", "win", "would-win"] = ""
    """Whether the side has won, or would have won under other rules; empty for neither."""
    is_in_hole: bool = False
    """Whether the score is below 0."""
    is_range: bool = False
    """Whether the score is a range, as too little was recorded for an exact one."""
    is_dealer: bool = False
    """Whether the card marks the next dealer's side; never with few sides."""


@dataclass(frozen=True, kw_only=True)
class NextHand:
    """The next hand in words: who deals, who bids first, who can win with it, and the bid in its draft."""

    dealer_sentence: str
    """The dealer of the hand, "Dan deals hand 8.", or if that is unknown, only its number: "Hand 8 is next."."""
    first_bidder_sentence: str
    """The first bidder, or without bidding who leads first: "Ann bids first."; empty if unknown."""
    outlook: str
    """The sides that can win the match with the hand: "Nobody can win on this hand."."""
    bid_so_far: tuple[SideView, str] | None
    """The side that bids in the draft of the hand, and its bid in words; `None` without a draft."""


@dataclass(frozen=True, kw_only=True)
class Scoreboard:
    """The scoreboard of a match, on the match page and on the TV."""

    sides: tuple[SideView, ...]
    is_side_by_side: bool
    """Whether the sides are few enough to be shown side by side."""
    cards: tuple[ScoreCard, ...]
    race: RaceView | None
    """The drawing of the scores on their way to the target; `None` if there is none to show."""
    next_hand: NextHand | None
    """The next hand; `None` if none can be played now."""
    is_over: bool
    """Whether the match is over or stopped."""
    heading: str
    announcement: str
    """The last change in words, for screen readers to announce."""


def sum_lines(state: MatchState) -> dict[SideId, CardLine]:
    """Return the line below each side's score: the sum "18 + 3 = 21", and the balance in a game for money.

    There is no sum if hands are paid in money, or if the scores have changed since the last hand.
    """
    last = state.last_scored
    if last is None or last.scores != state.scores or state.ruleset.pays_by_hand:
        return {side: CardLine("", _balance_words(state, side)) for side in state.scores}
    was_set, lines = sides_set_in(last), {}
    for side, change in last.deltas.items():
        score, owed = state.scores[side], _balance_words(state, side)
        total = sum_words(score - change, change)
        lines[side] = CardLine(
            f"{total} {score_text(score)}," if owed else total,
            owed or score_text(score),
            is_sum=True,
            is_set=side in was_set,
        )
    return lines


def _score_cards(match: Match, lines: Mapping[SideId, CardLine], dealer: str | None) -> tuple[ScoreCard, ...]:
    """Return the score card of each side; `dealer` is the id of the next dealer."""
    state, score_texts, sides = match.state, score_or_money_texts(match.state), side_views(match)
    dealing_side = state.seats.side_of(dealer) if state.goes_on and len(sides) > MAX_SIDE_BY_SIDE else None
    return tuple(
        ScoreCard(
            side=view,
            score=score_texts[side],
            line=lines[side],
            won="win" if side in state.winners else "",
            is_in_hole=state.scores[side] < 0,
            is_dealer=side == dealing_side,
        )
        for side, view in sides.items()
    )


def _race_view(match: Match) -> RaceView | None:
    """Return the drawing of the scores on their way to the target; `None` without a target or with too many sides."""
    state, sides = match.state, side_views(match)
    target = target_score(state.ruleset)
    if target is None or len(sides) > MAX_SIDE_BY_SIDE:
        return None
    scores_in_order = sorted(((view, state.scores[side]) for side, view in sides.items()), key=lambda scored: scored[1])
    scores = ", ".join(f"{view.name} {score_text(score)}" for view, score in scores_in_order)
    start = state.ruleset.winning.count_down_from or 0
    return draw_race(f"{scores}; the target is {target}", scores_in_order, target=target, start=start)


def _score_line(match: Match, side_outlook: SideOutlook) -> CardLine:
    """Return the line below a side's score: "needs 5", or for money the balance; empty if there is nothing to say."""
    state, side, needs = match.state, side_outlook.side, side_outlook.needs
    if state.ruleset.pays_by_hand:
        return CardLine()
    if state.money is not None:
        return CardLine("", _balance_words(state, side))
    if needs is None:
        return CardLine("in the hole" if state.scores[side] < 0 else "")
    if state.question and side in state.question.winners:
        return CardLine("may have won")
    verb = "need" if match.names[side] in LETTERS_OF_WE_AND_THEY else "needs"
    if has_reached_target(state.ruleset, state.scores[side]):
        return CardLine(verb, _missing_words(state, side))
    hole = "in the hole, " if state.scores[side] < 0 and not state.ruleset.winning.count_down_from else ""
    on_a_bid = " on a made bid" if side_outlook.needs_bid else ""
    return CardLine(f"{hole}{verb}", f"{score_text(needs)}{on_a_bid}")


def _missing_words(state: MatchState, side: SideId) -> str:
    """Return what a side at the target still needs to win: "a made bid"."""
    missing = next(standing_side.missing for standing_side in state.standing.sides if standing_side.side == side)
    if Clause.LEAD in missing and Clause.MADE_BID not in missing:
        return f"a lead of {state.ruleset.winning.win_by}"
    if state.is_overtime or state.ruleset.winning.win_rule == "made_bid":
        return "a made bid"
    return "another hand"


def _balance_words(state: MatchState, side: SideId) -> str:
    """Return the amount that a side owes or gets if the match is settled now: "owes $1.50"; empty without money."""
    return owed_words(state.money[side]) if state.money is not None else ""


MAX_HANDS_ON_PAGE = 12
"""The most hands that the match page shows; the history shows all."""


@dataclass(frozen=True)
class Viewer(HasRole):
    """The values by which the match page differs between phones; phones with equal values get the same page."""

    role: str
    """The role of the phone's access link."""
    holder: str
    """The id of the player or side whose phone this is; empty for nobody's."""
    disputed_uids: frozenset[int] = frozenset()
    """The uids of the hands that this phone disputes and nobody has confirmed since."""
    earlier_disputed_uids: frozenset[int] = frozenset()
    """The uids of the hands that this phone disputed and somebody has confirmed since."""
    shown_version: int | None = None
    """The version of the match on the phone's screen; `None` if the phone is just opening the page."""
    shown_role: str = ""
    """The role with which the phone's screen was rendered; empty if the phone is just opening the page."""
    has_just_written: bool = False
    """Whether this phone has just appended the last event, which the page announces."""
    can_take_back: bool = False
    """Whether the match began when players changed, and this phone may undo that change."""
    has_gone_on: bool = False
    """Whether the match is stopped and has gone on in another one."""
    draft_count: int = 0
    """How often a draft of the next hand has been stored, by which a poll notices a new one."""
    draft: HandDraft | None = None
    """The draft of the next hand, which this or another phone is entering; `None` without one."""
    tonight: tuple[tuple[SideId, int], ...] = ()
    """The number of matches that each side has won this evening; empty if not to be shown."""
    late_notice: tuple[str, str] | None = None
    """The lead and text of the notice that a match of a ladder night ended too late for its round."""
    is_verdict_open: bool = False
    """Whether this phone's page shows the details of the verdict."""
    saved_rules: tuple[str, str] | None = None
    """The code and name by which this phone has saved the match's rules; `None` if it has not, or may not save them."""
    rules_code: str = ""
    """The share code of the match's house rules; empty if the page does not offer to save them."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The reason why a match is over or stopped, or goes on with a side at the target."""

    verdict: Verdict
    cited: CitedRules
    """The rules that decided the match, or that delay a win; none for a stopped match."""
    is_house_rule: bool
    """Whether a house rule is among the rules that decided, or that delay a win."""
    uid: int
    """The uid of the hand that ended the match; 0 if no hand did."""
    sheet_url: str
    """The URL of the page with the rules that decided."""


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The payments that settle the match now, with their calculation and rules."""

    payments: tuple[str, ...]
    """The payments in sentences: who pays whom, and how much."""
    sums: tuple[str, ...]
    """Sentences that calculate the payments from the scores."""
    rules: CitedRules


NextStep = Literal["record", "cards", "resume", "elsewhere", "again"]
"""What the main button is for: a hand, the cards of the last hand, to go on here or on another page, or a rematch."""


@dataclass(frozen=True, kw_only=True)
class MatchPage:
    """The values that the template of the match page shows on one phone."""

    match: Match
    viewer: Viewer
    title: str
    """The title of the browser's tab."""
    bar_title: str
    """The title in the bar at the top: the title of the match, or without one the name of the game."""
    bar_subtitle: str
    board: Scoreboard
    tonight: tuple[tuple[str, int], ...]
    """The name of each side and the number of matches that it has won this evening; empty if not to be shown."""
    notices: tuple[Notice, ...]
    decision: Decision | None
    """The decision on the match; `None` while the match simply goes on."""
    more: VerdictDetails | None
    """The details of the verdict; `None` if this phone does not show them."""
    settlement: Settlement | None
    """The payments if the match is settled now; `None` if there are none."""
    next_dealer_rule: CitedRules
    """The rule on who deals next; empty if that is simply the next player."""
    all_passed_note: str
    """The note that all passed in the last hand; empty if there is nothing to note."""
    course_notes: tuple[str, ...]
    """The notes on the course of the match; with a verdict, only after its details are opened."""
    goal: str
    """The goal of the match, "First to 21 at the end of a hand.", with any earlier goal, or why it has none."""
    sheet_url: str
    """The URL of the page with the current rules of the match."""
    score_rules: CitedRules
    """The rules about scores, such as the target; none if the page shows a verdict."""
    missing_ends: str
    """What must still be agreed for the match to end: "a target"; empty on a watcher's phone."""
    disputable_hand: LoggedHand | None
    """The hand that this phone may dispute; `None` if there is none."""
    hands: tuple[HandSummary, ...]
    """The rows of the last hands, newest first; none if the page shows a verdict."""
    columns: int
    """The number of columns of the table of hands."""
    last_hand: OpenedHand | None
    """The details of the last hand; `None` if the page does not show them."""
    paper: PaperRow | None
    """The row of the scores carried over from paper; `None` if the page does not show one."""
    chart: ChartView | None
    undo_note: str
    """The change that the undo button would undo, in words; empty if there is none."""
    undone_note: str
    """The change that this phone has just undone, in words; empty if it has undone nothing."""
    next_step: NextStep
    waiting_uid: int
    """The uid of the hand that still needs input; 0 for none."""
    continuation: Entry | None
    """The link to the page on which a stopped match may have been continued; `None` without one."""
    player_changes: Entry | None
    """The link to the page on which players are exchanged; `None` if this phone may not do so now."""


def _tab_title(match: Match, dates: DateStyle) -> str:
    """Return the title of the browser's tab: the players, with the match's title or its day."""
    people = opponents_text(match.state.seats.ids, match.names)
    if match.title:
        return f"{match.title}: {people}"
    return f"{people}, {plain_day(match.occasion.day, dates)}"


def match_page(match: Match, viewer: Viewer) -> MatchPage:
    """Return the values of the match page for the phone of this viewer."""
    decision, dates = _decision(match), date_style()
    seen_version = match.version - 1 if viewer.has_just_written else viewer.shown_version
    board = scoreboard(match, viewer.draft, has_verdict=decision is not None)
    rules, (bar_title, bar_subtitle) = citations_of_match(match), _bar_titles(match)
    names = {side.side_id: name_before_number(side.name) for side in board.sides}
    more = verdict_details(match) if decision and viewer.is_verdict_open else None
    has_all_details, continuation = more or not decision, hooks.first_entry(hooks.continuation_entries, match)
    return MatchPage(
        match=match,
        viewer=viewer,
        title=_tab_title(match, dates),
        bar_title=bar_title,
        bar_subtitle=bar_subtitle,
        board=board,
        tonight=tuple((names[side], won) for side, won in viewer.tonight),
        notices=tuple(_notices(match, viewer, dates, has_verdict=decision is not None)),
        decision=decision,
        more=more,
        settlement=_settlement(match),
        next_dealer_rule=rules.first_rule("deal.next") if match.state.ruleset.play.next_dealer == "racehorse" else (),
        all_passed_note=all_passed_words(match),
        course_notes=tuple(course_notes(match)) if has_all_details else (),
        goal=join_nonempty(_goal_sentence(match), earlier_goal_words(match.state)),
        sheet_url=rules_url(match, match.state.ruleset),
        score_rules=() if decision else rules.score_rules(),
        missing_ends=join_words(missing_end_choices(match.state.ruleset)) if viewer.may_score else "",
        disputable_hand=_disputable_hand(match, viewer),
        hands=() if decision else latest_hands(match, MAX_HANDS_ON_PAGE, seen_version),
        columns=2 + len(board.sides),
        last_hand=None if decision else last_hand(match),
        paper=paper_row(match) if len(match.log.hands) <= MAX_HANDS_ON_PAGE else None,
        chart=draw_match_chart(match.state, side_views(match)) if has_all_details else None,
        undo_note=undo_words(match),
        undone_note=undone_words(match) if viewer.has_just_written and viewer.may_score else "",
        next_step=_next_step(match, viewer),
        waiting_uid=_uid_of(match, match.state.last_scored if match.state.question else match.state.open_hand),
        continuation=continuation,
        player_changes=hooks.first_entry(hooks.player_change_entries, match)
        if viewer.may_score and match.status == "in_progress"
        else None,
    )


_ROLE_NOTICES = {
    OWNER: ("This phone is a co-owner now.", "Add phones and change rules in the menu."),
    SCORER: ("This phone can score now.", "Record the next hand on this phone."),
    WATCHER: ("This phone can only watch now.", "Another phone keeps score."),
}
"""The lead and the text of the notice on a phone whose role has changed, keyed by its new role."""


def _notices(match: Match, viewer: Viewer, dates: DateStyle, *, has_verdict: bool) -> Iterator[Notice]:
    """Yield the notices for this phone, such as disputes and the last change.

    `has_verdict` is whether the page shows a verdict, which makes the notice of the last hand needless.
    """
    if viewer.shown_role not in ("", viewer.role):
        lead, text = _ROLE_NOTICES[viewer.role]
        yield Notice(kind="role", lead=lead, text=text)
    disputed = dispute_notices(match, viewer.disputed_uids)
    yield from disputed
    if viewer.has_just_written and (news := last_change_notice(match)):
        # A dispute is shown for as long as it holds, and the verdict has the result of its hand.
        is_dispute_shown = bool(disputed) and news.kind == "dispute"
        is_last = news.kind in ("hand", "thrown_in") and match.state.results[-1] is match.state.last_scored
        if not is_dispute_shown and not (has_verdict and is_last):
            yield news
    if viewer.late_notice:
        lead, text = viewer.late_notice
        yield Notice(kind="late", lead=lead, text=text)
    yield from rule_change_notices(match, dates)


def _decision(match: Match) -> Decision | None:
    """Return the decision on a match; `None` while the match simply goes on."""
    state, stopped = match.state, match.log.is_stopped
    if match.ending:
        why = verdict(state, match.names, stopped=stopped)
    elif not (why := held_back_verdict(state, match.names)).sentence:
        return None
    last = state.last_scored if state.outcome else None
    is_undecided = stopped and not state.outcome
    return Decision(
        verdict=why,
        cited=() if is_undecided else deciding_rules_of(match) or citations_of_match(match).undecided_rules(state),
        is_house_rule=_is_decided_by_house_rule(state),
        uid=_uid_of(match, last),
        sheet_url=rules_url(match, (last or state).ruleset),
    )


def _settlement(match: Match) -> Settlement | None:
    """Return the payments if the match is settled now; `None` if there are none."""
    payments = payment_sentences(match.state.money, match.names) if match.state.money else ()
    if not payments:
        return None
    return Settlement(
        payments=payments,
        sums=money_sum_sentences(match.state, match.names),
        rules=citations_of_match(match).payment_rules(match.state.ruleset),
    )


def _bar_titles(match: Match) -> tuple[str, str]:
    """Return the title and subtitle of the bar: the game and its goal, or the match's own title and its rules."""
    ruleset, last = match.state.ruleset, match.state.last_scored if match.state.outcome else None
    if match.title:
        return match.title, rules_words(match.state)
    goal = goal_words(ruleset)
    has_target = target_score(ruleset) is not None
    made = ", only on a made bid" if has_target and ruleset.winning.win_rule == "made_bid" else ""
    return ruleset.name, capitalize(f"{goal}, hand {last.number}" if last else f"{goal}{made}")


def scoreboard(match: Match, draft: HandDraft | None, *, has_verdict: bool = False) -> Scoreboard:
    """Return the scoreboard of a match, with the dealer and bid of the draft if any.

    `has_verdict` is whether the page also shows a verdict; the board then has no drawing.
    """
    state, sides = match.state, tuple(side_views(match).values())
    is_over = match.status != "in_progress"
    dealer = form_from_draft(match, draft).hand.dealer if draft else (state.open_hand or state).dealer
    match_outlook = None if is_over else outlook(state)
    next_hand = _next_hand(match, match_outlook, dealer, draft) if match_outlook and state.goes_on else None
    lines = (
        {side_outlook.side: _score_line(match, side_outlook) for side_outlook in match_outlook.sides}
        if match_outlook and not (has_verdict and next_hand)
        else sum_lines(state)
    )
    heading = outcome_heading(state, match.names, stopped=match.log.is_stopped)
    return Scoreboard(
        sides=sides,
        is_side_by_side=len(sides) <= MAX_SIDE_BY_SIDE,
        cards=_score_cards(match, lines, dealer),
        race=None if is_over or has_verdict else _race_view(match),
        next_hand=next_hand,
        is_over=is_over,
        heading="Play on" if has_verdict and next_hand else heading,
        announcement=announcement(match),
    )


def _next_hand(match: Match, match_outlook: Outlook, dealer: str | None, draft: HandDraft | None) -> NextHand:
    """Return the next hand in words; `dealer` is the dealer's id."""
    first = first_bidder(match.state._replace(dealer=dealer))
    dealer_sentence, first_bidder_sentence = dealer_words(
        match, replace(match_outlook, dealer=dealer, first_bidder=first)
    )
    return NextHand(
        dealer_sentence=dealer_sentence,
        first_bidder_sentence=first_bidder_sentence,
        outlook=outlook_sentence(match.state, match.names, match_outlook.sides),
        bid_so_far=describe_draft(match, draft) if draft else None,
    )


def _disputable_hand(match: Match, viewer: Viewer) -> LoggedHand | None:
    """Return the last hand, if this phone may dispute it; else `None`.

    A phone that only watches may dispute each hand once.
    """
    last = match.log.hands[-1] if match.log.hands else None
    has_answered = last is not None and last.uid in viewer.disputed_uids | viewer.earlier_disputed_uids
    return None if viewer.may_score or has_answered else last


def _goal_sentence(match: Match) -> str:
    """Return the goal of a match in a sentence, "First to 21 at the end of a hand.", or why it has none."""
    ruleset = match.state.ruleset
    has_tie_rule = bool(citations_of_match(match).first_rule("win.tie_rule"))
    return possible_endings_words(ruleset, has_tie_rule=has_tie_rule) or no_end_sentence(ruleset)


def _standard_with_former_answers(ruleset: Ruleset) -> Ruleset:
    """Return the standard rules of a ruleset, with the former standard answers that it still has."""
    standard = standard_rules(ruleset)
    before = {name: answer for name, answer in standard.sheet.formerly.items() if ruleset.answer(name) == answer}
    return with_house(standard, before)[0] if before else standard


def _is_decided_by_house_rule(state: MatchState) -> bool:
    """Return whether an option that decides the match, or delays its end, has a house answer."""
    base = _standard_with_former_answers(state.ruleset)
    deciding = deciding_options(state) or options_delaying_win(state)
    return any(state.ruleset.answer(option) != base.answer(option) for option in deciding)


def _uid_of(match: Match, result: HandResult | None) -> int:
    """Return the uid of the hand with this result; 0 for `None`."""
    return match.log.hands[result.position - 1].uid if result else 0


def _next_step(match: Match, viewer: Viewer) -> NextStep:
    """Return the action of the main button."""
    if match.state.outcome:
        return "again"
    if match.log.is_stopped:
        return "elsewhere" if viewer.has_gone_on else "resume"
    return "cards" if match.state.question or match.state.open_hand else "record"
