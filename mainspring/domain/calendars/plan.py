"""Calendars as code: the changes that make an owner's calendars exactly a given set."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.jobs.definition import FieldChange, compare
from mainspring.domain.triggers.plan import Act, Drift, holder_of
from mainspring.errors import ConflictError, InvalidInputError


class CalendarPlanItem(msgspec.Struct, frozen=True, kw_only=True):
    """One calendar of a plan."""

    name: str
    act: Act
    before: CalendarVersion | None = None
    after: CalendarSpec | None = None
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


def plan_calendars(
    present: Mapping[str, CalendarVersion],
    wanted: Sequence[CalendarSpec],
    applied: Mapping[str, CalendarSpec],
    *,
    owner: str,
    adopt: bool = False,
) -> list[CalendarPlanItem]:
    """The plan by name, of the calendars that are there, and of those as they were applied last."""
    refuse_twice(wanted)
    named = {spec.name: spec for spec in wanted}
    ours = {name for name, calendar in present.items() if calendar.owner == owner or name in named}
    return [
        planned(name, present.get(name), named.get(name), applied.get(name), owner=owner, adopt=adopt)
        for name in sorted({*ours, *named})
    ]


def planned(
    name: str,
    before: CalendarVersion | None,
    after: CalendarSpec | None,
    applied: CalendarSpec | None,
    *,
    owner: str,
    adopt: bool,
) -> CalendarPlanItem:
    if before is None:
        return CalendarPlanItem(name=name, act=Act.ADD, after=after)
    drift = drift_of(before, applied)
    if after is None:
        return CalendarPlanItem(name=name, act=Act.REMOVE, before=before, drift=drift)
    changes = differences(before.spec, after)
    if before.owner == owner:
        act = Act.CHANGE if changes else Act.KEEP
        return CalendarPlanItem(name=name, act=act, before=before, after=after, changes=changes, drift=drift)
    changes = [*changes, FieldChange("owner", before.owner, owner)]
    act, reason = (Act.CHANGE, "") if adopt else (Act.CONFLICT, holder_of(before.owner))
    return CalendarPlanItem(name=name, act=act, before=before, after=after, changes=changes, drift=drift, reason=reason)


def drift_of(before: CalendarVersion, applied: CalendarSpec | None) -> Drift | None:
    changes = [] if applied is None else differences(applied, before.spec)
    return Drift(changes, before.at, before.author) if changes else None


def differences(before: CalendarSpec, after: CalendarSpec) -> list[FieldChange]:
    """The differences between two definitions, by path."""
    return list(compare("", content(before), content(after)))


def content(spec: CalendarSpec) -> Any:
    """A definition as people see it, without defaults."""
    return msgspec.json.decode(msgspec.json.encode(spec))


def refuse_twice(wanted: Sequence[CalendarSpec]) -> None:
    seen: set[str] = set()
    for position, spec in enumerate(wanted):
        if spec.name in seen:
            reason = f"{spec.name!r} is there twice"
            raise InvalidInputError(f"calendars[{position}].name", reason, code="bad_calendar")
        seen.add(spec.name)


def refuse_conflicts(items: Sequence[CalendarPlanItem]) -> None:
    """Raise ConflictError for the first calendar that belongs to another owner."""
    for item in items:
        if item.act is Act.CONFLICT:
            raise ConflictError("calendar", item.name, item.reason, code="calendar_owned")
