"""Which imports ran in the last hour, and which one is running."""

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import create_table, moment, text

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; nothing is running yet."""
    create_table(
        "import_run",
        text("device", 64, optional=True),
        text("network", 64, optional=True),
        moment("started_at"),
        moment("alive_at"),
        sa.Column("running", sa.Boolean(), nullable=True),
        unique=[["running"]],
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("import_run")
