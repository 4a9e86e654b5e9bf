"""Rule sheets, pocket cards and score pads as values, for the page and the printer."""
