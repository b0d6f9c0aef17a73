"""Routes of calendars."""
