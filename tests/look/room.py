"""Samples of the pages about other phones."""

from dataclasses import replace

import segno
from markupsafe import Markup

from scorekeeper.web.contexts.parts import Action, Choice, Notice, QuestionView
from scorekeeper.web.contexts.room import InvitationView, PhoneView, PinPage, RoleView, RoomPage, WhosePage
from tests.look import matches
from tests.look.people import THEM, US, under_bar

_LINK = "http://192.168.1.20:8000/join/5t0nCqTz0c2Xb1k9uQ8e7A"


def _post(label: str, icon: str = "") -> Action:
    return Action(label=label, url="/room", icon=icon, is_post=True)


ROOM = RoomPage(
    title="Other phones",
    bar=under_bar("Other phones", "Thursday at Oma’s"),
    invite_url="/room",
    hidden=(),
    roles=(
        RoleView(role="watcher", label="To look on", is_shown=True),
        RoleView(role="scorer", label="To score as well", is_shown=False),
    ),
    invitation=InvitationView(
        qr=Markup(
            segno.make(_LINK, micro=False).svg_inline(scale=5, border=3, light="#fff", dark="#000", omitsize=True)
        ),
        pin=tuple("KYMXT"),
        spoken="PIN: K, Y, M, X, T",
        typed_at="192.168.1.20:8000/join",
        url=_LINK,
        note="Whoever scans this sees the score, and writes nothing. It holds until 21 Nov, 07:12.",
        end=_post("End this code", "stop"),
    ),
    phones=(
        PhoneView(
            name="Ann",
            small="owns the match, in since 19:02, this phone",
            side=US,
            actions=(Action(label="Whose phone is this?", url="/whose"),),
        ),
        PhoneView(
            name="Bartholomew-Maximilian",
            small="has the pencil, in since 19:04, here now",
            side=THEM,
            actions=(
                _post("Take Bartholomew-Maximilian’s pencil back", "undo"),
                _post("Make Bartholomew-Maximilian owner as well"),
                _post("End Bartholomew-Maximilian’s link", "stop"),
            ),
        ),
        PhoneView(
            name="A phone that looks on",
            small="looks on, in since 19:20, here at 20:10",
            actions=(_post("Give it the pencil", "pencil"), _post("End its link", "stop")),
        ),
        PhoneView(
            name="Dan", small="out since 20:31", side=THEM, actions=(_post("Let Dan in again", "again"),), is_out=True
        ),
    ),
    phones_url="/room?v=1",
    notices=(Notice(lead="Dan is out.", text="The code that let it in is ended too.", icon="pencil"),),
)
ALONE = replace(
    ROOM,
    invitation=None,
    notices=(),
    phones=(PhoneView(name="The phone in the middle", small="owns the match, in since 19:02, this phone"),),
)
WHOSE = WhosePage(
    title="Come in",
    bar=under_bar("Come in", "Thursday at Oma’s"),
    action="/join",
    hidden=(),
    question=QuestionView(
        field="seat",
        question="Whose phone is this?",
        choices=(
            Choice(value="p1", label="Ann", side=US),
            Choice(value="p2", label="Bartholomew-Maximilian", side=THEM, is_chosen=True),
            Choice(value="p3", label="Cal", side=US),
            Choice(value="nobody", label="Only looking on"),
        ),
    ),
    go_label="Come in",
    note="This phone shows the score as it stands, and writes nothing.",
)
PIN = PinPage(title="Join a match", bar=under_bar("Join a match", ""), action="/join", hidden=(), field="pin")
PIN_REFUSED = replace(
    PIN,
    pin="KYMXX",
    heading="Not that one",
    fault="No match has this PIN just now. It is five of the letters A C F H K.",
)
WATCHED = replace(matches.MATCH, main=None, undo=None, looks_on="Bea’s phone looks on.")
