"""Versioned definitions as code: the changes that make an owner's set of them exactly a given one."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from mainspring.domain.jobs.definition import FieldChange
from mainspring.domain.triggers.plan import Act, Drift, holder_of
from mainspring.errors import ConflictError, InvalidInputError

OWNED = {"calendar": "calendar_owned", "workflow": "workflow_owned"}
"""The codes of refusals, by noun."""


class OwnedVersion(Protocol):
    """A stored definition at its newest version."""

    @property
    def version(self) -> int: ...
    @property
    def spec(self) -> Any: ...
    @property
    def author(self) -> str: ...
    @property
    def at(self) -> datetime: ...
    @property
    def owner(self) -> str: ...


class NamedSpec(Protocol):
    @property
    def name(self) -> str: ...


B = TypeVar("B", bound=OwnedVersion)
A = TypeVar("A", bound=NamedSpec)
Differences = Callable[[Any, Any], list[FieldChange]]


class PlanItem(msgspec.Struct, Generic[B, A], frozen=True, kw_only=True):
    """One definition of a plan."""

    name: str
    act: Act
    before: B | None = None
    after: A | None = None
    changes: Sequence[FieldChange] = ()
    drift: Drift | None = None
    reason: str = ""
    """Of a conflict, or of a removal that is blocked."""

    @property
    def is_written(self) -> bool:
        """Whether applying writes the definition; an equal edit made elsewhere counts as applied from then on."""
        return self.act in (Act.ADD, Act.CHANGE) or (self.act is Act.KEEP and self.drift is not None)

    @property
    def ground(self) -> tuple[str, int, str]:
        """The state that the plan for it was made from."""
        before = self.before
        return (self.name, 0, "") if before is None else (self.name, before.version, before.owner)


def plan_owned(
    present: Mapping[str, B],
    wanted: Sequence[A],
    applied: Mapping[str, A],
    differences: Differences,
    *,
    owner: str,
    adopt: bool,
) -> list[PlanItem[B, A]]:
    """The plan by name, of the definitions that are there, and of those as they were applied last."""
    named = {spec.name: spec for spec in wanted}
    ours = {name for name, one in present.items() if one.owner == owner or name in named}
    return [
        planned(name, present.get(name), named.get(name), applied.get(name), differences, owner=owner, adopt=adopt)
        for name in sorted({*ours, *named})
    ]


def planned(
    name: str,
    before: B | None,
    after: A | None,
    applied: A | None,
    differences: Differences,
    *,
    owner: str,
    adopt: bool,
) -> PlanItem[B, A]:
    if before is None:
        return PlanItem(name=name, act=Act.ADD, after=after)
    drift = drift_of(before, applied, differences)
    if after is None:
        return PlanItem(name=name, act=Act.REMOVE, before=before, drift=drift)
    changes = differences(before.spec, after)
    if before.owner == owner:
        act = Act.CHANGE if changes else Act.KEEP
        return PlanItem(name=name, act=act, before=before, after=after, changes=changes, drift=drift)
    changes = [*changes, FieldChange("owner", before.owner, owner)]
    act, reason = (Act.CHANGE, "") if adopt else (Act.CONFLICT, holder_of(before.owner))
    return PlanItem(name=name, act=act, before=before, after=after, changes=changes, drift=drift, reason=reason)


def drift_of(before: B, applied: A | None, differences: Differences) -> Drift | None:
    changes = [] if applied is None else differences(applied, before.spec)
    return Drift(changes, before.at, before.author) if changes else None


def refuse_twice(wanted: Sequence[NamedSpec], noun: str) -> None:
    """Raises InvalidInputError with the place of the second."""
    seen: set[str] = set()
    for position, spec in enumerate(wanted):
        if spec.name in seen:
            reason = f"{spec.name!r} is there twice"
            raise InvalidInputError(f"{noun}s[{position}].name", reason, code=f"bad_{noun}")
        seen.add(spec.name)


def refuse_conflicts(items: Sequence[PlanItem[B, A]], noun: str) -> None:
    """Raise ConflictError for the first that belongs to another owner."""
    for item in items:
        if item.act is Act.CONFLICT:
            raise ConflictError(noun, item.name, item.reason, code=OWNED[noun])
