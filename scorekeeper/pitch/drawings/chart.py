"""The geometry of a match's chart, drawn as SVG on the phone and on paper alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorekeeper.pitch.drawings.markers import SideView, letter_base, ring_path, shape_path, spread
from scorekeeper.pitch.rules.phrases import listed, times
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import ScoreHistory
from scorekeeper.pitch.text.phrases import joined, score_text

TITLE = "The score, hand by hand"
MIN_HANDS = 2
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
MAX_LEVELS = 6
FARTHEST = 3
"""How many times as far as the scores have spread the target may lie from them."""
DASHES = {1: "", 2: "7 3.5", 3: "0.1 5", 4: "9 3 1.5 3", 5: "", 6: "1.6 2.8"}
"""The pattern of each side's card as a line: solid, stripes, dots, lattice, level lines, upright bars."""
WIDTHS = {1: 2.4, 2: 2.6, 3: 3.2, 4: 2.6, 5: 4.6, 6: 5.4}


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of the drawing and of its type, in units of its own."""

    width: float
    height: float
    type: float
    head: float
    """Half the size of the marker at the end of a line."""

    @property
    def left(self) -> float:
        """Room for numbers of four signs."""
        return self.type * 2.2

    @property
    def right(self) -> float:
        """Where the lines end; beyond it stand marker and score."""
        return self.width - self.head * 2.6 - self.type * 3

    @property
    def top(self) -> float:
        """The highest that a line may run."""
        return self.type * 0.9

    @property
    def bottom(self) -> float:
        """The lowest; below it stand the numbers of the hands."""
        return self.height - self.type * 2.1

    @property
    def level_x(self) -> float:
        """Where the numbers of the levels end."""
        return round(self.left - self.type * 0.5, 1)

    @property
    def hand_y(self) -> float:
        """The line that the numbers of the hands stand on."""
        return round(self.bottom + self.type * 1.5, 1)

    @property
    def word_x(self) -> float:
        """Where the word at the target begins."""
        return round(self.left + self.type * 0.4, 1)

    def base(self, middle: float) -> float:
        """Return the line on which type stands whose middle is at this height."""
        return round(middle + self.type * 0.34, 1)


PHONE = Frame(340, 230, 14, 9.4)
SHEET = Frame(516, 150, 10, 9.2)
TALL_SHEET = Frame(516, 190, 10, 9.2)
PICTURE = Frame(340, 138, 10, 9.2)


@dataclass(frozen=True, slots=True)
class Tick:
    """A level, or a hand, with what stands beside it."""

    at: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """One side's line."""

    side: SideView
    path: str
    dash: str
    width: float
    points: str
    """The small markers, as one path."""
    set_rings: str
    """A ring around each set, as one path."""
    connector: str
    """The path from the end of the line to its marker, which may be moved aside."""
    head: str
    """The large marker at the end."""
    head_x: float
    letter_y: float
    score_x: float
    score_y: float
    score: str

    @property
    def core(self) -> float:
        """The width of the gap between two level lines."""
        return round(self.width * 0.42, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A chart, ready to be drawn, and the same in words and numbers."""

    title: str
    description: str
    frame: Frame
    levels: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    zero: float | None
    """Where 0 lies, if scores went below it."""
    target: Tick | None
    lines: tuple[ChartLine, ...]
    rows: tuple[tuple[str, ...], ...]
    """The number of each hand, and every side's score after it."""

    @property
    def target_base(self) -> float:
        """The line that the target's word stands on: over the target, or under it where that is the top."""
        if self.target is None:
            return 0.0
        above = self.target.at - self.frame.type * 0.4
        return round(
            above if above > self.frame.top + self.frame.type * 0.5 else self.target.at + self.frame.type * 1.1, 1
        )


def draw_chart(
    histories: Sequence[ScoreHistory],
    sides: Mapping[SideId, SideView],
    *,
    target: int | None,
    frame: Frame = PHONE,
) -> ChartView | None:
    """Return the chart of a match; `None` where there are too few hands for a line."""
    hands = len(histories[0].scores) - 1 if histories else 0
    if hands < MIN_HANDS:
        return None
    line = target if target is not None and _is_near(histories, target) else None
    scale = _Scale(frame, histories, line, hands)
    gap = min(frame.head * 2.1, (frame.bottom - frame.top) / max(len(histories) - 1, 1))
    ends = [scale.y(scores.scores[-1]) for scores in histories]
    heads = spread(ends, gap=gap, first=frame.top, last=frame.bottom - frame.type * 0.3)
    return ChartView(
        title=TITLE,
        description=_description(histories, sides, target, hands),
        frame=frame,
        levels=tuple(Tick(scale.y(level), score_text(level)) for level in scale.levels),
        hands=tuple(Tick(scale.x(n), str(n)) for n in scale.numbered),
        zero=scale.y(0) if scale.low < 0 < scale.high else None,
        target=None if line is None else Tick(scale.y(line), f"Target {score_text(line)}"),
        lines=tuple(
            _line(scores, sides[scores.side], scale, head) for scores, head in zip(histories, heads, strict=True)
        ),
        rows=tuple(
            (str(n) if n else "Start", *(score_text(scores.scores[n]) for scores in histories))
            for n in range(hands + 1)
        ),
    )


def _is_near(histories: Sequence[ScoreHistory], target: int) -> bool:
    """Return whether a target is drawn: one that is so far off that the lines would lie flat is not."""
    scores = [score for history in histories for score in history.scores]
    lowest, highest = min(scores), max(scores)
    return max(target - highest, lowest - target) <= FARTHEST * max(highest - lowest, 1)


class _Scale:
    """Where hands and scores are in the drawing."""

    def __init__(self, frame: Frame, histories: Sequence[ScoreHistory], target: int | None, hands: int) -> None:
        scores = {score for history in histories for score in history.scores}
        scores |= set() if target is None else {target}
        self.frame, self.count = frame, hands
        self.low, self.high = min(scores), max(max(scores), min(scores) + 1)
        step = _step((self.high - self.low) / MAX_LEVELS)
        self.levels = [
            level
            for level in range(-(-self.low // step) * step, self.high + 1, step)
            # The label of another one may overlap that of the target.
            if target in (None, level) or abs(self.y(level) - self.y(target)) >= frame.type * 1.3
        ]
        stride = _step(hands * frame.type * 1.9 / (frame.right - frame.left))
        self.numbered = sorted({1, *range(stride, hands + 1, stride)})

    def x(self, hand: int) -> float:
        """Return where a hand is; 0 is the start."""
        return round(self.frame.left + (self.frame.right - self.frame.left) * hand / self.count, 1)

    def y(self, score: int) -> float:
        """Return the height of a score."""
        share = (score - self.low) / (self.high - self.low)
        return round(self.frame.bottom - (self.frame.bottom - self.frame.top) * share, 1)

    @property
    def gap(self) -> float:
        """How far apart two hands are."""
        return (self.frame.right - self.frame.left) / self.count


def _step(minimum: float) -> int:
    return next((step for step in STEPS if step >= minimum), int(-(-minimum // 500) * 500))


def _line(history: ScoreHistory, side: SideView, scale: _Scale, head: float) -> ChartLine:
    frame = scale.frame
    points = [(scale.x(hand), scale.y(score)) for hand, score in enumerate(history.scores)]
    size = frame.head
    small = min(frame.type * 0.27, scale.gap * 0.3)
    # Where hands lie close, only some carry a marker: it distinguishes sides, it does not count hands.
    every = max(1, round(frame.type * 1.6 / scale.gap))
    end = frame.right + frame.head * 1.85
    around = min(max(scale.gap * 0.45, frame.type * 0.13), frame.type * 0.54)
    return ChartLine(
        side=side,
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        dash=" ".join(str(round(float(part) * frame.type / 14, 2)) for part in DASHES[side.mark].split()),
        width=round(WIDTHS[side.mark] * frame.type / 14, 2),
        points="".join(shape_path(side.mark, x, y, small) for x, y in points[1:-1][every - 1 :: every]),
        set_rings="".join(ring_path(*points[number], around) for number in history.sets),
        connector=f"M{points[-1][0]} {points[-1][1]}L{round(end - size, 1)} {head}",
        head=shape_path(side.mark, end, head, size),
        head_x=round(end, 1),
        letter_y=round(head + letter_base(side.mark, size), 1),
        score_x=round(end + size * 1.35, 1),
        score_y=round(head + frame.type * 0.36, 1),
        score=score_text(history.scores[-1]),
    )


def _description(
    histories: Sequence[ScoreHistory], sides: Mapping[SideId, SideView], target: int | None, hands: int
) -> str:
    """Return in words what the chart shows."""
    courses, sets = [], []
    for history in histories:
        name, (start, *_, end), numbers = sides[history.side].name, history.scores, history.sets
        courses.append(f"{name} from {score_text(start)} to {score_text(end)}")
        if numbers:
            sets.append(f"{name}: set in hand{'' if len(numbers) == 1 else 's'} {listed(map(str, numbers))}.")
    changes = _lead_changes(histories, target)
    return joined(
        f"After {hands} hands: {'; '.join(courses)}.",
        *sets,
        f"The lead changed {times(changes)}." if changes else "",
        f"The target is {score_text(target)}." if target is not None else "",
    )


def _lead_changes(histories: Sequence[ScoreHistory], target: int | None) -> int:
    """Return how often another side took the lead alone; down to a target below the start, the lowest score leads."""
    turn = -1 if target is not None and target < histories[0].scores[0] else 1
    after_hands = list(zip(*(history.scores for history in histories), strict=True))
    best = [max(scores, key=lambda score: turn * score) for scores in after_hands]
    leaders = [scores.index(score) for scores, score in zip(after_hands, best, strict=True) if scores.count(score) == 1]
    return sum(leader != following for leader, following in pairwise(leaders))
