"""A tournament night on paper: who sits where, and the list of who won."""

from scorekeeper.ladder import words
from scorekeeper.ladder.night import Night
from scorekeeper.printing.fitting import Draft, render
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions

_SIZES = {LARGE: 18.0}
_USUAL_SIZE = 12.0
MOST_PAGES = 60


def draft_tables(night: Night, options: PrintOptions) -> Draft:
    """Return the tables of the round that is played, to hang up and to write on."""
    return _draft(f"{words.night_title(night)}: tables", "printing/_night_tables.html", night, options)


def draft_list(night: Night, options: PrintOptions) -> Draft:
    """Return who stands where, and who won at each table in each round."""
    return _draft(f"{words.night_title(night)}: list", "printing/_night_list.html", night, options)


def _draft(title: str, template: str, night: Night, options: PrintOptions) -> Draft:
    size = _SIZES.get(options.size, _USUAL_SIZE)
    style = f"@page{{size:{PAPER_NAMES[options.paper]};margin:14mm}}.night{{font-size:{size}pt}}"
    return Draft(
        title=title,
        body=render(template, night=night, words=words),
        stylesheets=("faces.css", "night_sheet.css"),
        attempts=((style,),),
        pages=(MOST_PAGES,),
    )
