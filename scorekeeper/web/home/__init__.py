"""The home page: this phone's matches."""
