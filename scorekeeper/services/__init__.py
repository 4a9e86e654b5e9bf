"""What can be done with a match. A service takes a session and commits; it knows of no web page."""
