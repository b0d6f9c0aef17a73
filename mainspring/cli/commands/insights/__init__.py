"""Commands for overviews and saved views."""
