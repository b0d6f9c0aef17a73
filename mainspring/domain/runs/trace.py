"""The trace that a run belongs to: the W3C `traceparent` of the span that enqueued it, kept only if it is sampled."""

import re

TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")
NEAR = 60.0
"""Seconds from the enqueue within which an attempt joins its trace; a trace of days shows nothing."""


def read_traceparent(text: str) -> str:
    """The header as it is kept; empty unless it is well formed and sampled, for a bad one is to be ignored."""
    found = TRACEPARENT.fullmatch(text)
    if found is None or not int(found[3], 16) & 1 or not int(found[1], 16) or not int(found[2], 16):
        return ""
    return text


def parts_of(traceparent: str) -> tuple[str, str] | None:
    """Trace and span; None without a trace."""
    found = TRACEPARENT.fullmatch(traceparent)
    return None if found is None else (found[1], found[2])


def join_of(rule: str, waited: float) -> str:
    """`parent` or `link`: how the span of an attempt belongs to the span that enqueued its run so many seconds ago."""
    if rule in ("parent", "link"):
        return rule
    return "parent" if waited <= NEAR else "link"
