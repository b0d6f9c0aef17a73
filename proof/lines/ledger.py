"""T: what handlers did."""

from typing import Literal

from proof.lines.record import Record


class Execution(Record, frozen=True, kw_only=True, tag="execution"):
    """T: a handler began, called a step, had its result, came by a checkpoint, came to its end, or was stopped before."""

    event: Literal["start", "step", "stepped", "checkpoint", "applied", "end", "killed"]
    run: str
    attempt: int
    """The fence that the handler sees."""
    executor: str
    session: str = ""
    token: str = ""
    """Of the attempt, where the harness can see it; a handler cannot."""
    outcome: str = ""
    """At the end: `succeeded`, `failed`, `gave_up`, `snoozed`, `suspended` (by itself) or `yielded` (because it was asked to).

    Of a step: its result. Of a checkpoint: how far it had come. Of an effect: `first` or `unknown`.
    """
    name: str = ""
    """Of the step or effect."""
    lines: int = 0
    """At the end: how many lines it has logged."""
    pid: int = 0
    """The process that the handler runs in, where there are real ones."""
    wait: float = 0.0
    """At the end: seconds that the handler wanted to pass before it goes on, or that it had asked for besides."""
    trigger: str = ""
    """At the start: the trigger whose run it is, as the handler was told,"""
    fire_at: int | None = None
    """and the instant, in microseconds since 1970."""
