"""The tests. Those of a layer stand in the folder of its name."""
