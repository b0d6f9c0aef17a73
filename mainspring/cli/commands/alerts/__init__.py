"""Commands about alerts and channels."""
