"""The instants that a trigger names, and what is done about missed ones."""
