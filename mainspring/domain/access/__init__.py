"""Permissions and access tokens."""
