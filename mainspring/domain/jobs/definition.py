"""How job definitions change: by code, by operators, and back again.

Executors register their code's definitions at every hello; during a rolling release, old and new code alternate. A definition
that is registered for the first time takes effect at once. One that was registered before takes effect only if the current one
is older, or if no executor registers that any more, after a rollback. So both releases settle on the newer definition.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any

import msgspec

from mainspring.domain.jobs.job import Job, JobSpec, RetryPolicy
from mainspring.domain.limits.policy import Policy

SILENCE = timedelta(seconds=30)
"""How long the current definition must be without an executor before an older one is adopted; restarts are shorter."""

USUAL = JobSpec(name="", handler="")
RETRY_USUAL = RetryPolicy()
POLICY_USUAL = Policy()

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


class FieldChange(msgspec.Struct, frozen=True, omit_defaults=True):
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
    """The instant after which executors with the other word must have ended, for an executor started at `since`.

    One who was started after they all had ended has replaced them; one who ran beside them waits for their restart.
    """
    return now - SILENCE if since is None else max(since, now - SILENCE)


def digest(spec: JobSpec) -> str:
    """Equal for equal definitions, in every release that has their fields."""
    return hashlib.sha256(msgspec.json.encode(explicit_fields(spec))).hexdigest()[:16]


def explicit_fields(spec: JobSpec) -> dict[str, Any]:
    """The fields that differ from their defaults."""
    parts = {"retry": RETRY_USUAL, "policy": POLICY_USUAL}
    return {
        name: unusual(value, parts[name]) if name in parts else value for name, value in unusual(spec, USUAL).items()
    }


def unusual(value: msgspec.Struct, usual: msgspec.Struct) -> dict[str, Any]:
    return {name: mine for name, mine in msgspec.structs.asdict(value).items() if mine != getattr(usual, name)}


def content(spec: JobSpec) -> dict[str, Any]:
    """A definition as the API shows it, with its JSON fields decoded."""
    plain: dict[str, Any] = msgspec.to_builtins(spec)
    decoded = {name: msgspec.json.decode(getattr(spec, name)) for name in ("schema", "input", "returns")}
    return {**plain, **decoded, "workflow": msgspec.json.decode(spec.workflow) if spec.workflow else None}


def differences(before: JobSpec, after: JobSpec) -> list[FieldChange]:
    """The differences between two definitions, by path."""
    return list(compare("", content(before), content(after)))


def compare(path: str, before: Any, after: Any) -> Iterator[FieldChange]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in sorted({*before, *after}):
            inner = f"{path}.{name}" if path else name
            yield from compare(inner, before.get(name, msgspec.UNSET), after.get(name, msgspec.UNSET))
    elif before != after or type(before) is not type(after):
        yield FieldChange(path, before, after)
