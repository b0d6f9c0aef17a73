"""The kinds of lines in the records of a trial, by channel."""
