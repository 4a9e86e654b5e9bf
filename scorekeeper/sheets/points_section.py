"""The points of a hand: who scores each award, and which may be nobody's."""

from collections.abc import Iterator, Sequence

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import IT, AwardId, OneCard, deciding_options, may_be_missing, scored_by
from scorekeeper.sheets.parts import Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter


def points_section(writer: SheetWriter) -> Section:
    """Return who scores each award; awards that are won alike share a line."""
    groups: dict[tuple[str, bool], list[AwardId]] = {}
    for award_id in writer.ruleset.in_play:
        groups.setdefault((_scored_by(writer, award_id), _is_house(writer, award_id)), []).append(award_id)
    lines = [_line(writer, rule, awards, is_house) for (rule, is_house), awards in groups.items()]
    if writer.ruleset.counted_award:
        lines.append(writer.answer("game_tie"))
    return Section("Points", lines=(*lines, *_unclaimed(writer)))


def _scored_by(writer: SheetWriter, award_id: AwardId) -> str:
    ruleset = writer.ruleset
    is_dirty = ruleset.points.dirty and ruleset.awards[award_id].won == "by_low_rule"
    text = scored_by(ruleset.kinds[award_id], ruleset.how_won(award_id), is_dirty=is_dirty)
    return text.format_map({**writer.words, "it": IT})


def _is_house(writer: SheetWriter, award_id: AwardId) -> bool:
    """Return whether the house changed an award, or an option that decides it."""
    decided_by = deciding_options(writer.ruleset.awards[award_id].won)
    return award_id in writer.changed_awards or not writer.changed_options.isdisjoint(decided_by)


def _line(writer: SheetWriter, rule: str, awards: Sequence[AwardId], is_house: bool) -> Line:
    named = [writer.ruleset.awards[award_id] for award_id in awards]
    lead = ", ".join(f"{award.name} {award.points}" for award in named)
    return Line(rule.replace(IT, "it" if len(awards) == 1 else "the card"), f"{lead}:", is_house)


def _unclaimed(writer: SheetWriter) -> Iterator[Line]:
    """Yield which awards nobody scores where their card is not in play."""
    ruleset = writer.ruleset
    missing = [
        award_id
        for award_id, award in ruleset.in_play.items()
        if may_be_missing(ruleset.kinds[award_id], award, ruleset.how_won(award_id))
    ]
    cards = {award_id for award_id in ruleset.in_play if isinstance(ruleset.kinds[award_id], OneCard)}
    if len(missing) > 2 and cards <= set(missing):
        yield writer.line("Nobody scores a card that is not in play.", is_optional=True)
    elif missing:
        named = phrases.listed((ruleset.awards[award_id].name for award_id in missing), "or")
        yield writer.line(f"{named} not in play: nobody scores it.")
