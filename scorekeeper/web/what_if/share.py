"""A comparison in words, to send."""

from collections.abc import Mapping

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.phrases import scores_text
from scorekeeper.narration.what_if import NOBODY_YET, NOT_KNOWN, span_words
from scorekeeper.records.comparison import MatchEnd, Spans, WhatIf
from scorekeeper.records.what_if import played_match, what_if
from scorekeeper.rules.library import Library
from scorekeeper.web.match.page import match_title
from scorekeeper.web.what_if.form import OtherRules, WhatIfForm, other_rules


def share_words(match: Match, form: WhatIfForm, variants: Library) -> str:
    """Return both results, for somebody who was not there; empty where nothing can be compared."""
    other = other_rules(form, match.rules, variants) if form.asks else OtherRules(None)
    if other.ruleset is None:
        return ""
    shown = what_if(played_match(match), other.ruleset, form.told)
    return "" if shown.refusal else _share_text(match, shown, other)


def _share_text(match: Match, shown: WhatIf, other: OtherRules) -> str:
    names = match.names

    def result(ending: MatchEnd, heading: str) -> str:
        if all(span.is_known for span in ending.scores.values()):
            scores = scores_text({side: span.lowest for side, span in ending.scores.items()}, names)
        else:
            scores = _spans_text(ending.scores, names)
        said = NOBODY_YET if ending.heading.startswith(NOBODY_YET) else ending.heading
        return f"{heading}: {said}. {scores}."

    title = f"What if? {match_title(match)}"
    as_played, otherwise = result(shown.as_played, "As played"), result(shown.otherwise, other.label)
    why = shown.otherwise.why if shown.otherwise.heading == NOT_KNOWN else ""
    return "\n".join(filter(None, (title, as_played, otherwise, why)))


def _spans_text(spans: Spans, names: Mapping[str, str]) -> str:
    return ", ".join(f"{names[side]} {span_words(span.lowest, span.highest)}" for side, span in spans.items())
