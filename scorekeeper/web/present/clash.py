"""Two phones wrote the same hand: both are shown, and a person chooses."""

from flask import url_for

from scorekeeper.engine.words import plain
from scorekeeper.services.facts import HandAdded, HandCorrected
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused, StaleMatch
from scorekeeper.web.contexts.clash import ClashHand, ClashPage
from scorekeeper.web.contexts.parts import Action, BarView, Hidden, LineView
from scorekeeper.web.forms.hand import AWARD_FIELD, COUNT_FIELD, PILE_FIELD, HandDraft
from scorekeeper.web.keys import new_key
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.foot import Rehearsal
from scorekeeper.web.present.hands import bid_words, hand_lines, outcome_of
from scorekeeper.web.present.sides import side_views


def clash_page(entry: Entry, stale: StaleMatch, rehearse: Rehearsal) -> ClashPage:
    """Show what the other phone wrote beside what this one has, with everything that was typed."""
    match = stale.match
    theirs = _theirs(match, stale)
    mine = _mine(entry, match, theirs, rehearse)
    number = theirs[0] if theirs else entry.number
    hands = (*((theirs[1],) if theirs else ()), mine)
    return ClashPage(
        title="Two phones",
        bar=BarView(title="Two phones", sub=f"Hand {number}", back_url=url_for("matches.show", code=match.code)),
        heading=f"Another phone wrote hand {number} first" if theirs else "Another phone changed the match first",
        text="Both are below. Which one counts?" if theirs else "Your hand is below. Does it still belong there?",
        hands=hands,
        ways=_ways(entry, match) if theirs else (),
    )


def _theirs(match: LoadedMatch, stale: StaleMatch) -> tuple[int, ClashHand, int] | None:
    """Find the hand that the other phone wrote, as it stands now."""
    for event in reversed(stale.since):
        uid = event.seq if isinstance(event.fact, HandAdded) else getattr(event.fact, "uid", None)
        if not isinstance(event.fact, HandAdded | HandCorrected):
            continue
        for number, logged in enumerate(match.log.hands, 1):
            if logged.uid == uid:
                shown = _shown(match, number, "The other phone wrote")
                return number, _with_action(shown, Action(label="That one counts", url=_back(match))), logged.uid
    return None


def _back(match: LoadedMatch) -> str:
    return url_for("matches.show", code=match.code)


def _shown(match: LoadedMatch, number: int, heading: str) -> ClashHand:
    result = match.state.hands[number - 1]
    word, _ = outcome_of(result)
    scores = ", ".join(
        f"{name} {plain(score - result.deltas[name])} → {plain(score)}" for name, score in result.scores.items()
    )
    return ClashHand(
        heading=heading,
        bid=" ".join(part for part in (bid_words(result), word) if part),
        lines=hand_lines(side_views(match), result),
        result=scores,
        action=Action(label="", url=""),
    )


def _with_action(hand: ClashHand, action: Action) -> ClashHand:
    return ClashHand(heading=hand.heading, bid=hand.bid, lines=hand.lines, result=hand.result, action=action)


def _mine(
    entry: Entry, match: LoadedMatch, theirs: tuple[int, ClashHand, int] | None, rehearse: Rehearsal
) -> ClashHand:
    """Show what was typed here: in place of the other hand where there is one."""
    code = match.code
    if theirs and entry.uid is None:
        url, uid = url_for("hands.edit_submit", code=code, uid=theirs[2]), theirs[2]
    elif entry.uid is not None:
        url, uid = url_for("hands.edit_submit", code=code, uid=entry.uid), entry.uid
    else:
        url, uid = url_for("hands.new_submit", code=code), None
    action = Action(label="This one counts", url=url, is_post=True, fields=_fields(entry, match))
    heading = "This phone has"
    try:
        would_be = rehearse(entry.draft) if uid is None or entry.uid is not None else None
        if would_be is not None:
            return _with_action(_shown(would_be, entry.number, heading), action)
    except Refused as refused:
        return ClashHand(heading=heading, bid="", lines=(), result=str(refused), action=action)
    return _with_action(_typed(entry, heading), action)


def _typed(entry: Entry, heading: str) -> ClashHand:
    """Put what was typed into words where it is not counted on its own."""
    draft = entry.draft
    names = {value: view for value, view in entry.columns}
    lines = tuple(
        LineView(
            side=names.get(who),
            text=entry.ruleset.awards[award].name,
            points=names[who].name if who in names else "nobody",
        )
        for award, who in draft.took.items()
        if award in entry.ruleset.awards
    )
    counts = ", ".join(f"{names[who].name} {number}" for who, number in draft.counts.items() if who in names)
    return ClashHand(
        heading=heading,
        bid=f"{entry.name(draft.bidder) or ''} {draft.bid}".strip(),
        lines=lines,
        result=counts,
        action=Action(label="", url=""),
    )


def _ways(entry: Entry, match: LoadedMatch) -> tuple[Action, ...]:
    if entry.uid is not None:
        return ()
    number = len(match.log.hands) + 1
    url = url_for("hands.new_submit", code=match.code)
    return (Action(label=f"Add mine as hand {number}", url=url, is_post=True, fields=_fields(entry, match)),)


def _fields(entry: Entry, match: LoadedMatch) -> Hidden:
    """Carry everything that was typed, to be posted again on top of what the other phone wrote."""
    fixed = (("version", str(match.version)), ("client_key", new_key()), ("do", "save"))
    return (*fixed, *draft_fields(entry.draft))


def draft_fields(draft: HandDraft) -> Hidden:
    """Write a draft as the fields that it was read from."""
    plain_fields = {
        "by": draft.by,
        "bidder": draft.bidder,
        "bid": draft.bid,
        "trump": draft.trump,
        "partner": draft.partner,
        "called": draft.called,
        "all_tricks": draft.all_tricks,
        "overtook_pitch": "yes" if draft.overtook_pitch else "",
        "dealer": draft.dealer,
        "thrown_in": draft.thrown_in,
    }
    groups = ((AWARD_FIELD, draft.took), (COUNT_FIELD, draft.counts), (PILE_FIELD, draft.piles))
    return (
        *((name, value) for name, value in plain_fields.items() if value),
        *((f"{prefix}{who}", value) for prefix, group in groups for who, value in group.items()),
    )
