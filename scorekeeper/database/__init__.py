"""The database: its engine, tables and migrations, its backups and locks, and the messages about its faults."""
