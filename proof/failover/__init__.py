"""Fail-over of PostgreSQL by Patroni, under load."""
