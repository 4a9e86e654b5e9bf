"""Former standard answers of three games, for house rules and nights that were saved without an answer."""

from alembic import op

revision = "0014"
down_revision = "0013"

_TABLES = (("house_version", "options"), ("night", "house"))
_BEFORE = (
    ("st-paul-schmier", "tie_rule", "higher_score", ""),
    ("seven-up", "turned_cards", "last", "turned_jack"),
    ("seven-up", "gift_to", "beggar", ""),
    ("trinidad-all-fours", "turned_cards", "once", ""),
)
"""The game, the option, its former standard answer, and the award that the option needs."""
_NEW = ("turned_cards", "gift_to")
"""Options that no earlier version of the program has."""


def upgrade() -> None:
    """Set the former answer where none is set; matches need nothing, as they store all their rules."""
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for table, column in _TABLES:
        for variant, option, answer, award in _BEFORE:
            if is_sqlite:
                says, lacks = (
                    f"json_set({column}, '$.{option}', '{answer}')",
                    f"json_type({column}, '$.{option}') IS NULL",
                )
                scored = f"coalesce(json_type({column}, '$.{award}'), '') <> 'false'"
            else:
                says = f"({column}::jsonb || jsonb_build_object('{option}', '{answer}'))::json"
                lacks = f"({column}->'{option}') IS NULL"
                scored = f"coalesce({column}->>'{award}', '') <> 'false'"
            where = f"variant = '{variant}' AND {lacks}" + (f" AND {scored}" if award else "")
            op.execute(f"UPDATE {table} SET {column} = {says} WHERE {where}")


def downgrade() -> None:
    """Remove options that an earlier program does not have; the other answers were its standard ones."""
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for table, column in _TABLES:
        for option in _NEW:
            if is_sqlite:
                op.execute(f"UPDATE {table} SET {column} = json_remove({column}, '$.{option}')")
            else:
                op.execute(f"UPDATE {table} SET {column} = ({column}::jsonb - '{option}')::json")
