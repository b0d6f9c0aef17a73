"""How definitions change: by code, by people, and back again.

Code speaks at every hello, and often with two voices: while a release rolls out, executors with the old and with the new
code come and go. What code says for the first time takes effect at once. What it has said before is an old voice that is
heard again, and takes effect only if the one that holds now is older still, or if nobody speaks for that any more: the
release was rolled back. So two voices side by side settle on the newer one, however often they connect.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from functools import lru_cache
from typing import Any

import msgspec

from mainspring.domain.jobs.job import Job, JobSpec, RetryPolicy

SILENCE = timedelta(seconds=30)
"""How long nobody may speak for what holds before an older voice is followed: restarts are shorter."""

INPUT_NONE = b"{}"
USUAL = JobSpec(name="", handler="")
RETRY_USUAL = RetryPolicy()

Revise = Callable[[Job | None], JobSpec]
"""The pure rule that `define` applies to the present definition while it holds its row; it may raise."""

Approve = Callable[[Job | None], object]
"""Raises if the present definition may not be taken away."""


class Adoption(Enum):
    """What to do about what an executor's code says of a job."""

    IGNORE = auto()
    ADOPT = auto()
    ADOPT_IF_ALONE = auto()
    """Only if nobody speaks for what code said last."""


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference between two definitions; unset where one of them has nothing."""

    path: str
    before: Any = msgspec.UNSET
    after: Any = msgspec.UNSET


def adopt_code(spec: JobSpec, job: Job, said: Sequence[JobSpec]) -> Adoption:
    """Say whether code's word becomes the newest version; `said` is its word so far, oldest first."""
    if job.deleted or job.code is None:
        return Adoption.ADOPT
    if spec == job.code:
        return Adoption.IGNORE
    if spec not in said or job.code not in said or said.index(spec) > said.index(job.code):
        return Adoption.ADOPT
    return Adoption.ADOPT_IF_ALONE


def silent_since(since: datetime | None, now: datetime) -> datetime:
    """The instant after which whoever speaks for the other word must have ended, for one who was started at `since`.

    One who was started after they all had ended has replaced them; one who ran beside them waits for their restart.
    """
    return now - SILENCE if since is None else max(since, now - SILENCE)


def digest(spec: JobSpec) -> str:
    """Tells definitions apart; the same for equal ones in every version of this project that knows their fields."""
    return hashlib.sha256(msgspec.json.encode(explicit_fields(spec))).hexdigest()[:16]


def explicit_fields(spec: JobSpec) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    return {
        name: unusual(value, RETRY_USUAL) if isinstance(value, RetryPolicy) else value
        for name, value in unusual(spec, USUAL).items()
    }


def unusual(value: msgspec.Struct, usual: msgspec.Struct) -> dict[str, Any]:
    return {name: mine for name, mine in msgspec.structs.asdict(value).items() if mine != getattr(usual, name)}


def content(spec: JobSpec) -> dict[str, Any]:
    """A definition as people see it, with its JSON parts opened."""
    plain: dict[str, Any] = msgspec.to_builtins(spec)
    return {**plain, "schema": msgspec.json.decode(spec.schema), "input": msgspec.json.decode(spec.input)}


def differences(before: JobSpec, after: JobSpec) -> list[Change]:
    """What one definition has other than the other, by path."""
    return list(compare("", content(before), content(after)))


def compare(path: str, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in sorted({*before, *after}):
            inner = f"{path}.{name}" if path else name
            yield from compare(inner, before.get(name, msgspec.UNSET), after.get(name, msgspec.UNSET))
    elif before != after or type(before) is not type(after):
        yield Change(path, before, after)


def with_defaults(defaults: bytes, raw: bytes) -> bytes:
    """The arguments of a run, completed by its job's; both are JSON objects, and a run's own win key by key."""
    mine = msgspec.json.decode(defaults, type=dict[str, msgspec.Raw])
    theirs = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({**mine, **theirs})


@lru_cache(maxsize=4096)
def completed_input(defaults: bytes, raw: bytes) -> bytes:
    """The same for the fixed arguments of a trigger, decoded once instead of at every fire."""
    if defaults == INPUT_NONE:
        return raw
    try:
        return with_defaults(defaults, raw)
    except (msgspec.DecodeError, RecursionError):
        # They were checked when the trigger was saved; the executor refuses the run.
        return raw
