"""Commands about workflows."""
