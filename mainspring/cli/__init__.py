"""The command line: argument parsing and printing, one file per noun."""
