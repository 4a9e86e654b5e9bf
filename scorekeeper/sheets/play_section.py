"""The play: who leads, what may be played, who wins a trick, and what ends it."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter
from scorekeeper.sheets.trump_section import names_trump


def play_section(writer: SheetWriter) -> Section:
    """Return how the tricks are played."""
    return Section("play", "Play", rules=writer.with_own("play", _first_lead(writer), *_tricks(writer)))


def _first_lead(writer: SheetWriter) -> Rule:
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        text = "The player on the dealer’s left leads any card."
        if ruleset.play.next_dealer == "counterclockwise":
            text = "The player on the dealer’s right leads any card."
        return writer.rule("play.lead", text, "first_lead", "next_dealer")
    if _holder_leads(ruleset):
        return writer.answer("play.lead", "call_lead")
    if not names_trump(ruleset):
        return writer.rule("play.lead", "The bidder leads any card.", "first_lead")
    if ruleset.play.follow == "trump_only":
        return writer.rule(
            "play.lead", "The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow"
        )
    return writer.answer("play.lead", "first_lead")


def _holder_leads(ruleset: Ruleset) -> bool:
    return ruleset.table.called and ruleset.play.call_lead == "holder"


def _tricks(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    trump_only = ruleset.play.follow == "trump_only"
    if not trump_only or not ruleset.bidding.auction or _holder_leads(ruleset):
        yield writer.answer("play.follow", "follow")
    if trump_only:
        yield writer.rule("play.trick", "The highest trump wins the trick. Its winner leads to the next.", "follow")
        text = "If you have no trump left, say “out”. If the winner of a trick is out, the player on the left leads."
        yield writer.rule("play.out", text, "follow")
    else:
        text = "The highest trump wins the trick; without a trump, the highest card of the suit led."
        yield writer.rule("play.trick", f"{text} Its winner leads any card to the next.", "follow")
    if cards.face_down:
        text = "From the second trick on, play a card from your hand, or turn up one of those that lie face down."
        yield writer.rule("play.fish", text)
    yield writer.rule("play.end", _end(ruleset), "follow")
    if "smudge" in ruleset.special_bids:
        text = "A smudge that has lost a trick is played to the end, since the others can still score."
        yield writer.rule("play.smudge_lost", text, "smudge")


def _end(ruleset: Ruleset) -> str:
    if ruleset.play.follow == "trump_only":
        return "The hand is over when everyone is out of trumps."
    number = ruleset.cards.played or ruleset.cards.dealt
    tricks = phrases.several(number, "trick") if number else "the tricks"
    return f"Play all {tricks}."
