"""Installing the app, and its page for when there is no network."""
