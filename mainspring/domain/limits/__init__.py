"""The rules that decide whether, how many and in which order runs start."""
