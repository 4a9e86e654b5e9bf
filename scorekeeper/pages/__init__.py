"""The pages that a person sees, one module or package for each feature."""
