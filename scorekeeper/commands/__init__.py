"""The commands: each module has `add_parser(commands)` and `run(args)`, which gives the exit status."""
