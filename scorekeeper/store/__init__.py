"""What is stored: the tables, values in and out of their rows, and the queries. Nothing here commits."""
