"""What was standard in three games when house rules and nights were saved that do not answer it: it stays as it was."""

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
"""The game, the option, its answer, and the award without which that means nothing."""
_NEW = ("turned_cards", "gift_to")
"""Options that no program before this one knows."""


def upgrade() -> None:
    """Say the answer where nothing is said; matches have all their rules with them."""
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
    """Leave out what an earlier program does not know; the rest was its standard answer."""
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for table, column in _TABLES:
        for option in _NEW:
            if is_sqlite:
                op.execute(f"UPDATE {table} SET {column} = json_remove({column}, '$.{option}')")
            else:
                op.execute(f"UPDATE {table} SET {column} = ({column}::jsonb - '{option}')::json")
