"""The operations of each noun, with their bodies and queries."""
