"""Reads schedules of other programs: each line becomes a trigger, or is named with the reason why not."""
