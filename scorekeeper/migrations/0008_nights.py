"""Tournament nights: their facts, the links that lead to them, and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "night",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_key", sa.String(length=36), nullable=False),
        sa.Column("title", sa.String(length=60), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_night"),
        sa.UniqueConstraint("client_key", name="uq_night_client_key"),
    )
    op.create_table(
        "night_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("client_key", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_night_event_night_id_night", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_night_event_match_id_match", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_night_event"),
        sa.UniqueConstraint("night_id", "seq", name="uq_night_event_night_id_seq"),
        sa.UniqueConstraint("night_id", "client_key", name="uq_night_event_night_id_client_key"),
    )
    op.create_index("ix_night_event_match_id", "night_event", ["match_id"])
    op.create_table(
        "night_link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("pair", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["night_id"], ["night.id"], name="fk_night_link_night_id_night", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_night_link"),
        sa.UniqueConstraint("code", name="uq_night_link_code"),
        sa.UniqueConstraint("night_id", "device", name="uq_night_link_night_id_device"),
    )
    op.create_index("ix_night_link_device", "night_link", ["device"])
    op.create_table(
        "night_invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("pin", sa.String(length=16), nullable=True),
        sa.Column("night_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["night_id"], ["night.id"], name="fk_night_invitation_night_id_night", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_night_invitation"),
        sa.UniqueConstraint("code", name="uq_night_invitation_code"),
        sa.UniqueConstraint("pin", name="uq_night_invitation_pin"),
    )
    op.create_index("ix_night_invitation_night_id", "night_invitation", ["night_id"])


def downgrade() -> None:
    """Drop them all, with every night."""
    op.drop_table("night_invitation")
    op.drop_table("night_link")
    op.drop_table("night_event")
    op.drop_table("night")
