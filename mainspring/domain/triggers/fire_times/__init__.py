"""The instants that a trigger names, and the treatment of missed ones."""
