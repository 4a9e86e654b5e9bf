"""The paths of the files of the program; no other module tells a checkout from an installed wheel."""

import os
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
"""The root of the repository. It means nothing if the program `IS_INSTALLED`."""

_WHEEL_DATA = PACKAGE / "_data"
"""The folder of data inside the package. A wheel has it, and a checkout does not."""
IS_INSTALLED = _WHEEL_DATA.is_dir()
"""Whether the program runs from a wheel, whose package has templates, static files and rulesets inside."""

DATA = _WHEEL_DATA if IS_INSTALLED else CHECKOUT
"""The folder with the templates, static files and rulesets."""
TEMPLATES = DATA / "templates"
STATIC = DATA / "static"
RULESETS = DATA / "rulesets"
MIGRATIONS = PACKAGE / "database" / "migrations"


def instance_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for the database and the secret key, which may not exist yet.

    It is the folder in `SCOREKEEPER_INSTANCE`, if set. Otherwise it is in the checkout, or for an installed program
    among the user's data.
    """
    if chosen_folder := environ.get("SCOREKEEPER_INSTANCE"):
        return Path(chosen_folder).expanduser().resolve()
    if not IS_INSTALLED:
        return CHECKOUT / "instance"
    if local_data := environ.get("LOCALAPPDATA"):  # only on Windows
        return Path(local_data) / "scorekeeper"
    if data_home := environ.get("XDG_DATA_HOME"):
        return Path(data_home).expanduser() / "scorekeeper"
    return Path.home() / ".local" / "share" / "scorekeeper"
