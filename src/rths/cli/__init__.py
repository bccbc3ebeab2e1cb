"""The command line; one command is one file."""
