"""The commands, which `registry.py` lists."""
