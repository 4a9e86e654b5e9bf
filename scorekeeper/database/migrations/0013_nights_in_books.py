"""The book that a night is in, its uid there, and the links to nights that phones get by a book."""

import secrets

import sqlalchemy as sa
from alembic import op

from scorekeeper.database.new_tables import number, text

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Give every night a uid, and put it into the book that the phone which began it opened last."""
    with op.batch_alter_table("night") as batch:
        batch.add_column(text("uid", 22, optional=True))
        batch.add_column(number("book_id", optional=True))
        batch.create_foreign_key("fk_night_book_id_book", "book", ["book_id"], ["id"], ondelete="SET NULL")
        batch.create_index("ix_night_book_id", ["book_id"])
    _fill_uids()
    op.execute(
        "UPDATE night SET book_id = (SELECT device_book.book_id FROM night_link"
        " JOIN device_book ON device_book.device = night_link.device"
        " JOIN book_link ON book_link.id = device_book.link_id"
        " WHERE night_link.night_id = night.id AND night_link.role = 'owner' AND night_link.revoked_at IS NULL"
        " AND book_link.revoked_at IS NULL AND book_link.role <> 'watcher'"
        " ORDER BY night_link.id, device_book.last_seen DESC LIMIT 1)"
    )
    with op.batch_alter_table("night") as batch:
        batch.alter_column("uid", existing_type=sa.String(length=22), nullable=False)
        batch.create_unique_constraint("uq_night_uid", ["uid"])
    with op.batch_alter_table("night_link") as batch:
        batch.add_column(number("book_link_id", optional=True))
        batch.create_foreign_key(
            "fk_night_link_book_link_id_book_link", "book_link", ["book_link_id"], ["id"], ondelete="SET NULL"
        )
        batch.create_index("ix_night_link_book_link_id", ["book_link_id"])


def _fill_uids() -> None:
    connection = op.get_bind()
    fill = sa.text("UPDATE night SET uid = :uid WHERE id = :id")
    for night_id in list(connection.execute(sa.text("SELECT id FROM night ORDER BY id")).scalars()):
        connection.execute(fill, {"id": night_id, "uid": secrets.token_urlsafe(16)})


def downgrade() -> None:
    """Take the nights out of their books; phones keep the links that they got by a book."""
    with op.batch_alter_table("night_link") as batch:
        batch.drop_index("ix_night_link_book_link_id")
        batch.drop_constraint("fk_night_link_book_link_id_book_link", type_="foreignkey")
        batch.drop_column("book_link_id")
    with op.batch_alter_table("night") as batch:
        batch.drop_constraint("uq_night_uid", type_="unique")
        batch.drop_index("ix_night_book_id")
        batch.drop_constraint("fk_night_book_id_book", type_="foreignkey")
        batch.drop_column("book_id")
        batch.drop_column("uid")
