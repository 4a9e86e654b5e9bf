"""What was just written, said on the page that comes after it, with the way to take it back."""

from collections.abc import Mapping
from dataclasses import replace

from flask import url_for

from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.words import listed, signed, verb
from scorekeeper.services.facts import (
    AgreementSet,
    DealerMoved,
    Event,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.roles import SCORER, allows
from scorekeeper.web.contexts.parts import Action, Notice
from scorekeeper.web.present.hands import bid_words, outcome_of
from scorekeeper.web.present.sides import mark_word


def undo_action(match: LoadedMatch, key: str) -> Action | None:
    """Offer to take back the last thing that was written, to a phone that has the pencil."""
    if match.log.undo_next is None or not match.link.may_score:
        return None
    has_other = match.log.redo_target is not None
    url, fields = url_for("matches.undo", code=match.code), _fields(match, key)
    # Beside the arrow forward the arrow back needs no word.
    return Action(label="Undo", url=url, icon="undo", is_post=True, fields=fields, is_icon_only=has_other)


def redo_action(match: LoadedMatch, key: str) -> Action | None:
    """Offer to bring back what the last undo took, for as long as nothing new is written."""
    if match.log.redo_target is None or not match.link.may_score:
        return None
    url = url_for("matches.redo", code=match.code)
    return Action(label="Redo", url=url, icon="redo", is_post=True, fields=_fields(match, key), is_icon_only=True)


def last_change(match: LoadedMatch, key: str) -> Notice | None:
    """Say what the last event did, with the way back for a phone that has the pencil."""
    notice = _last_change(match, key) if match.log.events else None
    return replace(notice, actions=()) if notice and not match.link.may_score else notice


def handed_over(match: LoadedMatch, role: str) -> Notice | None:
    """Say that this phone, which had another role when it last asked, now has the pencil or has it no longer."""
    if not role or allows(role, SCORER) == match.link.may_score:
        return None
    if match.link.may_score:
        return Notice(lead="You have the pencil.", text="The next hand goes in on this phone.", icon="pencil")
    return Notice(lead="The pencil is with somebody else.", text="This phone looks on.", icon="pencil")


def _last_change(match: LoadedMatch, key: str) -> Notice | None:
    event = match.log.events[-1]
    match event.fact:
        case HandAdded():
            return _hand_is_in(match, event.seq)
        case HandCorrected(uid=uid):
            return Notice(lead=f"Hand {_number(match, uid)} is corrected.", text=_scores(match), icon="pencil")
        case HandRemoved(uid=uid):
            back = url_for("history.put_back", code=match.code, uid=uid)
            put_back = Action(label="Put back", url=back, is_post=True, fields=_fields(match, key))
            return Notice(lead="The hand is taken out.", text=_scores(match), icon="undo", actions=(put_back,))
        case HandReturned(uid=uid):
            return Notice(lead=f"Hand {_number(match, uid)} is back.", text=_scores(match), icon="again")
        case Undone(target=target):
            return _taken_back(match, target, key)
        case Redone():
            return Notice(lead="It is back as it was.", text=_scores(match), icon="again")
        case HandAccepted(uid=uid):
            return _accepted(match, uid)
        case AgreementSet(on=on):
            moment = "when another side has accepted it" if on else "as soon as it is in"
            return Notice(lead="From here on", text=f"a hand counts {moment}.", icon="scale")
        case Stopped():
            return Notice(lead="The match is stopped.", text="Go on with it whenever you like.", icon="stop")
        case Resumed():
            return Notice(lead="On with the match.", icon="again")
        case Renamed():
            return Notice(lead="The names are changed.", icon="pencil")
        case Marked(marks=marks):
            return _wears(match, marks)
        case Undeleted():
            return Notice(lead="The match is back.", icon="again")
        case RulesChanged():
            return Notice(lead="The change is written down.", text="It holds from the next hand on.", icon="pencil")
        case DealerMoved(who=who):
            return Notice(lead=f"{match.names.get(who, who)} deals next.", icon="cards")
        case _:
            return None


def _accepted(match: LoadedMatch, uid: int) -> Notice:
    number = _number(match, uid)
    if not number:
        return Notice(lead="Accepted: the hand is out.", text=_scores(match), icon="scale")
    counts = number <= match.log.counted
    text = _scores(match) if counts else "It counts when those before it do."
    return Notice(lead=f"Hand {number} is accepted.", text=text, icon="scale")


def _wears(match: LoadedMatch, marks: Mapping[str, int]) -> Notice:
    """Say what every side wears that has changed."""
    seats, names = match.state.seats, match.names
    told = [
        f"{names[side]} {verb(seats, [names[side]], 'wear', 'wears')} the {mark_word(m)}" for side, m in marks.items()
    ]
    return Notice(lead=f"{listed(told)}.", icon="pencil")


def _fields(match: LoadedMatch, key: str) -> tuple[tuple[str, str], ...]:
    return ("version", str(match.version)), ("client_key", key)


def _number(match: LoadedMatch, uid: int) -> int:
    return next((n for n, hand in enumerate(match.log.hands, 1) if hand.uid == uid), 0)


def _result(match: LoadedMatch, uid: int) -> HandResult | None:
    number = _number(match, uid)
    return match.state.hands[number - 1] if number else None


def _scores(match: LoadedMatch) -> str:
    standing = ", ".join(f"{name} {score}" for name, score in match.counted.scores.items()).replace("-", "−")
    return f"It stands at {standing}."


def _hand_is_in(match: LoadedMatch, uid: int) -> Notice | None:
    result = _result(match, uid)
    if result is None:
        return None
    word, kind = outcome_of(result)
    if result.status == "thrown_in":
        return Notice(lead="Thrown in.", text=f"{result.dealer or 'The same dealer'} deals again.", icon="cards")
    moved = ", ".join(f"{name} {signed(points)}" for name, points in result.deltas.items())
    lead = f"Hand {result.number} is in."
    if kind:
        return Notice(lead=lead, text=f"{bid_words(result)}:", word=word, rest=f". {moved}.", kind=kind, icon="pencil")
    return Notice(lead=lead, text=f"{bid_words(result)}{': ' + word if word else ''}. {moved}.", icon="pencil")


def _taken_back(match: LoadedMatch, target: int, key: str) -> Notice:
    what = _undone_words(match.log.events, target)
    redo = url_for("matches.redo", code=match.code)
    put_back = Action(label="Put back", url=redo, icon="again", is_post=True, fields=_fields(match, key))
    return Notice(lead=f"{what} is taken back.", text=_scores(match), icon="undo", actions=(put_back,))


def _undone_words(events: tuple[Event, ...], target: int) -> str:
    fact = next((event.fact for event in events if event.seq == target), None)
    match fact:
        case HandAdded():
            return "The last hand"
        case HandCorrected():
            return "The correction"
        case HandAccepted():
            return "The acceptance"
        case Renamed():
            return "The renaming"
        case Marked():
            return "The change of colours"
        case RulesChanged():
            return "The change of rules"
        case _:
            return "The last change"
