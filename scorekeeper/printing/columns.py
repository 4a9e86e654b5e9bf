"""The estimated heights of the parts of a rule sheet, and the split of its sections into two columns.

Heights are in em of the sheet's text; the search for the largest text that fits a page starts from them. WeasyPrint can
balance columns itself, but lays them out several times.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import wrap

from scorekeeper.pitch.sheets.parts import BLANK, HouseFrame, Rule, Section, WorkedHand
from scorekeeper.pitch.sheets.rule_sheet import RuleSheet

_CHARACTER_WIDTH_EM = 0.432
"""The average width of a character in em."""
_RULE_NUMBER_WIDTH_EM = 2.1
"""The width of a rule's number in em."""
_RULE_LINE_HEIGHT_EM, _TEXT_LINE_HEIGHT_EM = 1.25, 1.22
"""The line heights of rules and of other text, in em."""
HEADING_HEIGHT_EM = 2.3
"""The height of a heading with the space above it, in em."""
_RULE_GAP_EM = 0.14
"""The height of the space below a rule, in em."""
_BIDS_HEAD_HEIGHT_EM, _BIDS_ROW_HEIGHT_EM, _BIDS_LINE_HEIGHT_EM = 1.5, 1.55, 1.18
"""The heights in the table of bids, in em: its head, a row, and each further line of a row."""
_NEEDS_COLUMN_SHARE = 0.3
"""The share of the bid table's width that its column “needs” takes."""
_BOLD_LINE_SHARE = 0.92
"""The ratio of the characters that fit on a line in bold type to those in regular type."""
_WORKED_HAND_ROW_HEIGHT_EM = 1.36
"""The height of a row in the table of a worked hand, in em."""
_TITLE_HEIGHT_EM, TITLE_LINE_HEIGHT_EM = 3.4, 2.65
"""The heights of a title of one line, and of each further line, in em."""
_FIGURES_HEIGHT_EM, _TRUMPS_HEIGHT_EM = 3.9, 8.2
"""The heights of the key numbers at the head without their captions, and of the picture of trumps, in em."""
_HOUSE_FRAME_HEIGHT_EM, _WRITING_LINES_HEIGHT_EM, _FOOT_HEIGHT_EM = 3.7, 3.2, 4.0
"""The heights of an empty frame of house rules, of the lines to write on in it, and of the sheet's foot, in em."""
_LONG_LINE_FACTOR = 0.96
"""The ratio of a single column's height to the estimate: long lines leave less room at their ends."""


def height_above_columns(sheet: RuleSheet, width_em: float) -> float:
    """Return the estimated height above the two columns of a page this wide, in em: title, aim, key numbers, trumps."""
    title_height = _TITLE_HEIGHT_EM + TITLE_LINE_HEIGHT_EM * (count_lines(sheet.title, width_em / 4.2) - 1)
    caption_lines = max((count_lines(figure.caption, width_em / 5 - 1.3) for figure in sheet.glance), default=0)
    return (
        title_height
        + 0.9
        + 1.25 * count_lines(sheet.aim, width_em)
        + _FIGURES_HEIGHT_EM
        + 1.2 * caption_lines
        + _TRUMPS_HEIGHT_EM
    )


def height_below_columns(sheet: RuleSheet, width_em: float, hands: Sequence[WorkedHand]) -> float:
    """Return the estimated height below the columns of a page this wide, in em.

    There are the disputes, beside a single one of these worked hands or below all of them, and the house rules.
    """
    half = width_em * 0.484
    heights = [worked_hand_height(hand, half) for hand in hands]
    if len(hands) > 1:
        height = 0.8 + max(heights[0], sum(heights[1:])) + _disputes_height(sheet, width_em, columns=1)
    else:
        height = max([*heights, _disputes_height(sheet, half, columns=1 if hands else 2)])
    return 0.8 + height + _house_frame_height(sheet.house_frame, width_em)


def count_source_lines(sheet: RuleSheet, width_em: float, *, has_code: bool) -> int:
    """Return the estimated number of lines of fine print at a sheet's foot.

    `width_em` is in em of the fine print. `has_code` adds a line about the QR code.
    """
    texts = ["† In whole or part an agreed reading. "] if sheet.has_interpretations else []
    texts += [
        f"“{source.document.title}” ({source.document.address}{source.document.origin}), {source.section}; "
        for source in sheet.sources
    ]
    also = f"The score on the phone follows the same rules. Also called {sheet.other_names}."
    return (
        count_lines("".join(texts), width_em * _BOLD_LINE_SHARE)
        + count_lines(also, width_em * _BOLD_LINE_SHARE)
        + has_code
    )


def height_in_one_column(sheet: RuleSheet, width_em: float) -> float:
    """Return the estimated height of a sheet in a single column, in em."""
    sections_height = sum(section_height(section, width_em) for section in sheet.sections)
    hands_height = sum(worked_hand_height(hand, width_em) for hand in sheet.hands)
    disputes_height = _disputes_height(sheet, width_em, columns=1)
    estimate = (
        height_above_columns(sheet, width_em)
        + sections_height
        + hands_height
        + disputes_height
        + 2 * _house_frame_height(sheet.house_frame, width_em)
        + _FOOT_HEIGHT_EM
    )
    return estimate * _LONG_LINE_FACTOR


def _disputes_height(sheet: RuleSheet, width_em: float, *, columns: int) -> float:
    """Return the estimated height in em of the disputed questions and the rules for disputes.

    They are in `columns` columns side by side, each `width_em` wide.
    """
    question_heights = [
        _RULE_LINE_HEIGHT_EM * count_lines(f"{argued.question} {argued.answer} (9.9)", width_em * _BOLD_LINE_SHARE)
        + 0.25
        for argued in sheet.argued_questions
    ]
    rule_heights = [
        _RULE_LINE_HEIGHT_EM * count_lines(rule.text.replace(BLANK, 3 * BLANK), width_em - _RULE_NUMBER_WIDTH_EM) + 0.25
        for rule in sheet.disputes.all_rules
    ]
    return HEADING_HEIGHT_EM + sum(
        max(heights[i : i + columns])
        for heights in (question_heights, rule_heights)
        for i in range(0, len(heights), columns)
    )


def _house_frame_height(frame: HouseFrame, width_em: float) -> float:
    """Return the estimated height of the frame of house rules, in em."""
    half = width_em / 2 - 2
    texts = [*frame.changes, *frame.agreed, *frame.notes]
    texts += [f"{question.question} {'_' * 8} {'    '.join(question.choices)}" for question in frame.questions]
    if frame.offers:
        texts += ["", *(offer.text for offer in frame.offers)]
    return (
        _HOUSE_FRAME_HEIGHT_EM
        + 1.3 * sum(max(count_lines(text, half), 1) for text in texts) / 2
        + _WRITING_LINES_HEIGHT_EM
    )


def section_height(section: Section, width_em: float) -> float:
    """Return the estimated height of a section with its heading, in em."""
    return HEADING_HEIGHT_EM + sum(section_item_heights(section, width_em))


def section_item_heights(section: Section, width_em: float) -> Iterator[float]:
    """Yield the estimated height of each rule in a section, in em; the table of bids is one item."""
    for rule in section.intro:
        yield _rule_height(rule, width_em)
    if section.bids:
        further_lines = sum(count_lines(row.needs, width_em * _NEEDS_COLUMN_SHARE) - 1 for row in section.bids)
        yield _BIDS_HEAD_HEIGHT_EM + _BIDS_ROW_HEIGHT_EM * len(section.bids) + _BIDS_LINE_HEIGHT_EM * further_lines
    for rule in section.rules:
        yield _rule_height(rule, width_em)


def _rule_height(rule: Rule, width_em: float) -> float:
    """Return the estimated height of a rule with the space below it, in em."""
    return (
        _RULE_LINE_HEIGHT_EM * count_lines(f"{rule.lead} {rule.text}", width_em - _RULE_NUMBER_WIDTH_EM) + _RULE_GAP_EM
    )


def worked_hand_height(hand: WorkedHand, width_em: float) -> float:
    """Return the estimated height of a worked hand, in em."""
    text_lines = count_lines(" ".join(hand.story), width_em) + count_lines(hand.result, width_em * _BOLD_LINE_SHARE)
    return HEADING_HEIGHT_EM + _TEXT_LINE_HEIGHT_EM * text_lines + _WORKED_HAND_ROW_HEIGHT_EM * (1 + len(hand.rows))


@lru_cache(maxsize=4096)  # a sheet is measured in each size, and once for each possible back
def count_lines(text: str, width_em: float) -> int:
    """Return the estimated number of lines of a text in a width in em; cached."""
    return len(wrap(text, max(int(width_em / _CHARACTER_WIDTH_EM), 1)))


_MIN_GAIN_OF_SPLIT_EM = 3.3
"""By how much, in em, splitting a section must lessen the difference between the columns' heights."""


SheetColumns = tuple[tuple[Section, ...], tuple[Section, ...]]
"""The sections in two columns; the rest of a split section begins the second."""


@dataclass(frozen=True, slots=True)
class _ColumnEnd:
    """A possible end of the first column.

    The section at `section_index` begins the second column, whole or in part.
    """

    section_index: int
    items_above: int
    """The number of the section's rules in the first column, with the table of bids as one; 0 if it is not split."""
    height_above: float
    """The height of the first column in em."""


def split_into_columns(sheet: RuleSheet, width_em: float) -> SheetColumns:
    """Return the sections in two columns of similar height.

    The second has room for the first worked hand. `width_em` is the width of one column.
    """
    best, _ = _best_column_end(sheet, width_em)
    sections_before, sections_after = sheet.sections[: best.section_index], sheet.sections[best.section_index :]
    if not best.items_above:
        return sections_before, sections_after
    split_section, *rest = sections_after
    index = best.items_above
    if split_section.bids and index > len(split_section.intro):
        index += len(split_section.bids) - 1  # the table of bids is one item
    first_part = replace(split_section, all_rules=split_section.all_rules[:index])
    second_part = replace(split_section, all_rules=split_section.all_rules[index:])
    return (*sections_before, first_part), (replace(second_part, is_continued=True), *rest)


def columns_height(sheet: RuleSheet, width_em: float) -> float:
    """Return the estimated height of the taller of two columns this wide, in em.

    The second includes the first worked hand.
    """
    best, total_height = _best_column_end(sheet, width_em)
    return max(best.height_above, total_height - best.height_above)


def _best_column_end(sheet: RuleSheet, width_em: float) -> tuple[_ColumnEnd, float]:
    """Return the best end of the first column, and the height of both columns together in em.

    The second column includes the first worked hand. A section is split only for a gain of `_MIN_GAIN_OF_SPLIT_EM`.
    """
    hand_height = sum(worked_hand_height(hand, width_em) for hand in sheet.hands[:1])
    total_height = sum(section_height(section, width_em) for section in sheet.sections) + hand_height
    best = min(
        _possible_column_ends(sheet, width_em),
        key=lambda end: abs(2 * end.height_above - total_height) + (_MIN_GAIN_OF_SPLIT_EM if end.items_above else 0),
    )
    return best, total_height


def _possible_column_ends(sheet: RuleSheet, width_em: float) -> Iterator[_ColumnEnd]:
    """Yield the possible ends of the first column, from the top down."""
    height_above = 0.0
    for i, section in enumerate(sheet.sections):
        if i:
            yield _ColumnEnd(i, 0, height_above)
        heights = list(section_item_heights(section, width_em))
        for items in range(1, len(heights)):
            if items != len(section.intro) or not section.bids:  # no cut between an introduction and its table
                yield _ColumnEnd(i, items, height_above + HEADING_HEIGHT_EM + sum(heights[:items]))
        height_above += HEADING_HEIGHT_EM + sum(heights)
    yield _ColumnEnd(len(sheet.sections), 0, height_above)
