"""What every page uses: responses, permissions, errors, security, static files, form keys, widgets."""
