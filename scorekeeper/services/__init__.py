"""What can be done with matches and house rules. A service takes a session and commits; it knows no web page."""
