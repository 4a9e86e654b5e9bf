"""Sample hand entries with the bidding call by call: begun, round after round, ten points, over, no dealer."""

from dataclasses import replace

from scorekeeper.web.contexts.auction import AuctionView, CallMade, CallRow
from scorekeeper.web.contexts.hand import FootView, MainButton
from scorekeeper.web.contexts.parts import Choice, QuestionView
from tests.look import entries
from tests.look.people import THEM, US

PEOPLE = (("Bea", THEM), ("Christopher", US), ("Dan", THEM), ("Ann", US))
ICONS = {"moon": "moon", "double moon": "moons"}


def rows(calls: str, speaker: str = "") -> tuple[CallRow, ...]:
    """Make everybody's row of calls said in turn, such as "pass 2 3"."""
    made: dict[str, list[CallMade]] = {name: [] for name, _ in PEOPLE}
    for place, word in enumerate(calls.split()):
        name = PEOPLE[place % len(PEOPLE)][0]
        made[name].append(
            CallMade(
                value=str(place),
                label=word,
                spoken=f"{name}, {word}: back to this call",
                icon=ICONS.get(word, ""),
                is_word=not word.isdecimal(),
                is_pass=word == "pass",
            )
        )
    return tuple(
        CallRow(
            name=name,
            side=side,
            calls=tuple(made[name]),
            note="deals" if name == "Ann" else "",
            is_next=name == speaker,
        )
        for name, side in PEOPLE
    )


def offered(speaker: str, *words: str, quiet: int = 0) -> tuple[Choice, ...]:
    """Make what can be said, after `pass`; the lowest bids may be quiet."""
    return tuple(
        Choice(
            value=f"0:{speaker}:{word}",
            label=word,
            icon=ICONS.get(word, ""),
            spoken=f"{speaker}: {word}",
            is_quiet=0 < i <= quiet,
        )
        for i, word in enumerate(("pass", *words))
    )


def speaking(speaker: str, hint: str = "") -> AuctionView:
    """Make the head of a bidding in which somebody is to speak."""
    return AuctionView(question=f"{speaker} is to speak", hint=hint)


BEGUN = replace(
    entries.FOUR,
    by=entries.ways("auction"),
    bid=None,
    trump=None,
    ticks=None,
    auction=replace(
        speaking("Ann", "All the others passed: Ann deals, and bids or takes the set."),
        rows=rows("pass pass pass", "Ann"),
        calls=offered("Ann", "2", "3", "4", "smudge", "pitch", "take the set"),
    ),
    foot=FootView(main=MainButton(label="Ann is to speak", is_ready=False, target="q-bid")),
)

ROUNDS = replace(
    BEGUN,
    auction=replace(
        speaking("Christopher"),
        rows=rows("1 2 pass 3 4 5 pass pass 6 7 pass pass 8 9 pass pass 10", "Christopher"),
        calls=offered("Christopher", *(str(n) for n in range(1, 15)), quiet=10),
    ),
    foot=FootView(
        says="Bea has bid 10: bid higher, or pass.",
        main=MainButton(label="Christopher is to speak", is_ready=False, target="q-bid"),
    ),
)

TEN = replace(
    BEGUN,
    auction=replace(
        speaking("Dan"),
        rows=rows("5 moon", "Dan"),
        calls=offered("Dan", "5", "6", "7", "8", "9", "10", "moon", "double moon", quiet=7),
    ),
    foot=FootView(main=MainButton(label="Dan is to speak", is_ready=False, target="q-bid")),
)

OVER = replace(
    entries.OPEN,
    by=entries.ways("auction"),
    bid=None,
    auction=AuctionView(
        question="Dan bid 3", rows=rows("pass pass 3 pass"), folded="Dan bid 3", folded_side=THEM, takes_focus=True
    ),
)

DEALER = replace(
    BEGUN,
    auction=AuctionView(
        question="The bidding",
        dealer=QuestionView(
            field="dealer",
            question="Who dealt?",
            choices=tuple(Choice(value=name, label=name, side=side) for name, side in PEOPLE),
        ),
    ),
    extras=None,
    foot=FootView(main=MainButton(label="Who dealt?", is_ready=False, target="dealer")),
)
