"""New tables for migrations, whose constraints are named after their columns.

Migrations that have run depend on these functions, so they must never change. A different kind of table gets a new
function.
"""

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa
from alembic import op


def create_table(
    table: str,
    *columns: "sa.Column[object]",
    key: Sequence[str] = (),
    refers: Mapping[str, str] | None = None,
    emptied: Collection[str] = (),
    unique: Sequence[Sequence[str]] = (),
    indexed: Sequence[str] = (),
) -> None:
    """Create a table; its primary key is an added `id`, or the columns in `key`.

    `refers` maps foreign keys to their tables. When the row there is deleted, foreign keys in `emptied` become null;
    for others, the referring row is deleted.
    """
    op.create_table(
        table,
        *(() if key else (number("id"),)),
        *columns,
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{other}.id"],
                name=f"fk_{table}_{column}_{other}",
                ondelete="SET NULL" if column in emptied else "CASCADE",
            )
            for column, other in (refers or {}).items()
        ),
        sa.PrimaryKeyConstraint(*(key or ("id",)), name=f"pk_{table}"),
        *(sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}") for names in unique),
    )
    for column in indexed:
        op.create_index(f"ix_{table}_{column}", table, [column])


def number(name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return an integer column."""
    return sa.Column(name, sa.Integer(), nullable=optional)


def text(name: str, max_length: int, *, optional: bool = False) -> "sa.Column[object]":
    """Return a text column of limited length."""
    return sa.Column(name, sa.String(length=max_length), nullable=optional)


def moment(name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of times with a date and a time zone."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=optional)


def json(name: str) -> "sa.Column[object]":
    """Return a required JSON column."""
    return sa.Column(name, sa.JSON(), nullable=False)
