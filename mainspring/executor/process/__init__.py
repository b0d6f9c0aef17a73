"""The executor process, from start to exit."""
