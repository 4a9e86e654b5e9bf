"""Whether this run decides if a change is taken: then nothing is skipped, and laws are tried more often."""

import os

IS_CI = os.environ.get("CI", "").lower() in ("1", "true", "yes")
