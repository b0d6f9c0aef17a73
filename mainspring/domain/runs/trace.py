"""The trace that a run belongs to: the W3C `traceparent` of the span that enqueued it, kept only if it is sampled."""

import importlib
import re
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

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


class SpanPlace(NamedTuple):
    """Trace and span, as numbers."""

    trace: int
    span: int

    @property
    def traceparent(self) -> str:
        return f"00-{self.trace:032x}-{self.span:016x}-01"


def attempt_place(run: bytes, attempt: int, origin: str, join: str) -> SpanPlace:
    """The place of an attempt's span."""
    # It is computed, so that a retry can name the first attempt, made by another process.
    parts = parts_of(origin)
    shared = parts is not None and join == "parent"
    trace = int(parts[0], 16) if parts is not None and shared else drawn(run, 16)
    return SpanPlace(trace, drawn(run + attempt.to_bytes(8, "big"), 8))


def fire_place(namespace: str, trigger: str, at: datetime, end: bytes) -> SpanPlace | None:
    """The place of a fire's span; None unless it is sampled: seven bytes of its trace are below `end`."""
    subject = f"{namespace} {trigger} {at.isoformat()}".encode()
    trace = drawn(subject, 16)
    if trace.to_bytes(16, "big")[9:] >= end:
        return None
    return SpanPlace(trace, drawn(subject + b" fire", 8))


def drawn(subject: bytes, size: int) -> int:
    """As good as random, and the same for the same subject; never 0, which means no span."""
    return int.from_bytes(hashing().blake2b(subject, digest_size=size).digest(), "big") or 1


@cache
def hashing() -> Any:
    """Every client imports this module, and only a sampled run takes a hash."""
    return importlib.import_module("hashlib")
