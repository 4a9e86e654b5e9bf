"""Functions that make tables in migrations. Constraints are named after their columns.

Migrations that have been run depend on these functions, so they never change. Another kind of table gets a new
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
    """Create a table. Its primary key is an added column `id`, or the columns in `key`.

    `refers` has the tables to which foreign keys refer, keyed by column. When the row of such a table is deleted, a
    foreign key in `emptied` becomes null; for any other, the row that refers to it is deleted too.
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


def number(column_name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of whole numbers."""
    return sa.Column(column_name, sa.Integer(), nullable=optional)


def text(column_name: str, max_length: int, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of texts of up to `max_length` characters."""
    return sa.Column(column_name, sa.String(length=max_length), nullable=optional)


def moment(column_name: str, *, optional: bool = False) -> "sa.Column[object]":
    """Return a column of dates with a time and a time zone."""
    return sa.Column(column_name, sa.DateTime(timezone=True), nullable=optional)


def json(column_name: str) -> "sa.Column[object]":
    """Return a column of JSON values, which is never null."""
    return sa.Column(column_name, sa.JSON(), nullable=False)
