"""How fast it is: each figure beside its floor, measured in the same run. `python -m tests.bench` prints them."""
