"""Conditions of a query that no index answers: they are looked at run by run."""

import re
from collections.abc import Callable
from datetime import datetime

import msgspec

from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.runs.run import Run
from mainspring.errors import InvalidInputError

COMPARISON = re.compile(r"(>=|<=|>|<)?(.+)")
RANGE = re.compile(r"([^.]+)\.\.([^.]+)")


def length_of(start: datetime | None, end: datetime | None, now: datetime) -> float | None:
    return None if start is None else ((end or now) - start).total_seconds()


COMPARED: dict[str, Callable[[Run, datetime], float | None]] = {
    "duration": lambda run, now: length_of(run.started_at, run.finished_at, now),
    "wait": lambda run, now: length_of(run.due_at, run.started_at or run.finished_at, now),
    "attempt": lambda run, _now: run.attempt,
    "priority": lambda run, _now: run.priority,
}
"""Keys whose values are numbers or lengths of time."""
LENGTHS = frozenset({"duration", "wait"})

TEXTS: dict[str, Callable[[Run], str | None]] = {
    "executor": lambda run: run.executor,
    "trigger": lambda run: run.trigger,
    "backfill": lambda run: run.backfill,
    "handler": lambda run: run.handler,
    "by": lambda run: run.created_by,
    "reason": lambda run: run.reason,
    "error": lambda run: None if run.failure is None else f"{run.failure.error}: {run.failure.message}",
    "code": lambda run: None if run.failure is None else run.failure.code,
    "step": lambda run: run.step,
}
"""Keys whose values are texts, with `*` for any part of one."""


class Sift(msgspec.Struct, frozen=True, kw_only=True):
    """One condition."""

    key: str
    negated: bool = False
    path: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    strict: bool = False
    """Whether the bounds themselves are left out."""
    patterns: tuple[str, ...] = ()

    def holds(self, run: Run, now: datetime) -> bool:
        return self._is_met(run, now) != self.negated

    def _is_met(self, run: Run, now: datetime) -> bool:
        if self.key in COMPARED:
            return self._is_within(COMPARED[self.key](run, now))
        text = text_at(run.input, self.path) if self.path else TEXTS[self.key](run)
        return text is not None and any(re.fullmatch(pattern, text, re.DOTALL) for pattern in self.patterns)

    def _is_within(self, value: float | None) -> bool:
        if value is None:
            return False
        if self.strict and value in (self.low, self.high):
            return False
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


def sift_of(key: str, path: tuple[str, ...], value: str, *, negated: bool) -> Sift:
    """Raises InvalidInputError for a value that such a key cannot have."""
    if key not in COMPARED:
        # An error begins with its class: a word without a star means that class.
        patterns = tuple(map(pattern_of, value.split(",")))
        if key == "error":
            patterns = (*patterns, *(f"{pattern}: .*" for pattern in patterns))
        return Sift(key=key, path=path, negated=negated, patterns=patterns)
    if (both := RANGE.fullmatch(value)) is not None:
        return Sift(key=key, negated=negated, low=number_of(key, both[1]), high=number_of(key, both[2]))
    sign, text = COMPARISON.fullmatch(value).groups()  # type: ignore[union-attr]
    number = number_of(key, text)
    low = number if sign in (None, ">", ">=") else None
    high = number if sign in (None, "<", "<=") else None
    return Sift(key=key, negated=negated, low=low, high=high, strict=sign in (">", "<"))


def number_of(key: str, text: str) -> float:
    found = float(text[:-2]) / 1000 if re.fullmatch(r"\d{1,9}ms", text) else read_length(text)
    if found is None or (key not in LENGTHS and not text.isdigit()):
        example = f"{key}:>30s ({EXAMPLES}, 250ms)" if key in LENGTHS else f"{key}:>3"
        raise InvalidInputError("q", f"{key}:{text} is no number: write {example}", code="bad_query")
    return found


def pattern_of(text: str) -> str:
    return ".*".join(map(re.escape, text.split("*")))


def text_at(body: bytes | None, path: tuple[str, ...]) -> str | None:
    """The value at a path of a JSON body as text; None if there is none."""
    if body is None:
        return None
    try:
        found = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None
    for part in path:
        if isinstance(found, list) and part.isdigit() and int(part) < len(found):
            found = found[int(part)]
        elif isinstance(found, dict) and part in found:
            found = found[part]
        else:
            return None
    return found if isinstance(found, str) else msgspec.json.encode(found).decode()
