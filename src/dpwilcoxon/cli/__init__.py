"""The command line: one file per command, each parses, makes one core call and renders."""
