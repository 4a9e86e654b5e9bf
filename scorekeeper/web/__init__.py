"""What every page uses: responses, permissions, error pages, security, static files, form keys, widgets."""
