"""The pages that print from the phone."""
