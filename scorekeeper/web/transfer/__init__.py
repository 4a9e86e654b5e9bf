"""Back up and restore: matches out to a file and in from one."""
