"""The pages of house rules: their list, the editor, and ways to share them."""
