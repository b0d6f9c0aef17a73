"""How job definitions change: by code, by operators, and back again.

Executors register their code's definitions at every hello; during a rolling release, old and new code alternate. A definition
that is registered for the first time takes effect at once. One that was registered before takes effect only if the current one
is older, or if no executor registers that any more, after a rollback. So both releases settle on the newer definition.
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
"""How long the current definition must be without an executor before an older one is adopted; restarts are shorter."""

INPUT_NONE = b"{}"
USUAL = JobSpec(name="", handler="")
RETRY_USUAL = RetryPolicy()

Revise = Callable[[Job | None], JobSpec]
"""The pure rule that `define` applies to the present definition while it holds its row; it may raise."""

Approve = Callable[[Job | None], object]
"""Raises if the present definition may not be deleted."""


class Adoption(Enum):
    """Whether to adopt the definition that an executor registers."""

    IGNORE = auto()
    ADOPT = auto()
    ADOPT_IF_ALONE = auto()
    """Only if no executor registers the current one."""


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One difference between two definitions; unset where one of them lacks the field."""

    path: str
    before: Any = msgspec.UNSET
    after: Any = msgspec.UNSET


def adopt_code(spec: JobSpec, job: Job, said: Sequence[JobSpec]) -> Adoption:
    """Decide whether a registered definition becomes the newest version; `said` are the earlier ones, oldest first."""
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
    """Equal for equal definitions, in every release that has their fields."""
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
    """A definition as the API shows it, with its JSON fields decoded."""
    plain: dict[str, Any] = msgspec.to_builtins(spec)
    return {**plain, "schema": msgspec.json.decode(spec.schema), "input": msgspec.json.decode(spec.input)}


def differences(before: JobSpec, after: JobSpec) -> list[Change]:
    """The differences between two definitions, by path."""
    return list(compare("", content(before), content(after)))


def compare(path: str, before: Any, after: Any) -> Iterator[Change]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in sorted({*before, *after}):
            inner = f"{path}.{name}" if path else name
            yield from compare(inner, before.get(name, msgspec.UNSET), after.get(name, msgspec.UNSET))
    elif before != after or type(before) is not type(after):
        yield Change(path, before, after)


def with_defaults(defaults: bytes, raw: bytes) -> bytes:
    """The arguments of a run, completed by its job's; the run's own win key by key."""
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
