"""What happens at the table: facts in, scores with reasons out."""
