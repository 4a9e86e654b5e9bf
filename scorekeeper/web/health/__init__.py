"""Whether the app is well, for a proxy or a watchdog to ask."""
