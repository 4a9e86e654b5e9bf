"""The commands: `registry.py` lists them."""
