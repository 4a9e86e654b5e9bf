"""What a form said: strings into facts, and facts back into what the form shows."""
