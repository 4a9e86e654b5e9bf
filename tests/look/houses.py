"""Sample pages of house rules: the editor, the list, and the page that shares one of them."""

from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import HouseRules
from scorekeeper.rules.share_code import encode
from scorekeeper.web.house_rules.editor_page import MatchRules, NewRules, SavedRules, editor_page
from scorekeeper.web.house_rules.form import RulesForm, read_form
from scorekeeper.web.house_rules.page import HouseRulesLine, HouseRulesPage, LastChange, SharePage
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.qr import qr_svg

MILLERS = HouseRules(
    "The Millers’ Pitch",
    "partnership-pitch",
    {"target": 15, "dealer_steal": "no", "all_pass": "redeal", "jokers": 2},
    ("Loser does the dishes.", "Oma may look at one card."),
)
CODE = encode(MILLERS)
SAVED = SavedRules(
    code="millers",
    name=MILLERS.name,
    variant=MILLERS.variant,
    share_code=CODE,
    version=1,
)

_PARTNERSHIP, _COLORADO, _RACEHORSE = (
    library()[name] for name in ("partnership-pitch", "colorado-ten-point", "racehorse")
)
EDITOR = editor_page(SAVED, RulesForm(_PARTNERSHIP, MILLERS.options, name=MILLERS.name, notes=MILLERS.notes), "k")
EDITOR_NEW = editor_page(NewRules(base_id=_COLORADO.id, base_name=_COLORADO.name), RulesForm(_COLORADO), "k")
EDITOR_REFUSED = editor_page(
    SAVED,
    read_form(
        _PARTNERSHIP, {"rule-min_bid": "9", "rule-target": "many", "rule-moon": "stake", "notes": "x", "do": "save"}
    ),
    "k",
    (Fault("name", "bad_name", "Give these rules a name, with no space around it."),),
)
EDITOR_MATCH = editor_page(
    MatchRules(code="match", match_title="Thursday at Oma’s", version=4, next_hand=5),
    RulesForm(_RACEHORSE, {"cents_per_point": 25}),
    "k",
    is_stale=True,
)
LIST = HouseRulesPage(
    rules=(
        HouseRulesLine(code="millers", name=MILLERS.name, summary="from Partnership Pitch, to 15"),
        HouseRulesLine(code="cabin", name="Cabin " * 10, summary="from Colorado Ten Point, to 42"),
    ),
    retired=(HouseRulesLine(code="oma", name="Before Oma moved in", summary="from Auction Pitch, target to agree"),),
    last_change=LastChange(what="saved", code="millers", name=MILLERS.name, undo_to=1),
    faults_heading="",
    faults=(),
)
LIST_REFUSED = HouseRulesPage(
    rules=(),
    retired=(),
    last_change=None,
    faults_heading="These rules were not taken in",
    faults=(Fault("house.min_bid", "bad", "The lowest bid is 9, but a hand is worth only 4. Choose 1 to 4."),),
)
_LINK = f"http://192.168.1.7:8000/rules?r={CODE}"
SHARE = SharePage(code="millers", name=MILLERS.name, share_code=CODE, url=_LINK, qr=qr_svg(_LINK, scale=4))
