"""The same journey on any system: a Windows Python under Wine, and one that lacks what Windows lacks."""
