"""The paths of files; only this module distinguishes a checkout from an installed wheel."""

import os
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
"""The root of the repository, unless the app `IS_INSTALLED`."""

_WHEEL_DATA = PACKAGE / "_data"
"""The folder of data inside the package, which a wheel has and a checkout lacks."""
IS_INSTALLED = _WHEEL_DATA.is_dir()
"""Whether the app runs from a wheel, with templates, static files and rulesets inside the package."""

DATA = _WHEEL_DATA if IS_INSTALLED else CHECKOUT
"""The folder with the templates, static files and rulesets."""
TEMPLATES = DATA / "templates"
STATIC = DATA / "static"
RULESETS = DATA / "rulesets"
MIGRATIONS = PACKAGE / "database" / "migrations"


def instance_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder for the database and the secret key, which may not exist yet.

    `SCOREKEEPER_INSTANCE` may name it. By default, it is in the checkout, or for an installed app in the user's data.
    """
    if chosen := environ.get("SCOREKEEPER_INSTANCE"):
        return Path(chosen).expanduser().resolve()
    if not IS_INSTALLED:
        return CHECKOUT / "instance"
    if local := environ.get("LOCALAPPDATA"):  # only on Windows
        return Path(local) / "scorekeeper"
    if data_home := environ.get("XDG_DATA_HOME"):
        return Path(data_home).expanduser() / "scorekeeper"
    return Path.home() / ".local" / "share" / "scorekeeper"
