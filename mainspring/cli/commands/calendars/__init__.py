"""Commands for calendars."""
