"""An app of the project: orders and what follows from them."""
