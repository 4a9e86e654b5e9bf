"""The holder of a link, the signature of the phone that ended it, and invitations to links."""

from alembic import op

from scorekeeper.database.new_tables import create_table, moment, number, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the phone's holder to links; the present links have none, and stay as they were."""
    with op.batch_alter_table("link") as batch:
        batch.add_column(text("seat", 8, optional=True))
        batch.add_column(text("revoked_by", 40, optional=True))
    create_table(
        "invitation",
        text("code", 32),
        text("pin", 8, optional=True),
        number("match_id"),
        text("role", 16),
        moment("created_at"),
        moment("expires_at"),
        moment("ended_at", optional=True),
        refers={"match_id": "match"},
        unique=[["code"], ["pin"]],
        indexed=("match_id",),
    )


def downgrade() -> None:
    """Drop the invitations, and the links' columns about phones."""
    op.drop_table("invitation")
    with op.batch_alter_table("link") as batch:
        batch.drop_column("revoked_by")
        batch.drop_column("seat")
