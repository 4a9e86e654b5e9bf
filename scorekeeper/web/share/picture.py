"""The picture of a result, made by the print process like any sheet."""

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.dates import DateStyle
from scorekeeper.printing.kinds import KINDS, title_of
from scorekeeper.printing.result_picture import ResultPicture, result_picture
from scorekeeper.web.prints import match_score_sheet
from scorekeeper.web.shared.match_views import memoized
from scorekeeper.web.shared.respond import file_name

PICTURE = KINDS["picture"]


def has_result(match: Match) -> bool:
    """Return whether a match is over or stopped, so that there is a result to show."""
    return match.counted.outcome is not None or match.log.is_stopped


@memoized
def match_picture(match: Match, dates: DateStyle) -> ResultPicture:
    """Return the picture of a match, with its date in that style."""
    return result_picture(match_score_sheet(match, dates), match.counted, match.names, match.marks)


def picture_file_name(picture: ResultPicture) -> str:
    """Return a name for the file that says what is inside."""
    return file_name(title_of(PICTURE, picture), "png")
