"""The events of a match in words: for the change log, for the notice above the scores, and for the undo button."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from scorekeeper.access.roles import holder_of_actor, is_same_phone
from scorekeeper.eventlog.stream import Stamp
from scorekeeper.matches import events
from scorekeeper.matches.events import StoredEvent
from scorekeeper.matches.fold import Match, substitutes_between
from scorekeeper.matches.log import MatchLog, occasion_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.phrases import capitalize, join_words, money_text, renege_cost, times_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BIDDERS, DEFENDERS, HAND_FIELDS, FieldKind, Forfeit, Hand, HandField
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.text.hands import stored_hand_words
from scorekeeper.pitch.text.phrases import (
    LETTERS_OF_WE_AND_THEY,
    Names,
    bid_word,
    join_nonempty,
    marker_name,
    name_before_number,
    name_with_verb,
    names_of,
    score_text,
    substitution_words,
    verb_for,
)
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences

_NAMES_WORD = "names"
"""The word for changed names in a list of what an event changed: "names and date"."""


@dataclass(frozen=True, slots=True)
class EventTexts:
    """The texts about an event: in the change log, on the undo button, and in the notice that follows it."""

    action: str
    """What the event did, as it follows the writer's name: "corrected hand 4"."""
    short_name: str = ""
    """The event's name on the undo button: "hand 7", "correction"; empty where it has none."""
    sentence: str = ""
    """The first sentence of the event's notice: "Hand 4 is corrected."; empty without a notice, and for a new hand."""
    second_sentence: str = ""
    """The second sentence of that notice; may be empty."""
    is_about_scores: bool = False
    """Whether the notice shows the scores in place of `second_sentence`."""


def describe_event(match: Match, event: StoredEvent, log: MatchLog) -> EventTexts:
    """Return the texts about an event, in which hands have the numbers that they have in `log`.

    For an event before the last one of `log`, only `action` may be used, and not if it names the next hand.
    """
    match cast(events.MatchEvent, event.data):  # so that mypy misses a kind that has no words
        case events.HandAdded(hand=added, before=before):
            hand = _hand_words(log, event.seq)
            action = f"recorded {hand}" if before is None else f"recorded {hand}, inserted later"
            return EventTexts(action, "redeal" if added.is_redealt else hand)
        case events.HandCorrected(uid=uid):
            hand = _hand_words(log, uid)
            sentence = f"{capitalize(hand)} is corrected."
            return EventTexts(f"corrected {hand}", "correction", sentence, is_about_scores=True)
        case events.HandRemoved(uid=uid):
            return EventTexts(f"deleted {_hand_words(log, uid)}", "", "The hand is deleted.", is_about_scores=True)
        case events.HandRestored(uid=uid):
            hand = _hand_words(log, uid)
            return EventTexts(f"restored {hand}", "", f"{capitalize(hand)} is restored.", is_about_scores=True)
        case events.HandDisputed(uid=uid, says=statement):
            hand, phone = _hand_words(log, uid), phone_words(match, event.stamp) or "a watching phone"
            action, sentence = {
                "wrong": (f"said that {hand} is wrong", f"{phone} says that {hand} is wrong."),
                "withdrawn": (f"no longer said that {hand} is wrong", f"{phone} no longer says that {hand} is wrong."),
                "confirmed": (f"confirmed {hand}", f"{hand} is confirmed."),
            }[statement]
            return EventTexts(action, "confirmation", capitalize(sentence))
        case events.HandAccepted(uid=uid):
            return EventTexts(f"accepted {_hand_words(log, uid)}")
        case events.AgreementSet(on=on):
            return EventTexts("turned on acceptance" if on else "turned off acceptance")
        case events.Stopped():
            return EventTexts("stopped the match", "", "The match is stopped.", "Resume it whenever you like.")
        case events.Resumed():
            return EventTexts("resumed the match", "", "The match is resumed.")
        case events.PlayersChanged():
            return EventTexts("changed the players")
        case events.Deleted():
            return EventTexts("deleted the match")
        case events.Undeleted():
            return EventTexts("restored the match", "", "The match is restored.")
        case events.Renamed() as renamed:
            return _describe_renaming(renamed)
        case events.MarkersChanged() as marked:
            return EventTexts("changed colors and markers", "color change", _marker_sentence(match, marked))
        case events.RulesChanged(house=house):
            action = f"changed rules from hand {_next_number(match, event, log)} on"
            if not house:
                return EventTexts(action, "rule change", "Written down.", "It is on paper only: it changes no score.")
            return EventTexts(action, "rule change", "Rule changed.", "It starts with the next hand.")
        case events.DealerMoved(who=who):
            name = match.names_when(event.seq)[who]
            action = f"let {name} deal hand {_next_number(match, event, log)}"
            return EventTexts(action, "", f"{name_with_verb(name, 'deal')} next.")
        case events.PlayerSubstituted(names=names):
            count, number = len(log.substitutions), _next_number(match, event, log)
            newcomer_words = substitution_words(
                substitutes_between(match.setup, log, max(count - len(names), 0), count)
            )
            start = f"from hand {number} on"
            return EventTexts(f"changed players {start}", "change of players", f"{newcomer_words} {start}.")
        case events.PaymentRecorded(cents=cents):
            action, sentence = f"wrote down a payment of {money_text(cents)}", "The payment is saved."
            return EventTexts(action, "payment", sentence, "See it under “Money night”.")
        case events.Undone(target=target):
            sentence = f"{capitalize(_undone_phrase(match, target, log))}."
            return EventTexts(f"undid: {_undone_action(match, target)}", "", sentence, is_about_scores=True)
        case events.Redone(target=target):
            return EventTexts(f"redid: {_undone_action(match, target)}", "", "Restored.", is_about_scores=True)


def undo_words(match: Match) -> str:
    """Return the name of the next undo for its button: "hand 7"; empty if there is none."""
    event = match.log.next_to_undo
    return describe_event(match, event, match.log).short_name if event else ""


def undone_words(match: Match) -> str:
    """Return what the last event undid: "hand 9 undone"; empty if the last event is not an undo."""
    last = match.log.events[-1].data if match.log.events else None
    return _undone_phrase(match, last.target, match.log) if isinstance(last, events.Undone) else ""


def phone_words(match: Match, stamp: Stamp) -> str:
    """Return the phone that wrote an event, named after its holder: "Mia’s phone"; empty for a phone without one."""
    name = writer_name(match, stamp)
    return name and (f"the phone of {name}" if name in LETTERS_OF_WE_AND_THEY else f"{name}’s phone")


def _hand_words(log: MatchLog, uid: int) -> str:
    """Return the hand with a `uid`, in force or removed, as "hand 4"; "a hand" if the log has none."""
    if uid not in log.entries:
        return "a hand"
    earlier_entries = log.entries[: log.entries.index(uid)]
    return (
        f"hand {log.hand_numbers[sum(isinstance(entry, int) and bool(log.hand(entry)) for entry in earlier_entries)]}"
    )


def _next_number(match: Match, event: StoredEvent, log: MatchLog) -> int:
    """Return the number of the next hand after an event, which has to be the last event of `log`."""
    match_then = match if log is match.log else match.as_of(event.seq)
    return match_then.state.next_number if match_then else log.hand_numbers[-1]


def _describe_renaming(event: events.Renamed) -> EventTexts:
    """Return the texts about an event that changed names, the title, the day, the place or the note."""
    remarks = ({"played_on": "date"}.get(name, name) for name in event.remarks)
    changed_words = join_words([*([_NAMES_WORD] if event.names else ()), *remarks]) or _NAMES_WORD
    return EventTexts(
        "changed names of people everywhere" if event.by_book else f"changed {changed_words}",
        "name change" if changed_words == _NAMES_WORD else f"change of {changed_words}",
        f"The {changed_words} {'are' if ' and ' in changed_words or changed_words == _NAMES_WORD else 'is'} changed.",
    )


def _marker_sentence(match: Match, event: events.MarkersChanged) -> str:
    """Return a sentence that names each side whose marker changed, and its new marker."""
    seats = match.state.seats
    sides = [
        f"{match.names[side]} {verb_for(seats, [side], 'have')} the {marker_name(marker)}"
        for side, marker in event.marks.items()
    ]
    return f"{join_words(sides)}."


def _undone_phrase(match: Match, target: int, log: MatchLog) -> str:
    """Return "hand 9 undone" for the event with the `seq` `target`; "last change undone" if it has no short name."""
    event = log.event(target)
    return f"{(event and describe_event(match, event, log).short_name) or 'last change'} undone"


def _undone_action(match: Match, target: int) -> str:
    """Return the action of the event with the `seq` `target`: "corrected hand 4".

    For an undo, return the action of the event that was undone.
    """
    event = match.log.events[target - 1]
    return (
        _undone_action(match, event.data.target)
        if isinstance(event.data, events.Undone)
        else event_action(match, event)
    )


_COMPARED_FIELDS = sorted(HAND_FIELDS, key=lambda field: field.kind.value)
"""The fields of a hand, in the order in which a correction lists their changes."""
_NO_VALUE = "not said"
"""The words for a value that was not entered: "bid not said → 3"."""
_ROLE_NAMES = {BIDDERS: "the bidders", DEFENDERS: "the others"}
"""The names of the bidders and the defenders, for hands whose points were entered by these roles."""


def hand_changes_words(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> str:
    """Return the changes from one hand to another: "bid 3 → 4, Low Us → Them".

    Long fields, such as the note, are only named: "bid 3 → 4, note".
    """
    names_with_roles = {**_ROLE_NAMES, **names}
    return ", ".join(
        words for field in _COMPARED_FIELDS for words in _field_changes(field, before, after, names_with_roles, ruleset)
    )


def _field_changes(field: HandField, before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> Iterator[str]:
    """Yield the changes of a field between two hands in words: "bid 3 → 4"."""
    old, new = _entered_value(field, before), _entered_value(field, after)
    match field.kind:
        case FieldKind.TAKEN | FieldKind.NUMBERS | FieldKind.TIMES:
            is_by_award = field.kind in (FieldKind.TAKEN, FieldKind.TIMES)
            for key in _changed_keys(old, new):
                name = _award_name(ruleset, key) if is_by_award else names.get(key, key)
                label = name if field.kind is FieldKind.TAKEN else f"{field.label} of {name}"
                old_words, new_words = (
                    _taker_or_points_words((entries or {}).get(key, _NO_VALUE), names) for entries in (old, new)
                )
                yield f"{label} {old_words} → {new_words}"
        case FieldKind.FORFEITS if old != new:
            yield f"{field.label} {' → '.join(_forfeits_words(entries, names, ruleset) for entries in (old, new))}"
        case FieldKind.CALLS | FieldKind.NOTE | FieldKind.RULES:
            # Too long to be quoted: only that they changed.
            if old != new:
                yield field.label
        case _:
            if old != new:
                yield f"{field.label} {_value_words(field, old, names)} → {_value_words(field, new, names)}"


def _changed_keys(old: Mapping[str, object] | None, new: Mapping[str, object] | None) -> list[str]:
    """Return the keys whose values differ between two mappings; a missing key counts as a value of its own.

    >>> _changed_keys({"high": "p1", "jack": None}, {"high": "p1"})
    ['jack']
    """
    old, new = old or {}, new or {}
    return [key for key in dict.fromkeys((*old, *new)) if old.get(key, _NO_VALUE) != new.get(key, _NO_VALUE)]


def _entered_value(field: HandField, hand: Hand) -> Any:
    """Return the value of a field of a hand; for the partner of a bidder who played alone, "alone"."""
    return "alone" if field.kind is FieldKind.PARTNER and hand.alone else getattr(hand, field.name)


def _value_words(field: HandField, value: str | int | None, names: Names) -> str:
    """Return the value of a field in words: "Ann", "yes", "3"; `_NO_VALUE` for `None`."""
    if value is None:
        return _NO_VALUE
    if field.kind in (FieldKind.PERSON, FieldKind.PARTNER):
        return names.get(str(value), str(value))
    if field.kind in (FieldKind.YES_OR_NO, FieldKind.CHECK):
        return "yes" if value else "no"
    return bid_word(value)


def _taker_or_points_words(value: str | int | None, names: Names) -> str:
    """Return who took an award, "Ann" or "nobody", or a number of points, "−2"."""
    if isinstance(value, int):
        return score_text(value)
    return names.get(value, value) if value else "nobody"


def _forfeits_words(forfeits: Mapping[str, Forfeit] | None, names: Names, ruleset: Ruleset) -> str:
    """Return what sides lost by a renege: "Ann can’t score Game", "nothing"."""
    losses = (
        f"{names[side]} can’t score {renege_cost(ruleset)}"
        if forfeit == "game"
        else f"{name_with_verb(names[side], 'lose')} the match"
        for side, forfeit in (forfeits or {}).items()
    )
    return join_words(losses) or "nothing"


def _award_name(ruleset: Ruleset, award_id: AwardId) -> str:
    """Return the name of an award: "Off Jack"; if `ruleset` lacks the award, its id with spaces, "off jack"."""
    award = ruleset.awards.get(award_id)
    return award.name if award else award_id.replace("_", " ")


def former_values_words(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> str:
    """Return the values that a correction replaced, in words: "the bid was 3, Jack was Us’s".

    Notes, calls and house options are left out.
    """
    return ", ".join(_former_values(before, after, {**_ROLE_NAMES, **names}, ruleset))


def _former_values(before: Hand, after: Hand, names: Names, ruleset: Ruleset) -> Iterator[str]:
    """Yield the phrases of `former_values_words`, each on one former value: "the bid was 3"."""
    for field in HAND_FIELDS:
        words, old = _FORMER_VALUE_WORDS.get(field.name), getattr(before, field.name)
        is_listed = old is not None or field.name in _FIELDS_LISTED_WITHOUT_VALUE
        if words and is_listed and old != getattr(after, field.name):
            yield f"{words} {_value_words(field, old, names)}"
    if before.overtook_pitch != after.overtook_pitch:
        yield "a led card was outbid" if before.overtook_pitch else "no led card was outbid"
    if (before.partner, before.alone) != (after.partner, after.alone):
        partner = f"the partner was {names[before.partner] if before.partner else _NO_VALUE}"
        yield "the bidder played alone" if before.alone else partner
    if before.forfeits != after.forfeits:
        yield f"a renege cost: {_forfeits_words(before.forfeits, names, ruleset)}"
    for label, old, new, none_word in (
        ("the penalty", before.penalties, after.penalties, "none"),
        ("points for the others’ mistake", before.penalties_to, after.penalties_to, "nothing"),
    ):
        yield from (
            f"{label} of {names[side]} was {(old or {}).get(side) or none_word}" for side in _changed_keys(old, new)
        )
    for award in _changed_keys(before.times, after.times):
        yield f"{_award_name(ruleset, award)} counted {times_word((before.times or {}).get(award, 1))}"
    for what, counted, recounted in (
        ("points", before.points or {}, after.points),
        ("card points", before.card_points or {}, after.card_points),
    ):
        changed_sides = (who for who in _changed_keys(counted, recounted) if who in counted)
        yield from (f"the {what} of {names[who]} were {counted[who]}" for who in changed_sides)
    if before.all_tricks != after.all_tricks:
        yield _FORMER_TRICKS_WORDS[before.all_tricks]
    if before.thrown_in != after.thrown_in:
        yield _FORMER_REDEAL_WORDS[before.thrown_in]
    for award_id, who in (before.taken or {}).items():
        if (after.taken or {}).get(award_id, _NO_VALUE) != who:
            yield f"{_award_name(ruleset, award_id)} was {names[who] if who else 'nobody'}’s"


_FORMER_VALUE_WORDS = {
    "dealer": "the dealer was",
    "bidder": "the bidder was",
    "bid": "the bid was",
    "trump": "trump was",
    "called": "the called card was",
    "first_there": "first there was",
}
"""The phrase before the former value of a field of a hand, keyed by the name of the field."""
_FIELDS_LISTED_WITHOUT_VALUE = ("dealer", "called", "first_there")
"""The fields of `_FORMER_VALUE_WORDS` that are listed even without a former value: "the dealer was not said"."""
_FORMER_REDEAL_WORDS = {
    None: "there was no redeal",
    "misdeal": "there was a misdeal",
    "ran_out": "the deck ran out",
    "all_passed": "all passed",
}
"""The phrases for the former value of `Hand.thrown_in`."""
_FORMER_TRICKS_WORDS = {
    True: "every trick was taken",
    False: "not every trick was taken",
    None: "the tricks were not said",
}
"""The phrases for the former value of `Hand.all_tricks`."""


def score_changes(before: MatchState, after: MatchState, names: Names) -> str:
    """Return the scores that differ between two states, old and new: "Us 20 → 19"; empty if all are the same."""
    scores = ((side, before.scores[side], score) for side, score in after.scores.items())
    changes = ((name_before_number(names[side]), old, new) for side, old, new in scores if old != new)
    return ", ".join(f"{name} {score_text(old)} → {score_text(new)}" for name, old, new in changes)


def new_winner_words(before: MatchState, after: MatchState, names: Names) -> str:
    """Return who wins after a change instead of before: "Winner: Us, not Them."; empty if the winners are the same."""
    old, new = (join_words(names_of(state.winners, names)) for state in (before, after))
    return "" if old == new else f"Winner: {new or 'nobody yet'}{', not ' + old if old else ''}."


def consequences_text(match: Match, after: Match, position: int) -> str:
    """Return what a change of a hand would do to scores, winners and dealers: "Score: Us 20 → 19."; may be empty.

    `after` is the match with the change. `position`, from 1, is that of the changed hand.
    """
    scores = score_changes(match.state, after.state, match.names)
    return join_nonempty(
        f"Score: {scores}." if scores else "",
        new_winner_words(match.state, after.state, match.names),
        _changed_dealer_sentence(match, after, position),
    )


def _changed_dealer_sentence(match: Match, after: Match, start: int) -> str:
    """Return who now deals the first hand whose dealer changes: "The deal moves: Bea deals hand 5."; may be empty.

    Only hands from the index `start` on are compared.
    """
    old, new = (
        [*((hand.dealer, hand.number) for hand in state.results), (state.dealer, state.next_number)][start:]
        for state in (match.state, after.state)
    )
    if len(old) != len(new):
        return ""
    dealer, number = next((now for was, now in zip(old, new, strict=True) if now[0] != was[0]), (None, 0))
    return f"The deal moves: {name_with_verb(match.names[dealer], 'deal')} hand {number}." if dealer else ""


def writer_name(match: Match, stamp: Stamp) -> str:
    """Return the name of the player or side that held the phone that wrote an event; empty without a holder."""
    return match.names_when(stamp.seq).get(holder_of_actor(stamp.actor) or "", "")


def writer_words(match: Match, stamp: Stamp, viewer_actor: str) -> str:
    """Return the holder of the phone that wrote an event: "Mia".

    A phone without a holder is "This phone" if it signs as `viewer_actor`, else "Another phone".
    """
    return writer_name(match, stamp) or ("This phone" if is_same_phone(stamp.actor, viewer_actor) else "Another phone")


_RESCORING_KINDS = (
    *(events.HandAdded, events.HandCorrected, events.HandRemoved, events.HandRestored, events.DealerMoved),
    *(events.Undone, events.Redone, events.PlayersChanged, events.RulesChanged),
)
"""The kinds of events that may change scores, rules or the next dealer."""


def event_action(match: Match, event: StoredEvent) -> str:
    """Return what an event did: "corrected hand 4"; hands have the numbers that they had right after the event."""
    return describe_event(match, event, match.log.as_of(event.seq)).action


def event_details(match: Match, event: StoredEvent) -> Iterator[str]:
    """Yield texts on what an event changed: first values, "bid 3 → 4", then scores or rules, "Us 20 → 19".

    A text may be empty.
    """
    yield from _changed_values(match, event)
    data = event.data
    last_hand = data.hand if isinstance(data, events.HandAdded) and data.before is None else None
    if (last_hand and not last_hand.house) or not isinstance(data, _RESCORING_KINDS):
        return
    before, after = match.as_of(event.seq - 1), match.as_of(event.seq)
    if before is None or after is None:
        return
    if last_hand or isinstance(data, events.RulesChanged):
        yield " ".join(changed_rule_sentences(before.state.ruleset, after.state.ruleset))
        return
    scores = score_changes(before.state, after.state, after.names)
    if isinstance(data, events.DealerMoved) and before.state.dealer and not before.state.open_hand:
        scores = f"it was {before.names[before.state.dealer]}’s deal"
    if scores:
        yield scores


def _changed_values(match: Match, event: StoredEvent) -> Iterator[str]:
    """Yield the values that an event changed, "bid 3 → 4", or the hand that it is about, "Dan 3 spades".

    Events of other kinds have none, since their actions say all.
    """
    setup, before, renege_loss = match.setup, match.log.as_of(event.seq - 1), renege_cost(match.state.ruleset)
    match event.data:
        case events.HandAdded(hand=hand):
            yield stored_hand_words(hand, _names_in_hand(match, event.seq), renege_loss)
        case events.HandCorrected(uid=uid, hand=hand):
            yield hand_changes_words(_hand_in(before, uid), hand, _names_in_hand(match, uid), match.state.ruleset)
        case events.HandRemoved(uid=uid) | events.HandRestored(uid=uid) | events.HandDisputed(uid=uid):
            yield stored_hand_words(_hand_in(before, uid), _names_in_hand(match, uid), renege_loss)
        case events.RulesChanged(notes=notes):
            yield from (f"{note} (on paper only)" for note in notes or ())
        case events.PlayerSubstituted(names=names):
            former_names = setup.record_names(before.renamed)
            yield substitution_words({former_names[seat]: name for seat, name in names.items()})
        case events.Renamed(names=names, by_book=by_book):
            # A name that the book deleted is not shown here.
            if not by_book:
                yield from _renamings(setup, before, match.log.as_of(event.seq), names)
        case events.MarkersChanged(marks=markers):
            old_markers = setup.markers(before.changed_markers)
            for side, marker in markers.items():
                yield f"{match.names[side]}: {marker_name(old_markers[side])} → {marker_name(marker)}"
        case _:
            pass


def _hand_in(log: MatchLog, uid: int) -> Hand:
    """Return the hand with a `uid`, in force or removed; an empty hand if the log has none."""
    logged = log.by_uid.get(uid)
    return logged.hand if logged else Hand()


def _names_in_hand(match: Match, uid: int) -> Names:
    """Return the names, keyed by id, in the hand with a `uid`; the present names if there is no such hand."""
    logged = match.log.by_uid.get(uid)
    return match.names_of(logged) if logged else match.names


def _renamings(setup: MatchSetup, before: MatchLog, after: MatchLog, renamed: Names) -> Iterator[str]:
    """Yield each change of a name, title, day, place or note: "Ann → Anna", "the place: not said → Joe’s".

    Of the names, only those with an id in `renamed` are compared.
    """
    old, new = (setup.shown_names(log.renamed) for log in (before, after))
    yield from (f"{old[who]} → {new[who]}" for who in renamed if new[who] != old[who])
    was, now = (occasion_of(setup, log) for log in (before, after))
    texts = (
        ("the match", was.title or "no title", now.title or "no title"),
        ("the date", was.day, now.day),
        ("the place", was.venue or _NO_VALUE, now.venue or _NO_VALUE),
    )
    yield from (f"{what}: {then} → {text}" for what, then, text in texts if then != text)
    if was.note != now.note:
        yield "the note changed"
