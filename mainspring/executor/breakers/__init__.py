"""Breakers around calls inside handlers."""
