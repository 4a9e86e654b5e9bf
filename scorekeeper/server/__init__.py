"""Serving the app: server, network name, monitoring, and checks of the installation."""
