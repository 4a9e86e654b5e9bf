"""Sample pages of house rules: the composer as the views fill it, the list, and how rules travel."""

import segno
from markupsafe import Markup

from scorekeeper.rules.code import encode
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import HouseRules
from scorekeeper.web.contexts.home import HomeLine
from scorekeeper.web.contexts.houses import HouseSharePage, HousesPage, RetiredLine
from scorekeeper.web.contexts.parts import Action, BarView, Notice
from scorekeeper.web.contexts.settings import ShareView
from scorekeeper.web.contexts.transfer import FileFault
from scorekeeper.web.forms.composer import RulesDraft, from_form
from scorekeeper.web.present.composer_page import Setting, composer_page
from scorekeeper.web.rulesets import library
from tests.look.people import HOME

MILLERS = HouseRules(
    "The Millers’ Pitch",
    "partnership-pitch",
    {"target": 15, "dealer_steal": "no", "all_pass": "redeal", "jokers": 2},
    ("Loser does the dishes.", "Oma may look at one card."),
)
CODE = encode(MILLERS)
SETTING = Setting(
    title="The Millers’ Pitch",
    bar=BarView(
        title="The Millers’ Pitch",
        sub="our own rules",
        back_url=HOME,
        tools=(Action(label="Share these rules", url="/share", icon="share", is_icon_only=True),),
    ),
    action="/compose",
    hidden=(("client_key", "k"),),
    save_label="Save these rules",
    ways=(
        Action(label="Play by these rules", url="/new", icon="cards"),
        Action(label="Retire", url="/house", icon="bin", is_post=True),
    ),
)

_PARTNERSHIP = library()["partnership-pitch"]
COMPOSE = composer_page(SETTING, RulesDraft(_PARTNERSHIP, MILLERS.options, name=MILLERS.name, notes=MILLERS.notes))
COMPOSE_NEW = composer_page(SETTING, RulesDraft(library()["colorado-ten-point"]))
COMPOSE_REFUSED = composer_page(
    SETTING,
    from_form(_PARTNERSHIP, {"rule-min_bid": "9", "rule-target": "many", "rule-moon": "stake", "notes": "x"}),
    (Fault("name", "bad_name", "Give these rules a name, with no space around it."),),
)
COMPOSE_MATCH = composer_page(
    Setting(
        title="Change a rule",
        bar=BarView(title="Change a rule", sub="Thursday at Oma’s, from hand 5 on", back_url=HOME),
        action="/compose",
        hidden=(("client_key", "k"), ("version", "4")),
        save_label="Let it count from hand 5 on",
        since="from hand 5 on",
        legend="as it is now",
        is_named=False,
    ),
    RulesDraft(library()["racehorse"], {"cents_per_point": 25}),
)
HOUSES = HousesPage(
    title="Our rules",
    bar=BarView(title="Our rules", back_url=HOME),
    lines=(
        HomeLine(url="/compose", label="The Millers’ Pitch", small="from Partnership Pitch, to 15", icon="pencil"),
        HomeLine(url="/compose", label="Cabin " * 10, small="from Colorado Ten Point, to 42", icon="pencil"),
    ),
    retired=(
        RetiredLine(
            label="Before Oma moved in",
            small="from Auction Pitch, target to agree",
            back=Action(label="Put back", url="/house", icon="again", is_post=True),
        ),
    ),
    new=Action(label="New rules of our own", url="/choose", icon="pencil"),
    code_url="/rules",
    upload_url="/house",
    hidden=(("client_key", "k"),),
    notices=(Notice(lead="The Millers’ Pitch is saved.", kind="made"),),
)
HOUSES_REFUSED = HousesPage(
    title="Our rules",
    bar=BarView(title="Our rules", back_url=HOME),
    lines=(),
    retired=(),
    new=Action(label="New rules of our own", url="/choose", icon="pencil"),
    code_url="/rules",
    upload_url="/house",
    hidden=(("client_key", "k"),),
    faults_heading="These rules were not taken in",
    faults=(FileFault(where="house.min_bid", text="The lowest bid is 9, but a hand is worth only 4. Choose 1 to 4."),),
)
_LINK = f"http://192.168.1.7:8000/rules?r={CODE}"
SHARE = HouseSharePage(
    title="Share The Millers’ Pitch",
    bar=BarView(title="The Millers’ Pitch", sub="Share", back_url=HOME),
    share=ShareView(
        url=_LINK,
        qr=Markup(
            segno.make(_LINK, micro=False).svg_inline(scale=4, border=3, light="#fff", dark="#000", omitsize=True)
        ),
        note="The link carries the rules themselves.",
    ),
    code=CODE,
    actions=(Action(label="Take it away as a file", url="/share", icon="down"),),
)
