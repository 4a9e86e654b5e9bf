"""What is kept: rows, the facts in them, and the selects that find them."""
