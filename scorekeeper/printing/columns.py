"""The sections of a rule sheet in two columns of about the same height, in reading order.

WeasyPrint can balance columns itself, but lays them out several times for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from scorekeeper.printing.sheet_heights import HEADING, hand_height, rule_heights, section_height
from scorekeeper.sheets.parts import BidRow, Rule, Section, SectionId, WorkedHand
from scorekeeper.sheets.rule_sheet import RuleSheet

_IN_A_SECTION = 3.3
"""How much the columns may differ by before a section is split."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What stands together in a column: a section, the part of one, or a worked hand."""

    id: SectionId | None = None
    number: int = 0
    title: str = ""
    intro: tuple[Rule, ...] = ()
    bids: tuple[BidRow, ...] = ()
    rules: tuple[Rule, ...] = ()
    is_continued: bool = False
    """Whether it began in the other column, with its heading."""
    hand: WorkedHand | None = None


Columns = tuple[tuple[Block, ...], tuple[Block, ...]]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place between two rules: so many of this section's stand before it."""

    section: int
    items: int
    above: float


def two_columns(sheet: RuleSheet, width: float) -> Columns:
    """Return the sections and the first worked hand in two columns, each so many em wide.

    They are cut between two sections; where that leaves a hole, between two rules of one.
    """
    best, _ = _best_cut(sheet, width)
    left, right = [_block(section) for section in sheet.sections[: best.section]], []
    after = sheet.sections[best.section :]
    if best.items:
        first, rest = _split(after[0], best.items)
        left.append(first)
        right.append(rest)
        after = after[1:]
    right += [_block(section) for section in after]
    right += [Block(hand=hand) for hand in sheet.hands[:1]]
    return tuple(left), tuple(right)


def columns_height(sheet: RuleSheet, width: float) -> float:
    """Return about how many em high the two columns are."""
    best, height = _best_cut(sheet, width)
    return max(best.above, height - best.above)


def _best_cut(sheet: RuleSheet, width: float) -> tuple[_Cut, float]:
    """Return where the left column ends, and the height of both together."""
    hand = sum(hand_height(hand, width) for hand in sheet.hands[:1])
    height = sum(section_height(section, width) for section in sheet.sections) + hand
    best = min(_cuts(sheet, width), key=lambda cut: abs(2 * cut.above - height) + (_IN_A_SECTION if cut.items else 0))
    return best, height


def _cuts(sheet: RuleSheet, width: float) -> Iterator[_Cut]:
    """Yield every place where the left column may end."""
    above = 0.0
    for i, section in enumerate(sheet.sections):
        if i:
            yield _Cut(i, 0, above)
        heights = list(rule_heights(section, width))
        for items in range(1, len(heights)):
            if items != len(section.intro) or not section.bids:  # a table stands below its introduction
                yield _Cut(i, items, above + HEADING + sum(heights[:items]))
        above += HEADING + sum(heights)
    yield _Cut(len(sheet.sections), 0, above)


def _block(section: Section) -> Block:
    return Block(
        id=section.id,
        number=section.number,
        title=section.title,
        intro=section.intro,
        bids=section.bids,
        rules=section.rules,
    )


def _split(section: Section, items: int) -> tuple[Block, Block]:
    """Return a section in two; its table of bids counts as one item."""
    intro = len(section.intro)
    has_bids = items > intro
    after = max(items - intro - (1 if section.bids else 0), 0)
    first = Block(
        id=section.id,
        number=section.number,
        title=section.title,
        intro=section.intro[:items],
        bids=section.bids if has_bids else (),
        rules=section.rules[:after],
    )
    rest = Block(
        intro=section.intro[items:],
        bids=() if has_bids else section.bids,
        rules=section.rules[after:],
        is_continued=True,
    )
    return first, rest
