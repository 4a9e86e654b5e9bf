"""Longer PINs, the wrong PINs that were typed, the device of a link, and since when a phone has its holder."""

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import create_table, moment, number, text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns and the table; PINs of five letters end, and the QR codes beside them stay valid."""
    with op.batch_alter_table("invitation") as batch:
        batch.alter_column("pin", existing_type=sa.String(length=8), type_=sa.String(length=16), existing_nullable=True)
    op.execute("UPDATE invitation SET pin = NULL")
    with op.batch_alter_table("link") as batch:
        batch.add_column(number("seat_since", optional=True))
        batch.add_column(text("device", 64, optional=True))
        batch.create_unique_constraint("uq_link_match_id_device", ["match_id", "device"])
    create_table(
        "wrong_pin",
        text("network", 64),
        sa.Column("seq", sa.Integer(), nullable=False, autoincrement=False),
        moment("at"),
        key=("network", "seq"),
        indexed=("at",),
    )


def downgrade() -> None:
    """Drop the columns and the table; PINs that would not fit end."""
    op.drop_table("wrong_pin")
    with op.batch_alter_table("link") as batch:
        batch.drop_constraint("uq_link_match_id_device", type_="unique")
        batch.drop_column("device")
        batch.drop_column("seat_since")
    op.execute("UPDATE invitation SET pin = NULL")
    with op.batch_alter_table("invitation") as batch:
        batch.alter_column("pin", existing_type=sa.String(length=16), type_=sa.String(length=8), existing_nullable=True)
