"""Triggers as code: what applying a set of definitions would do, and what it does; both are this one rule.

A set has an *owner*, such as the app or the file it comes from. Applying it makes the owner's triggers exactly that set:
what is missing is added, what differs is changed, and what is in the set no more is removed. Triggers of other owners, and
those that people made, are never touched; a name that one of them has is a conflict, unless it is to be adopted.
"""

import hashlib
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec

from mainspring.domain.jobs.definition import FieldChange, compare
from mainspring.domain.triggers.spec import TriggerSpec, write_spec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import ConflictError, InvalidInputError, StaleError

OWNER_MAX = 200
OWNER = re.compile(r"[!-~]([ -~]*[!-~])?")
"""Characters that can be seen, with blanks between them at most."""


class Act(StrEnum):
    """The change of one trigger."""

    ADD = "add"
    CHANGE = "change"
    REMOVE = "remove"
    KEEP = "keep"
    CONFLICT = "conflict"
    """It belongs to another owner: nothing is applied until that is settled."""
    BLOCKED = "blocked"
    """Something that it needs is not there: it stays as it is, the others are applied, and the next apply tries again."""


class Drift(msgspec.Struct, frozen=True):
    """It was edited elsewhere since it was applied last."""

    changes: Sequence[FieldChange]
    at: datetime
    by: str = ""
    """Empty: nobody knows any more."""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One trigger of a plan."""

    name: str
    act: Act
    before: Trigger | None = None
    after: TriggerSpec | None = None
    changes: Sequence[FieldChange] = ()
    drift: Drift | None = None
    reason: str = ""
    """Of a conflict, or of what is blocked."""


class Plan(msgspec.Struct, frozen=True):
    """The changes that applying would make, by name; `based_on` stands for all that it was made from."""

    owner: str
    items: Sequence[Planned]
    based_on: str

    def of(self, *acts: Act) -> list[Planned]:
        return [item for item in self.items if item.act in acts]

    @property
    def is_empty(self) -> bool:
        return not self.of(Act.ADD, Act.CHANGE, Act.REMOVE, Act.CONFLICT, Act.BLOCKED)

    @property
    def is_written(self) -> bool:
        """Whether applying writes more than it takes back of drift."""
        return bool(self.of(Act.ADD, Act.CHANGE, Act.REMOVE))

    def check(self, based_on: str | None) -> None:
        """Raise StaleError if it is not the plan that was shown, and ConflictError if it cannot be applied."""
        if based_on is not None and based_on != self.based_on:
            raise StaleError("plan", self.owner, "the triggers have changed since it was shown: look at it again")
        for item in self.of(Act.CONFLICT):
            raise ConflictError("trigger", item.name, item.reason, code="trigger_owned")


def plan_triggers(
    present: Mapping[str, Trigger],
    wanted: Sequence[TriggerSpec],
    *,
    owner: str,
    adopt: bool = False,
    unknown: Container[str] = (),
    beside: Sequence[tuple[str, int, str]] = (),
) -> Plan:
    """The plan for an owner, of the triggers that are there: those that it owns, and those of the wanted names.

    A trigger whose calendar is among the `unknown` ones is blocked; `beside` is what else the whole plan was made from.
    """
    check_owner(owner)
    refuse_twice(wanted)
    named = {spec.name: spec for spec in wanted}
    ours = [name for name, trigger in present.items() if trigger.owner == owner or name in named]
    items = [
        planned(name, present.get(name), named.get(name), owner=owner, adopt=adopt) for name in sorted({*ours, *named})
    ]
    items = [blocked(item, unknown) for item in items]
    return Plan(owner, items, fingerprint((present[name] for name in ours), beside))


def planned(name: str, before: Trigger | None, after: TriggerSpec | None, *, owner: str, adopt: bool) -> Planned:
    if before is None:
        return Planned(name=name, act=Act.ADD, after=after)
    drift = drift_of(before)
    if after is None:
        return Planned(name=name, act=Act.REMOVE, before=before, drift=drift)
    changes = differences(before.spec, after)
    if before.owner == owner:
        act = Act.CHANGE if changes else Act.KEEP
        return Planned(name=name, act=act, before=before, after=after, changes=changes, drift=drift)
    changes = [*changes, FieldChange("owner", before.owner, owner)]
    if adopt:
        return Planned(name=name, act=Act.CHANGE, before=before, after=after, changes=changes, drift=drift)
    reason = holder_of(before.owner)
    return Planned(name=name, act=Act.CONFLICT, before=before, after=after, changes=changes, reason=reason)


def blocked(item: Planned, unknown: Container[str]) -> Planned:
    """The same, unless its calendar is unknown; a conflict stays one."""
    if item.after is None or item.act is Act.CONFLICT or item.after.calendar not in unknown:
        return item
    reason = f"calendar {item.after.calendar!r} does not exist; the trigger is applied once it does"
    return msgspec.structs.replace(item, act=Act.BLOCKED, reason=reason)


def holder_of(owner: str) -> str:
    """Why another owner's trigger is a conflict."""
    holder = f"belongs to {owner!r}" if owner else "was made by hand"
    return f"{holder}; adopt it, or give yours another name"


def check_owner(owner: str) -> str:
    if not OWNER.fullmatch(owner) or len(owner) > OWNER_MAX:
        reason = f"needs 1 to {OWNER_MAX} ASCII characters that can be seen"
        raise InvalidInputError("owner", reason, code="bad_owner")
    return owner


def refuse_twice(wanted: Sequence[TriggerSpec]) -> None:
    seen: set[str] = set()
    for position, spec in enumerate(wanted):
        if spec.name in seen:
            raise InvalidInputError(f"triggers[{position}].name", f"{spec.name!r} is there twice", code="bad_trigger")
        seen.add(spec.name)


def drift_of(trigger: Trigger) -> Drift | None:
    if trigger.applied is None:
        return None
    changes = differences(trigger.applied, trigger.spec)
    return Drift(changes, trigger.updated_at) if changes else None


def differences(before: TriggerSpec, after: TriggerSpec) -> list[FieldChange]:
    """The differences between two definitions, by path."""
    return [] if before == after else list(compare("", content(before), content(after)))


def content(spec: TriggerSpec) -> dict[str, Any]:
    """A definition as people see it, without defaults."""
    # The input is opened, so that its spelling does not matter.
    plain: dict[str, Any] = msgspec.json.decode(write_spec(spec))
    return {name: value for name, value in plain.items() if name != "input" or value}


def digest_of(spec: TriggerSpec) -> str:
    """Tells definitions apart, however their inputs are spelled."""
    return hashlib.sha256(msgspec.json.encode(content(spec), order="sorted")).hexdigest()[:16]


def fingerprint(triggers: Iterable[Trigger], beside: Sequence[tuple[str, int, str]] = ()) -> str:
    """Stands for the definitions and owners of these triggers, and for all else a plan was made from."""
    lines = sorted((each.name, each.id, each.revision, each.owner) for each in triggers)
    return hashlib.sha256(msgspec.json.encode([lines, beside])).hexdigest()[:24]
