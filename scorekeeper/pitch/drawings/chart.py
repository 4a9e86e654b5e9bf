"""The coordinates of the score chart of a match, which pages and paper draw as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scorekeeper.pitch.drawings.markers import SideView, letter_baseline, ring_path, shape_path, spread_apart
from scorekeeper.pitch.rules.phrases import inflect, join_words, times_word
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import MatchState, ScoreHistory, score_histories
from scorekeeper.pitch.scoring.standing import target_score
from scorekeeper.pitch.text.phrases import join_nonempty, score_text

MIN_CHART_HANDS = 2
"""The fewest hands for which a match has a chart."""
ROUND_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
"""The distances to choose from between two labels on an axis, in points or in hands."""
MAX_SCORE_INTERVALS = 6
"""The most intervals between labels on the axis of scores."""
MAX_TARGET_DISTANCE = 3
"""The farthest that a drawn target is from the scores, in multiples of the range of the scores."""
LINE_DASHES = {1: "", 2: "7 3.5", 3: "0.1 5", 4: "9 3 1.5 3", 5: "", 6: "1.6 2.8"}
"""The SVG dashes of a line, keyed by the shape of its marker, in a chart with type of size 14."""
LINE_WIDTHS = {1: 2.4, 2: 2.6, 3: 3.2, 4: 2.6, 5: 4.6, 6: 5.4}
"""The width of a line, keyed by the shape of its marker, in a chart with type of size 14."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a chart and the positions of its parts, in SVG units."""

    width: float
    height: float
    type_size: float
    head_radius: float
    """The radius of the large marker at the end of a line."""

    @property
    def left(self) -> float:
        """The x of the left end of the lines, which leaves room for numbers of four characters."""
        return self.type_size * 2.2

    @property
    def right(self) -> float:
        """The x of the right end of the lines; large markers and scores are beyond it."""
        return self.width - self.head_radius * 2.6 - self.type_size * 3

    @property
    def top(self) -> float:
        """The y of the upper end of the area for the lines."""
        return self.type_size * 0.9

    @property
    def bottom(self) -> float:
        """The y of the lower end of the area for the lines; the numbers of the hands are below it."""
        return self.height - self.type_size * 2.1

    @property
    def level_label_x(self) -> float:
        """The x of the right edge of the labels on the axis of scores."""
        return round(self.left - self.type_size * 0.5, 1)

    @property
    def hand_number_y(self) -> float:
        """The y of the baseline of the labels on the axis of hands."""
        return round(self.bottom + self.type_size * 1.5, 1)

    @property
    def target_label_x(self) -> float:
        """The x of the left edge of the target's label."""
        return round(self.left + self.type_size * 0.4, 1)

    def baseline(self, middle_y: float) -> float:
        """Return the y of the baseline of type, given the y of its middle."""
        return round(middle_y + self.type_size * 0.34, 1)


PHONE_FRAME = Frame(340, 230, 14, 9.4)
SHEET_FRAME = Frame(516, 150, 10, 9.2)
TALL_SHEET_FRAME = Frame(516, 190, 10, 9.2)
RESULT_PICTURE_FRAME = Frame(340, 138, 10, 9.2)


@dataclass(frozen=True, slots=True)
class Tick:
    """A labeled position on an axis."""

    at: float
    """The x of the label on a horizontal axis, or its y on a vertical one, in SVG units."""
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """One side's line in a chart, with its markers and its final score, in SVG units."""

    side: SideView
    path: str
    """The line, as an SVG path."""
    dash: str
    """The dashes, as a value of the SVG attribute `stroke-dasharray`."""
    width: float
    points: str
    """The small markers along the line, as one SVG path."""
    set_rings: str
    """The rings around the hands in which the side was set, as one SVG path."""
    connector: str
    """The SVG path from the end of the line to its large marker."""
    head: str
    """The large marker at the end of the line, as an SVG path."""
    head_x: float
    """The x of the center of the large marker, and of the letter in it."""
    letter_y: float
    """The y of the baseline of the letter in the large marker."""
    score_x: float
    score_y: float
    """The y of the baseline of the final score; `score_x` is its left end."""
    score: str
    """The final score."""

    @property
    def core(self) -> float:
        """The width of the gap in the middle of a double line, which shape 5 has."""
        return round(self.width * 0.42, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartView:
    """A chart with all its coordinates, also described in words and as a table of numbers."""

    title: str = "The score, hand by hand"
    """The title in the text alternative of the chart."""
    description: str
    frame: Frame
    levels: tuple[Tick, ...]
    """The labels on the axis of scores."""
    hands: tuple[Tick, ...]
    """The labels on the axis of hands, which are the numbers of some hands."""
    zero: float | None
    """The y of the line at score 0; `None` if 0 is not inside the chart."""
    target: Tick | None
    """The y and the label of the target; `None` if the target is not drawn."""
    lines: tuple[ChartLine, ...]
    rows: tuple[tuple[str, ...], ...]
    """The rows of the table: "Start" or the number of a hand, then every side's score after it."""

    @property
    def target_label_baseline(self) -> float:
        """The y of the baseline of the target's label; 0 without a target."""
        if self.target is None:
            return 0.0
        above = self.target.at - self.frame.type_size * 0.4
        return round(
            above
            if above > self.frame.top + self.frame.type_size * 0.5
            else self.target.at + self.frame.type_size * 1.1,
            1,
        )


def draw_match_chart(
    state: MatchState, sides: Mapping[SideId, SideView], frame: Frame = PHONE_FRAME
) -> ChartView | None:
    """Return the chart of a match's scores; `None` where hands are paid in money, or too few were played."""
    if state.ruleset.pays_by_hand:
        return None
    return draw_chart(score_histories(state), sides, target=target_score(state.ruleset), frame=frame)


def draw_chart(
    histories: Sequence[ScoreHistory],
    sides: Mapping[SideId, SideView],
    *,
    target: int | None,
    frame: Frame = PHONE_FRAME,
) -> ChartView | None:
    """Return the chart of scores; `None` if fewer than `MIN_CHART_HANDS` hands were played.

    A `target` far from the scores is only in the description.
    """
    hand_count = len(histories[0].scores) - 1 if histories else 0
    if hand_count < MIN_CHART_HANDS:
        return None
    drawn_target = target if target is not None and _is_target_near(histories, target) else None
    scale = _Scale(frame, histories, drawn_target, hand_count)
    head_gap = min(frame.head_radius * 2.1, (frame.bottom - frame.top) / max(len(histories) - 1, 1))
    end_ys = [scale.y(history.scores[-1]) for history in histories]
    head_ys = spread_apart(end_ys, gap=head_gap, first=frame.top, last=frame.bottom - frame.type_size * 0.3)
    return ChartView(
        description=_describe_chart(histories, sides, target, hand_count),
        frame=frame,
        levels=tuple(Tick(scale.y(level), score_text(level)) for level in scale.levels),
        hands=tuple(Tick(scale.x(n), str(n)) for n in scale.numbered_hands),
        zero=scale.y(0) if scale.low < 0 < scale.high else None,
        target=None if drawn_target is None else Tick(scale.y(drawn_target), f"Target {score_text(drawn_target)}"),
        lines=tuple(
            _draw_line(history, sides[history.side], scale, head_y)
            for history, head_y in zip(histories, head_ys, strict=True)
        ),
        rows=tuple(
            (str(n) if n else "Start", *(score_text(history.scores[n]) for history in histories))
            for n in range(hand_count + 1)
        ),
    )


def _is_target_near(histories: Sequence[ScoreHistory], target: int) -> bool:
    """Return whether the target is near enough to the scores to be drawn."""
    scores = [score for history in histories for score in history.scores]
    lowest, highest = min(scores), max(scores)
    return max(target - highest, lowest - target) <= MAX_TARGET_DISTANCE * max(highest - lowest, 1)


class _Scale:
    """Converts hands and scores to coordinates in a chart, and chooses the hands and scores that have a label."""

    def __init__(self, frame: Frame, histories: Sequence[ScoreHistory], target: int | None, hand_count: int) -> None:
        scores = {score for history in histories for score in history.scores}
        scores |= set() if target is None else {target}
        self.frame, self.hand_count = frame, hand_count
        self.low, self.high = min(scores), max(max(scores), min(scores) + 1)
        step = _round_up_step((self.high - self.low) / MAX_SCORE_INTERVALS)
        self.levels = [
            level
            for level in range(-(-self.low // step) * step, self.high + 1, step)
            # The label of a level near the target would overlap the target's.
            if target in (None, level) or abs(self.y(level) - self.y(target)) >= frame.type_size * 1.3
        ]
        stride = _round_up_step(hand_count * frame.type_size * 1.9 / (frame.right - frame.left))
        self.numbered_hands = sorted({1, *range(stride, hand_count + 1, stride)})

    def x(self, hand: int) -> float:
        """Return the x of the hand with a number, from 1; for 0, that of the start of the match."""
        return round(self.frame.left + (self.frame.right - self.frame.left) * hand / self.hand_count, 1)

    def y(self, score: int) -> float:
        share = (score - self.low) / (self.high - self.low)
        return round(self.frame.bottom - (self.frame.bottom - self.frame.top) * share, 1)

    @property
    def gap(self) -> float:
        """The distance from one hand to the next, in SVG units."""
        return (self.frame.right - self.frame.left) / self.hand_count


def _round_up_step(minimum: float) -> int:
    """Return the smallest of `ROUND_STEPS` that is at least `minimum`; above 500, a multiple of 500."""
    return next((step for step in ROUND_STEPS if step >= minimum), int(-(-minimum // 500) * 500))


def _draw_line(history: ScoreHistory, side: SideView, scale: _Scale, head_y: float) -> ChartLine:
    """Return the line of one side, with the center of its large marker at `head_y`."""
    frame = scale.frame
    points = [(scale.x(hand), scale.y(score)) for hand, score in enumerate(history.scores)]
    radius = frame.head_radius
    point_radius = min(frame.type_size * 0.27, scale.gap * 0.3)
    # Where hands are close together, only some have a marker, which is enough to tell the sides apart.
    stride = max(1, round(frame.type_size * 1.6 / scale.gap))
    head_x = frame.right + frame.head_radius * 1.85
    ring_radius = min(max(scale.gap * 0.45, frame.type_size * 0.13), frame.type_size * 0.54)
    return ChartLine(
        side=side,
        path="M" + "L".join(f"{x} {y}" for x, y in points),
        dash=" ".join(str(round(float(part) * frame.type_size / 14, 2)) for part in LINE_DASHES[side.shape].split()),
        width=round(LINE_WIDTHS[side.shape] * frame.type_size / 14, 2),
        points="".join(shape_path(side.shape, x, y, point_radius) for x, y in points[1:-1][stride - 1 :: stride]),
        set_rings="".join(ring_path(*points[number], ring_radius) for number in history.sets),
        connector=f"M{points[-1][0]} {points[-1][1]}L{round(head_x - radius, 1)} {head_y}",
        head=shape_path(side.shape, head_x, head_y, radius),
        head_x=round(head_x, 1),
        letter_y=round(head_y + letter_baseline(side.shape, radius), 1),
        score_x=round(head_x + radius * 1.35, 1),
        score_y=round(head_y + frame.type_size * 0.36, 1),
        score=score_text(history.scores[-1]),
    )


def _describe_chart(
    histories: Sequence[ScoreHistory], sides: Mapping[SideId, SideView], target: int | None, hand_count: int
) -> str:
    """Return the text alternative of a chart: first and last scores, sets, changes of the lead, and the target."""
    course_texts, set_sentences = [], []
    for history in histories:
        name, (start, *_, end), set_hands = sides[history.side].name, history.scores, history.sets
        course_texts.append(f"{name} from {score_text(start)} to {score_text(end)}")
        if set_hands:
            set_sentences.append(f"{name}: set in {inflect('hand', len(set_hands))} {join_words(map(str, set_hands))}.")
    lead_change_count = _count_lead_changes(histories, target)
    return join_nonempty(
        f"After {hand_count} hands: {'; '.join(course_texts)}.",
        *set_sentences,
        f"The lead changed {times_word(lead_change_count)}." if lead_change_count else "",
        f"The target is {score_text(target)}." if target is not None else "",
    )


def _count_lead_changes(histories: Sequence[ScoreHistory], target: int | None) -> int:
    """Return how often the lead passed from one side to another; hands after which two lead are left out."""
    direction = -1 if target is not None and target < histories[0].scores[0] else 1
    scores_by_hand = list(zip(*(history.scores for history in histories), strict=True))
    best_scores = [max(scores, key=lambda score: direction * score) for scores in scores_by_hand]
    leaders = [
        scores.index(score)
        for scores, score in zip(scores_by_hand, best_scores, strict=True)
        if scores.count(score) == 1
    ]
    return sum(leader != following for leader, following in pairwise(leaders))
