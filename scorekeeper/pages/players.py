"""The pages that change who plays or deals from the next hand on: another dealer, or a substitute."""

from collections.abc import Sequence

from flask import Blueprint, Response, abort, request

from scorekeeper import hooks
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.events import DealerMoved, PlayerSubstituted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import names_of_device
from scorekeeper.matches.service import StaleMatch, preview_change
from scorekeeper.pages.phones.views import player_choices
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.pitch.text.standing import first_bidder_and_next_dealer_words
from scorekeeper.web.context import (
    STALE_MATCH_FAULT,
    device,
    for_scorers,
    load_unfinished_match,
    posted_version,
    redirect_to_match,
    write_change,
)
from scorekeeper.web.respond import render_page
from scorekeeper.web.widgets import QuestionView, distinct_faults, faults_view

deal_bp = Blueprint("deal", __name__, url_prefix="/matches/<code>/deal")


@deal_bp.get("", endpoint="show")
@for_scorers
def show_dealers(code: str) -> Response:
    """Show the form that chooses who deals the next hand."""
    return _show_dealers(load_unfinished_match(code))


@deal_bp.post("", endpoint="submit")
@for_scorers
def submit_dealer(code: str) -> Response:
    """Save the posted dealer of the next hand, and redirect to the match.

    If another phone changed the match first, show the form again.
    """
    change = DealerMoved(who=request.form.get("who", ""))
    try:
        return redirect_to_match(write_change(code, change, version=posted_version()))
    except StaleMatch:
        # Another phone saved a hand meanwhile, so the form may be about another deal.
        return _show_dealers(load_unfinished_match(code), is_stale=True)


def _show_dealers(match: Match, *, is_stale: bool = False) -> Response:
    """Show the form that chooses the dealer.

    `is_stale` is whether another phone changed the match first; then the status is 409.
    """
    chairs = match.state.seats.chairs
    return render_page(
        "deal/show.html",
        status=409 if is_stale else 200,
        match=match,
        dealer=match.log.pending.dealer if match.state.open_hand else match.state.dealer,
        deal_sentences={who: _deal_sentence(match, who) for who in chairs},
        is_stale=is_stale,
    )


def _deal_sentence(match: Match, dealer: str) -> str:
    """Return in words who bids first and who deals next if `dealer` deals the next hand."""
    state = match.state if dealer == match.state.dealer else preview_change(match, DealerMoved(who=dealer)).state
    return first_bidder_and_next_dealer_words(state, dealer, match.names)


# ---------- a player leaves, and another sits in ----------


substitute_bp = Blueprint("sits_in", __name__, url_prefix="/matches/<code>/sits-in")


@substitute_bp.get("", endpoint="show")
@for_scorers
def show_substitute_form(code: str) -> Response:
    """Show the form for a substitute; 404 for a match in which players' seats are unknown."""
    return _show_substitute_form(_load_match_with_seats(code))


@substitute_bp.post("", endpoint="submit")
@for_scorers
def submit_substitute(code: str) -> Response:
    """Save the posted substitute, who plays from the next hand on, and redirect to the match.

    If nothing was saved, show the form again with the reasons.
    """
    who, name = request.form.get("who", ""), normalize_spaces(request.form.get("name", ""))
    try:
        return redirect_to_match(write_change(code, PlayerSubstituted(names={who: name}), version=posted_version()))
    except StaleMatch:
        # Another phone saved a hand meanwhile, so the newcomer may play from another hand on.
        return _show_substitute_form(_load_match_with_seats(code), who, name, [STALE_MATCH_FAULT], 409)
    except Refused as refused:
        return _show_substitute_form(_load_match_with_seats(code), who, name, refused.reasons, 422)


def _show_substitute_form(
    match: Match, leaver_id: str = "", name: str = "", faults: Sequence[Fault] = (), status: int = 200
) -> Response:
    """Show the form for a substitute, or after a refusal show it again with the reasons."""
    messages = {fault.field: fault.message for fault in faults}
    people = [seat.id for seat in match.setup.seats]
    present_name_keys = {name_key(match.names[who]) for who in people}
    return render_page(
        "sits_in/show.html",
        status=status,
        match=match,
        player_changes=hooks.first_entry(hooks.player_change_entries, match),
        leaver=QuestionView(
            field="who",
            question="Who leaves?",
            choices=player_choices(match, people, leaver_id),
            fault=messages.get("who", ""),
        ),
        name=name,
        name_fault=messages.get("name", ""),
        known_names=[name for name in names_of_device(db.session, device()) if name_key(name) not in present_name_keys],
        faults=faults_view("Not saved yet", distinct_faults(faults, lambda fault: fault.field)),
    )


def _load_match_with_seats(code: str) -> Match:
    """Return a match; raises `MatchClosed` if it accepts no hand, and 404 if its players' seats are unknown."""
    match = load_unfinished_match(code)
    return match if match.setup.seats else abort(404)
