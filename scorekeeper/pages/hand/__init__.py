"""The pages that enter a hand, and that resolve a conflict when two phones have entered the same hand."""
