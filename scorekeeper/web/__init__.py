"""What pages share, such as responses, permissions, error pages, security, static files and widgets."""
