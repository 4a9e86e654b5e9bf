"""The commands: `PARSERS` of each module has what adds a command's parser, which says as `run` what does it."""
