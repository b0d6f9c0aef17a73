"""Calendars: which days count."""
