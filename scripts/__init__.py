"""Small programs for developers; see the Makefile."""
