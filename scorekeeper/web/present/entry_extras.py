"""What happens seldom: a misdeal, another dealer, a bidding that nobody wanted."""

from scorekeeper.engine.hand import TAKE_SET
from scorekeeper.web.contexts.hand import (
    ExtrasView,
)
from scorekeeper.web.contexts.parts import CheckView, Choice, QuestionView
from scorekeeper.web.present.entry import Entry


def extras_view(entry: Entry) -> ExtrasView:
    """Offer what happens seldom."""
    ruleset, bidding = entry.ruleset, entry.ruleset.bidding
    chairs = entry.before.seats.chairs
    dealer = QuestionView(
        field="dealer",
        question="Who dealt?",
        choices=tuple(
            Choice(value=entry.id(who), label=who, is_chosen=who == entry.dealer, side=entry.side_of(who))
            for who in chairs
        ),
    )
    thrown = [Choice(value="misdeal", label="Misdeal")]
    if bidding.auction and bidding.all_pass in ("redeal", None):
        thrown.append(Choice(value="all_passed", label="All passed, deal again"))
    if bidding.auction and bidding.all_pass == "may_take_set" and entry.before.seats.players:
        thrown.append(Choice(value=TAKE_SET, label=f"All passed: {entry.dealer or 'the dealer'} takes the set"))
    pitched = CheckView(
        field="overtook_pitch",
        label="The dealer took the bid over a led card",
        is_checked=entry.draft.overtook_pitch,
    )
    words = ["misdeal", "another dealer"] + (["a led card overtaken"] if bidding.pitching else [])
    return ExtrasView(
        summary=f"Something else: {', '.join(words)}",
        questions=(dealer,),
        checks=(pitched,) if ruleset.bidding.pitching else (),
        thrown_in=tuple(thrown),
        is_open=entry.draft.overtook_pitch
        or bool(entry.draft.dealer and entry.name(entry.draft.dealer) != entry.before.dealer),
    )
