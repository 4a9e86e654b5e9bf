"""The last change in a sentence, for those who hear the page: said once, when it comes."""

from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.words import because, bid_word, plain
from scorekeeper.engine.words.ends import crown_words
from scorekeeper.engine.words.hands import bid_words, outcome_of
from scorekeeper.services.facts import HandAdded
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.present.agreement import row_words
from scorekeeper.web.present.notices import last_change


def told(match: LoadedMatch) -> str:
    """Say what was written last and where that leaves everybody; empty where nothing was written yet."""
    if not match.log.events:
        return ""
    state, event = match.counted, match.log.events[-1]
    number = next((n for n, hand in enumerate(match.log.hands, 1) if hand.uid == event.seq), 0)
    if isinstance(event.fact, HandAdded) and number:
        what = _hand(match.state.hands[number - 1])
        waits = row_words(match, number - 1)
        what = f"{what} {waits[:1].upper()}{waits[1:]}." if waits else what
    else:
        notice = last_change(match, "")
        what = notice.lead if notice else ""
    standing = ", ".join(f"{name} {plain(score)}" for name, score in state.scores.items())
    end = ""
    if state.outcome:
        end = f"{crown_words(state, stopped=False)}. {because(state)}"
    return " ".join(part for part in (what, f"{standing}.", end) if part)


def _hand(result: HandResult) -> str:
    """Read a hand out: "Hand 8: Dan bid 3, made."."""
    if result.bidder is None or result.bid is None or result.set_taken_by or result.status == "thrown_in":
        said = bid_words(result)
    else:
        said = f"{result.bidder} bid {bid_word(result.bid)}"
    word, _ = outcome_of(result)
    return f"Hand {result.number}: {said}{', ' + word if word else ''}."
