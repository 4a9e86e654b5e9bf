"""What happens at the table: events in, scores with reasons out."""
