"""The database: its engine and tables, and as a file its lock, its copies and its faults."""
