"""The stored definition of something that can be run."""

from enum import StrEnum

import msgspec


class Pool(StrEnum):
    """What supplies a handler's slots on an executor."""

    LOOP = "loop"
    THREADS = "threads"
    PROCESSES = "processes"


class RetryPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How often a failed run is tried again, and how long between tries (seconds, exponential, full jitter)."""

    attempts: int = 1
    backoff: float = 1.0
    backoff_max: float = 600.0


class JobSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A job as an executor advertises it."""

    name: str
    handler: str
    queue: str = "default"
    priority: int = 5
    schema: bytes = b"{}"
    """JSON schema of the arguments object."""
    retry: RetryPolicy = RetryPolicy()


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job as the store keeps it."""

    id: int
    namespace: str
    spec: JobSpec

    @property
    def name(self) -> str:
        return self.spec.name
