"""The house options of a night, the same at every table."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the options; the present nights have none."""
    with op.batch_alter_table("night") as batch:
        batch.add_column(sa.Column("house", sa.JSON(), nullable=True))
    op.execute("UPDATE night SET house = '{}'")
    with op.batch_alter_table("night") as batch:
        batch.alter_column("house", existing_type=sa.JSON(), nullable=False)


def downgrade() -> None:
    """Drop the options."""
    with op.batch_alter_table("night") as batch:
        batch.drop_column("house")
