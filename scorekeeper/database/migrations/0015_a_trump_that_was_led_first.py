"""The first lead of five games was a trump, for house rules and nights that were saved without an answer."""

from alembic import op

revision = "0015"
down_revision = "0014"

_TABLES = (("house_version", "options"), ("night", "house"))
_GAMES = "'st-paul-schmier', 'schmier-for-five', 'minnesota-smear', 'nine-point-pitch', 'eleven-point-pitch'"


def upgrade() -> None:
    """Set that a trump is led first where no answer is set; matches need nothing, as they store all their rules."""
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for table, column in _TABLES:
        if is_sqlite:
            says = f"json_set({column}, '$.first_lead', 'trump')"
            lacks = f"json_type({column}, '$.first_lead') IS NULL"
        else:
            says = f"({column}::jsonb || jsonb_build_object('first_lead', 'trump'))::json"
            lacks = f"({column}->'first_lead') IS NULL"
        op.execute(f"UPDATE {table} SET {column} = {says} WHERE variant IN ({_GAMES}) AND {lacks}")


def downgrade() -> None:
    """Leave the answers, which an earlier program has, too."""
