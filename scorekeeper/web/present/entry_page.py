"""The hand entry as one page."""

from collections.abc import Sequence
from dataclasses import replace

from flask import url_for

from scorekeeper.engine.words import plain
from scorekeeper.rules.faults import Fault
from scorekeeper.web.contexts.hand import HandPage
from scorekeeper.web.contexts.parts import BarView, Choice, Hidden
from scorekeeper.web.forms.hand import AUCTION, CARDS, COUNTS
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_auction import auction_view
from scorekeeper.web.present.entry_bid import bid_view, questions, trump_view
from scorekeeper.web.present.entry_carried import carried
from scorekeeper.web.present.entry_extras import extras_view
from scorekeeper.web.present.entry_faults import by_field, faults_view
from scorekeeper.web.present.entry_taken import counts_view, ticks_view
from scorekeeper.web.present.foot import Rehearsal, foot_view, refused_foot


def entry_page(
    entry: Entry,
    rehearse: Rehearsal,
    hidden: Hidden,
    faults: Sequence[Fault] = (),
    *,
    just_said: bool = False,
    is_fresh: bool = False,
) -> HandPage:
    """Fill the page for a hand that is being entered, refused or put right; `just_said` where a call was tapped."""
    code, said = entry.match.code, by_field(faults)
    foot = foot_view(entry, rehearse)
    title = _title(entry)
    if entry.uid is not None:
        action = url_for("hands.edit_submit", code=code, uid=entry.uid)
    else:
        action = url_for("hands.new_submit", code=code)
    # What follows the bidding is asked when it is over, and where something is played then.
    plays = not entry.is_bidding and not entry.ended_unplayed
    asked = HandPage(
        title=title,
        bar=_bar(entry, title),
        action=action,
        preview_url=url_for("hands.count", code=code),
        hidden=hidden,
        foot=refused_foot(foot) if faults else foot,
        by=_ways(entry),
        auction=auction_view(entry, said, just_said=just_said) if entry.by_auction else None,
        bid=None if entry.by_auction else bid_view(entry, said),
        trump=trump_view(entry, said) if plays else None,
        questions=questions(entry, said) if plays else (),
        ticks=ticks_view(entry, said) if plays and not entry.by_counts else None,
        counts=counts_view(entry, said) if plays and entry.by_counts else None,
        extras=extras_view(entry, said),
        faults=faults_view(entry, faults),
        kept_as=kept_as(entry),
        is_fresh=is_fresh,
    )
    return replace(asked, hidden=(*hidden, *carried(entry, asked)))


def _ways(entry: Entry) -> tuple[Choice, ...]:
    """Offer the ways to enter a hand, each one tap from the others."""
    labels = [(CARDS, "By cards"), (COUNTS, "By counts")]
    if entry.may_call:
        labels.append((AUCTION, "Call by call"))
    return tuple(Choice(value=way, label=label, is_chosen=way == entry.draft.by) for way, label in labels)


def kept_as(entry: Entry) -> str:
    """Name a hand that waits on a phone."""
    if entry.uid is not None:
        return f"The correction of hand {entry.number}"
    return f"The forgotten hand {entry.number}" if entry.insert_before is not None else f"Hand {entry.number}"


def _title(entry: Entry) -> str:
    if entry.uid is not None:
        return f"Correct hand {entry.number}"
    return f"Insert hand {entry.number}" if entry.insert_before is not None else f"Hand {entry.number}"


def _bar(entry: Entry, title: str) -> BarView:
    code = entry.match.code
    standing = ", ".join(f"{name} {plain(score)}" for name, score in entry.before.scores.items())
    deals = f"{entry.dealer} deals. " if entry.dealer else ""
    if entry.uid is not None:
        return BarView(title=title, sub=f"Before it: {standing}", back_url=url_for("history.show", code=code))
    back = url_for("matches.show" if entry.insert_before is None else "history.show", code=code)
    return BarView(title=title, sub=f"{deals}{standing}", back_url=back, back_label="Back")
