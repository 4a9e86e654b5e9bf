"""Where rules come from: the documents, the lines of a document that a sentence rests on, and the readings.

A ruleset's file gives lines and readings for the id of a sentence, as "002 L17, L22, R6": lines of the document that
was named last, and readings, where a source is silent, by their number in `rulesets/READINGS.md`. A document without
lines is given as a whole, as "005, R6".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Source:
    """A document that describes rules."""

    title: str
    covers: str
    address: str = ""
    """Where it is on the web, without `https://`; empty where that is not known."""
    origin: str = ""
    """What else is known of where it comes from."""


SOURCES: Mapping[str, Source] = {
    "001": Source(
        "Rules for Colorado Ten-Point Pitch",
        "Colorado Ten Point for two to six players, with 13 and 14 points, Dirty, Reverse and Share the Wealth",
        address="captainsquill.blogspot.com/2009/10/rule-for-colorado-ten-point-pitch.html",
        origin="October 23, 2009",
    ),
    "002": Source(
        "Pitch",
        "Partnership and Cutthroat Pitch with many of their variations, Oklahoma Ten Point, Pawnee Ten Point, "
        "Five Point Set Back, Arizona 29-card, Nine Card and Fish Pitch, Pitch with fives, and games for money",
        address="www.pagat.com/allfours/pitch.html",
    ),
    "003": Source(
        "Pitch",
        "Auction Pitch for partners, the game without bidding, and the game for players who each score alone",
        origin="a rule sheet that names no author",
    ),
    "004": Source(
        "Pedro (game)",
        "Pedro for partners to 62",
        origin="Wikipedia, as it stood in 2008",
    ),
    "005": Source(
        "The Ultimate Book of Card Games",
        "Pedro with every card captured, and Setback for players who each score alone",
        origin="Scott McNeely, 2009",
    ),
    "006": Source(
        "Cajun Card Games",
        "Pedro as two towns of Louisiana play it",
        origin="Rouses Magazine, May and June 2019, page 66",
    ),
    "007": Source(
        "Rules of Pidro",
        "Finnish Pidro, with bids of 6 to 14",
        address="pidrochallenge.com/rules.htm",
    ),
    "008": Source(
        "Game rules",
        "Finnish Pidro, with an example of a failed bid, and how it ends",
        address="github.com/marcelfahle/pidro-backend",
        origin="the guides of the pidro engine",
    ),
    "009": Source(
        "Piedro",
        "Pedro with the Off Jack and both jokers, seventeen points",
        origin="Academic Dictionaries, after Wikipedia",
    ),
    "010": Source(
        "Pedro",
        "Pedro, King Pedro and their relations",
        address="www.pagat.com/allfours/pedro.html",
    ),
    "011": Source(
        "King Pedro",
        "King Pedro to 200, won only on a made bid",
        origin="Ultra Foodmess, card game rules",
    ),
    "012": Source(
        "King Pedro",
        "King Pedro with sixty-two points, as Ukrainian Canadians play it",
        address="github.com/ranslu/king-pedro",
        origin="a family’s rules as a program",
    ),
    "013": Source(
        "Sun Spots",
        "Sixty-Three as it is played in Maine",
        origin="Sun Journal, Lewiston, Maine, March 27, 2006",
    ),
    "014": Source(
        "Sixty-three (card game)",
        "Sixty-Three in New Brunswick and Cape Breton",
        origin="Wikipedia",
    ),
    "015": Source(
        "Double King Pedro",
        "what each card counts, a hundred points in all",
        address="chathaway.codes/double-king-pedro",
    ),
    "016": Source(
        "Double King Pede",
        "the deal, the trumps, the bidding and the score of Double King Pede",
        address="home.myfairpoint.net/lbhawley/double-king-pede.html",
    ),
    "017": Source(
        "Double King Pedro",
        "the same game with nines worth ten and no Jack and Ten",
        origin="the newsgroup rec.games.playing-cards",
    ),
    "018": Source(
        "Smear (card game)",
        "Minnesota Smear with ten points and its variations",
        origin="Wikipedia",
    ),
    "019": Source(
        "Smear",
        "Minnesota Smear: bids of 2 to 10",
        address="cardrulesplus.com/games/smear",
    ),
    "020": Source(
        "Schmier",
        "St Paul Schmier for six in two sides of three",
        address="catsatcards.com/Games/Schmier.html",
    ),
    "021": Source(
        "Smear",
        "Schmier for six and for five, with what is discarded and drawn",
        address="www.pagat.com/allfours/schmier.html",
    ),
    "022": Source(
        "How to play",
        "Smear with five points and the jick",
        address="github.com/mkokotovich/play_smear",
    ),
    "023": Source(
        "Smear",
        "Prairie Smear, which only the side that bid can win",
        address="github.com/Dmarky9873/smear",
    ),
    "024": Source(
        "Auction Pitch",
        "Auction Pitch for two to seven players who each score alone",
        address="bicyclecards.com/card-games/rule/auction-pitch",
    ),
    "025": Source(
        "Auction Pitch – The Card Game",
        "Auction Pitch, and which bids a dealer may hold",
        address="h2g2.com/edited_entry/A620533",
    ),
    "026": Source(
        "Auction Pitch",
        "Auction Pitch as it was played early in the twentieth century",
        origin="Encyclopædia Britannica",
    ),
    "027": Source(
        "Auction Pitch with Joker",
        "the joker as a fifth point, and the order of counting out",
        address="bicyclecards.ca",
    ),
    "028": Source(
        "Pitch (Smudge)",
        "counting down from seven, and winning at once with all four points",
        address="bicyclecards.com/card-games/rule/pitch-smudge",
    ),
    "029": Source(
        "Setback",
        "New England Setback to 11, with the program that plays it",
        address="bernsrite.com/Setback/rules.html",
    ),
    "030": Source(
        "Pitch rules",
        "games of nine and of eleven points played online",
        address="euchre.trickstercards.com/help/pitch-rules",
    ),
    "031": Source(
        "All Fours",
        "All Fours in Yorkshire, Lancashire and Trinidad, Seven-Up, and Blind All Fours",
        address="www.pagat.com/allfours/allfours.html",
    ),
    "032": Source(
        "Complete Hoyle",
        "Seven-Up, California Jack, Shasta Sam, and All Fours without a card turned up",
        origin="R. F. Foster, 1897",
    ),
    "033": Source(
        "Seven-Up",
        "the jack turned up, begging, and who gets the point given",
        address="bicyclecards.ca",
    ),
    "034": Source(
        "Caribbean All Fours",
        "Trinidad All Fours with the kick and the hanged jack",
        address="en.doc.boardgamearena.com/Gamehelpcaribbeanallfours",
    ),
    "035": Source(
        "California Jack",
        "California Jack to ten, with the stock face up",
        address="netplaces.com/card-games/all-fours/california-jack.htm",
    ),
    "036": Source(
        "Cinch (card game)",
        "Cinch, also called Double Pedro, to 42 or 51",
        origin="Wikipedia",
    ),
    "037": Source(
        "The Everything Card Games Book",
        "Cinch with bids from one up, and a dealer who is bound to nothing",
        origin="Nikki Katz, 2004",
    ),
    "038": Source(
        "Setback",
        "Setback in Connecticut, to 21",
        address="thebearknowsbest.com/setback",
    ),
    "039": Source(
        "All Fours",
        "Trinidad All Fours as a program: who scores a tied Game, and when no point may be given",
        address="github.com/shravanm172/AllFoursApp",
    ),
    "040": Source(
        "Setback card game rules",
        "Setback for two or more who each score alone, to 11, where the dealer must bid one",
        address="ourpastimes.com/setback-card-game-rules-5514685.html",
    ),
    "051": Source(
        "Cinch",
        "Cinch with an example of a bid that is set, which the other side scores",
        address="games-of-playing-cards.pokerwiner.com/cinch-2.html",
    ),
    "052": Source(
        "Nine Card Don",
        "Nine-Card Don to 91 or 121: how it is dealt, and what each card counts",
        address="gamerules.com/rules/nine-card-don",
    ),
    "053": Source(
        "Nine-Card Don",
        "Nine-Card Don to 121, pegged on a cribbage board",
        address="www.denexa.com/blog/nine-card-don",
    ),
    "054": Source(
        "Nine Card Don",
        "who cuts, deals and pitches, and who may look when",
        address="catsatcards.com/Games/Nine-Card-Don.html",
    ),
    "055": Source(
        "How to Play the Card Game Irish Don",
        "Nine-Card Don under another name: each card’s points, and eight for Game",
        address="www.sclchina.com/articles_a2yrfa.html",
    ),
    "056": Source(
        "League Rules",
        "what a renege costs in the Walton-le-Dale Welsh Don League",
        address="hughsieswebs.co.uk/don/rules.html",
    ),
    "057": Source(
        "Nine Card Don, Irish Don, Phat",
        "where each is played, and how Irish Don differs",
        address="www.pagat.com/allfours/don.html",
    ),
    "058": Source(
        "Irish Don",
        "Irish Don to more than 80",
        address="gamerules.com/rules/irish-don",
    ),
    "059": Source(
        "Don",
        "Don in Cork: eighty points a hand, and the first to 80 wins",
        address="corkslang.com/don",
    ),
    "060": Source(
        "Phat",
        "Phat to 181: eighty points in the tricks, and eight for the muck",
        address="en.doc.boardgamearena.com/Gamehelpphat",
    ),
    "071": Source(
        "Six Point Northeastern Wisconsin Smear",
        "Wisconsin Smear with two jokers, six points, to 21",
        origin="Ultra Foodmess, card game rules",
    ),
    "072": Source(
        "Four Point Northeastern Wisconsin Smear",
        "Wisconsin Smear with 32 cards and four points, to 15",
        origin="Ultra Foodmess, card game rules",
    ),
    "073": Source(
        "Smear",
        "what games of Smear have in common: who scores Low, and where jokers rank",
        address="thanoscardgames.jimdofree.com/download/point-trick-taking/smear",
    ),
    "074": Source(
        "Rules for Pitch",
        "Pitch with the joker below the jack, five points, to 11",
        address="www.baldrshof.org/post/rules-for-pitch",
    ),
    "075": Source(
        "Whirled Seven Point Pitch",
        "seven points for players who each score alone, to 15, and how jokers break a tied Game",
        address="www.puffgames.com/game-database/game/10816/Whirled-Seven-Point-Pitch.html",
    ),
    "076": Source(
        "Card Game: 7-Point Partnership Pitch",
        "seven points for partners, with bids from two up",
        address="poorworkingstiff.wordpress.com/2008/06/21/card-game-7-point-partnership-pitch",
    ),
    "077": Source(
        "Pitch the Card Game",
        "where the Off Jack and both jokers rank in games of ten or seven points",
        address="pitchcardgame.drakebridgewater.com",
    ),
    "078": Source(
        "Nebraska 4 Point Pitch",
        "four points for players who each score alone, to 15, with Low for whoever was dealt it",
        address="www.searchamateur.com/Play-Free-Online-Games/Nebraska-4-Point-Pitch.htm",
        origin="Dan Koehler",
    ),
    "079": Source(
        "Hi Lo Jack Card Game",
        "four points with a draw, to 11 on a bid, where a bid of all points and tricks wins or loses the match",
        origin="a page that names no author",
    ),
    "080": Source(
        "Game 25: Pedro",
        "Pedro of the Azorean families of California, with bids of 6 to 16",
        address="allthegamesonourshelves.blogspot.com/2018/06/game-25-pedro.html",
    ),
    "081": Source(
        "Pedro della Valle Verzasca",
        "Pedro in Ticino with a jack worth three, sixteen points in all",
        origin="www.tennisclubverzasca.ch, March 2008",
    ),
    "082": Source(
        "Pedro (card game)",
        "Pedro with a bid of 16 that counts 32, to 52 on a made bid",
        origin="Wikipedia, its variants",
    ),
    "083": Source(
        "Nicaraguan Pedro",
        "Pedro with seven cards each, to 52",
        address="gamerules.com/rules/nicaraguan-pedro",
    ),
    "084": Source(
        "Cinch",
        "Cinch of Western Pennsylvania for two sides, with both jokers and six points, to 21",
        address="www.betsymccall.net/personal/cards/cinch.html",
    ),
    "085": Source(
        "All Fives (Cards)",
        "All Fives to 60: what each trump counts, and who wins where two get there",
        address="gamerules.com/rules/all-fives-card-game",
    ),
    "086": Source(
        "All Fives: The Card Game",
        "All Fives for two or three, with a card turned up and begging",
        address="h2g2.com/edited_entry/A620515",
    ),
    "087": Source(
        "All Fives",
        "All Fives for two or three: what may be played, and what happens when the deck runs out",
        address="w3.one.net/~dbarker/cards/all-fives.html",
    ),
}
"""Every document by the number that `source` in a ruleset's file begins with."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where in a document rules are described."""

    document: Source
    section: str


def cite(source: str) -> tuple[Citation, ...]:
    """Return where rules are described, the foremost place first; nothing for rules that come from the house itself."""
    return tuple(found for part in source.split("; ") if (found := _cited(part)))


def _cited(part: str) -> Citation | None:
    number, _, section = part.partition(", ")
    document = SOURCES.get(number)
    if document is None:
        return None
    return Citation(document, "" if section == document.title else section)


SECTIONS = ("players", "deal", "bid", "trump", "play", "count", "win", "argue", "house")
"""The sections of a sheet in their order; the id of a rule begins with its section's."""


class BadTrace(ValueError):
    """A text that names neither lines of a source nor readings; the message says which part of it."""


@dataclass(frozen=True, slots=True)
class SourceLines:
    """Some lines of a document."""

    document: str
    """Its number in `SOURCES`."""
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.document} L{self.first}" + (f"-{self.last}" if self.last > self.first else "")


@dataclass(frozen=True, slots=True)
class WholeSource:
    """A document whose lines are not counted: a short page, or a chapter of a book."""

    document: str
    """Its number in `SOURCES`."""

    def __str__(self) -> str:
        return self.document


@dataclass(frozen=True, slots=True)
class ReadingNumber:
    """A reading, by its number."""

    number: int

    def __str__(self) -> str:
        return f"R{self.number}"


Reference = SourceLines | WholeSource | ReadingNumber

_LINES = re.compile(r"(?:(?P<document>\d{3}) )?L(?P<first>\d+)(?:-(?P<last>\d+))?")
_READING = re.compile(r"R(\d+)")


@cache
def parse_trace(text: str) -> tuple[Reference, ...]:
    """Return the references in a text such as "002 L17, L22, R6"; raises `BadTrace`."""
    found: list[Reference] = []
    document = ""
    for part in text.split(", "):
        if lines := _LINES.fullmatch(part):
            document = lines["document"] or document
            first = int(lines["first"])
            last = int(lines["last"] or first)
            if document not in SOURCES or last < first:
                raise BadTrace(f"{part!r} names no lines of a source")
            found.append(SourceLines(document, first, last))
        elif part in SOURCES:
            document = part
            found.append(WholeSource(part))
        elif reading := _READING.fullmatch(part):
            found.append(ReadingNumber(int(reading[1])))
        else:
            raise BadTrace(f"{part!r} is neither lines of a source, such as 002 L17, nor a reading, such as R6")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the sources leave open or contradict, and how it is read here."""

    number: int
    title: str
    reason: str
    says: str = ""
    """What is read, as a sentence: "The bidding side goes first."."""


_HEADING = re.compile(r"^## R(\d+): (.+)$", re.MULTILINE)
_SAYS = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


def parse_readings(text: str) -> Mapping[int, Reading]:
    """Return the readings of `rulesets/READINGS.md`: each a heading "## R6: …" and its reason, in bold what is read."""
    parts = _HEADING.split(text)[1:]
    found = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return {int(number): _reading(int(number), title.strip(), reason.strip()) for number, title, reason in found}


def _reading(number: int, title: str, reason: str) -> Reading:
    spans = (" ".join(span.split()).removesuffix(".") for span in _SAYS.findall(reason))
    says = " ".join(f"{span[:1].upper()}{span[1:]}." for span in spans)
    return Reading(number, title, _SAYS.sub(r"\1", reason), says)
