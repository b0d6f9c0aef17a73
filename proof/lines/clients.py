"""C: what clients asked for and were answered."""

from typing import Literal

from proof.lines.record import Record

Phase = Literal["invoke", "ok", "fail", "info"]
"""`fail`: it was refused, and nothing changed. `info`: nobody knows; it may take effect at any later time, or never."""


Act = Literal[
    "enqueue",
    "cancel",
    "cancel_below",
    "retry",
    "get",
    "pause",
    "resume",
    "cordon",
    "drain",
    "uncordon",
    "suspend",
    "resume_run",
    "sweep",
    "define",
    "pause_trigger",
    "resume_trigger",
    "skip_next",
    "fire_now",
    "delete_trigger",
    "define_calendar",
    "define_breaker",
]


class Operation(Record, frozen=True, kw_only=True, tag="operation"):
    """C: one act of a client. Its invocation is one line and its answer another, with the same `id`."""

    id: int
    client: str
    act: Act
    phase: Phase
    run: str = ""
    """The run that was named, or that the answer names."""
    job: str = ""
    key: str = ""
    digest: str = ""
    """Of what was asked for: a repeat has the same one."""
    due_at: float | None = None
    """Of an enqueue: when it may begin. Of a suspend: when the run goes on by itself."""
    name: str = ""
    """Of the queue, executor or trigger that was steered."""
    mark: str = ""
    """Of an enqueue: what the harness put into the input to find the run by; no two runs asked for share one."""
    state: str = ""
    """What the answer said of the run, if anything."""
    code: str = ""
    """Of the refusal."""
    parent: str = ""
    """Of an enqueue: the run whose handler asked for it."""
    group: str = ""
    """Of an enqueue: the key in its input by which a limit tells runs apart."""
    start_within: float = 0.0
    """Of an enqueue: seconds from its due time within which it has to have begun; 0: whenever."""
