"""Calendars as code: the changes that make an owner's calendars exactly a given set."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from mainspring.domain.calendars.spec import CalendarSpec, CalendarVersion
from mainspring.domain.jobs.definition import FieldChange, compare
from mainspring.domain.owned import PlanItem, plan_owned, refuse_twice

CalendarPlanItem: TypeAlias = PlanItem[CalendarVersion, CalendarSpec]
"""One calendar of a plan."""


def plan_calendars(
    present: Mapping[str, CalendarVersion],
    wanted: Sequence[CalendarSpec],
    applied: Mapping[str, CalendarSpec],
    *,
    owner: str,
    adopt: bool = False,
) -> list[CalendarPlanItem]:
    """The plan by name, of the calendars that are there, and of those as they were applied last."""
    refuse_twice(wanted, "calendar")
    return plan_owned(present, wanted, applied, differences, owner=owner, adopt=adopt)


def differences(before: CalendarSpec, after: CalendarSpec) -> list[FieldChange]:
    """The differences between two definitions, by path."""
    return list(compare("", content(before), content(after)))


def content(spec: CalendarSpec) -> Any:
    """A definition as people see it, without defaults."""
    return msgspec.json.decode(msgspec.json.encode(spec))
