"""`python -m scorekeeper` is the `scorekeeper` command."""

import sys

from scorekeeper.cli import main

sys.exit(main())
