"""What every page uses: answers, permissions, errors, security, static files, form keys, widgets."""
