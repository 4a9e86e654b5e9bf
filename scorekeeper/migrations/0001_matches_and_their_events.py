"""Matches, the links that lead to them, what happened in them, and what each device has opened."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = ("default",)
depends_on = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_key", sa.String(length=48), nullable=True),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("house", sa.JSON(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("sides", sa.JSON(), nullable=False),
        sa.Column("start", sa.JSON(), nullable=False),
        sa.Column("first_dealer", sa.String(length=8), nullable=True),
        sa.Column("title", sa.String(length=60), nullable=False),
        sa.Column("played_on", sa.String(length=10), nullable=True),
        sa.Column("place", sa.String(length=60), nullable=True),
        sa.Column("note", sa.String(length=500), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.UniqueConstraint("client_key", name="uq_match_client_key"),
    )
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=32), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_link_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.UniqueConstraint("code", name="uq_link_code"),
    )
    op.create_index("ix_link_match_id", "link", ["match_id"])
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("client_key", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=40), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_event_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
        sa.UniqueConstraint("match_id", "seq", name="uq_event_match_id_seq"),
        sa.UniqueConstraint("match_id", "client_key", name="uq_event_match_id_client_key"),
    )
    op.create_table(
        "device_match",
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("match_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("last_seen", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_device_match_link_id_link", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_device_match_match_id_match", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("device", "match_id", name="pk_device_match"),
    )
    op.create_index("ix_device_match_link_id", "device_match", ["link_id"])
    op.create_index("ix_device_match_match_id", "device_match", ["match_id"])


def downgrade() -> None:
    """Drop them all, with everything in them."""
    op.drop_table("device_match")
    op.drop_table("event")
    op.drop_table("link")
    op.drop_table("match")
