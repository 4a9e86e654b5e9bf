"""The last change of a match in a sentence, for whoever hears the page, and how it stands, for whoever is sent it."""

from scorekeeper.engine.match import HandResult
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import HandAdded
from scorekeeper.narration.endings import goal_words, outcome_heading
from scorekeeper.narration.hands import bid_words, outcome_word
from scorekeeper.narration.notices import held_back_notice, last_change
from scorekeeper.narration.payments import standing_text
from scorekeeper.narration.phrases import Names, bid_word, joined
from scorekeeper.narration.verdict import verdict_sentence
from scorekeeper.narration.waiting import uncounted_words
from scorekeeper.rules.phrases import digits, sentence


def announcement(match: Match) -> str:
    """Return what was written last, the scores, and who won; empty where nothing was written yet."""
    if not match.log.events:
        return ""
    state, names, event = match.counted, match.names, match.log.events[-1]
    result = match.result(event.seq) if isinstance(event.fact, HandAdded) else None
    if result:
        waits = uncounted_words(match, result.place)
        change = joined(_hand(result, match.names_in(result.place)), f"{sentence(waits)}." if waits else "")
    else:
        notice = last_change(match)
        change = notice.lead if notice else ""
    heading, why = outcome_heading(state, names, stopped=False), verdict_sentence(state, names)
    held_back = held_back_notice(match) if result else None
    return joined(
        change,
        f"{standing_text(state, names)}.",
        f"{held_back.lead} {held_back.text}" if held_back else "",
        f"{heading}. {why}" if state.outcome else "",
    )


def share_text(match: Match, title: str) -> str:
    """Return how a match stands, or how it ended and why, for somebody who was not there."""
    state, names = match.counted, match.names
    scores = f"{standing_text(state, names)}."
    if not state.outcome:
        hands = f"{digits(state.scored, 'hand')} played" if state.scored else "no hands yet"
        return f"{title}\n{state.ruleset.name}, {goal_words(state.ruleset)}: {hands}.\n{scores}"
    heading, why = outcome_heading(state, names, stopped=False), verdict_sentence(state, names)
    return f"{title}\n{heading}: {scores}\n{why}\n{state.ruleset.name}, {goal_words(state.ruleset)}."


def _hand(result: HandResult, names: Names) -> str:
    """Return a hand as it is read aloud: "Hand 8: Dan bid 3, made."."""
    if result.bidder is None or result.bid is None or result.set_taken_by or result.status == "thrown_in":
        bid = bid_words(result, names)
    else:
        bid = f"{names[result.bidder]} bid {bid_word(result.bid)}"
    outcome = outcome_word(result)
    return f"Hand {result.number}: {bid}{', ' + outcome if outcome else ''}."
