"""The phones that follow a night."""
