"""Which imports ran in the last hour, and which one is running."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; nothing is running yet."""
    op.create_table(
        "import_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=True),
        sa.Column("network", sa.String(length=64), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("alive_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("running", sa.Boolean(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_import_run"),
        sa.UniqueConstraint("running", name="uq_import_run_running"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("import_run")
