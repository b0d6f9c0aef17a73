"""The changes that make an owner's alert rules, channels and SLOs equal to a set of definitions."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from mainspring.domain.alerts.channel import ChannelSpec
from mainspring.domain.alerts.rule import AlertSpec
from mainspring.domain.slos.slo import SloSpec

AnyAlertSpec = AlertSpec | ChannelSpec | SloSpec
NounName = tuple[str, str]
"""`rule`, `channel` or `slo`, and a name."""


class PlannedAct(StrEnum):
    ADD = "add"
    CHANGE = "change"
    REMOVE = "remove"
    CONFLICT = "conflict"
    """The name belongs to another owner, or was defined by hand."""


class PresentDefinition(msgspec.Struct, frozen=True):
    """A stored definition, with its secrets as they were written."""

    owner: str
    spec: AnyAlertSpec


class PlannedDefinition(msgspec.Struct, frozen=True):
    """One change of a plan, and the fields that differ."""

    noun: str
    name: str
    act: PlannedAct
    fields: tuple[str, ...] = ()
    owner: str = ""
    """Of a conflict: the present owner; empty: it was defined by hand."""


def plan_definitions(
    owner: str, wanted: Mapping[NounName, AnyAlertSpec], present: Mapping[NounName, PresentDefinition], *, adopt: bool
) -> list[PlannedDefinition]:
    """The changes, those of channels and SLOs before those of the rules that name them, and removals last."""
    order = {"channel": 0, "slo": 1, "rule": 2}
    planned = [
        one
        for key in sorted(wanted, key=lambda each: (order[each[0]], each[1]))
        if (one := planned_one(owner, key, wanted[key], present.get(key), adopt=adopt)) is not None
    ]
    gone = [key for key, found in present.items() if found.owner == owner and key not in wanted]
    removed = [
        PlannedDefinition(*key, PlannedAct.REMOVE) for key in sorted(gone, key=lambda each: (-order[each[0]], each[1]))
    ]
    return [*planned, *removed]


def planned_one(
    owner: str, key: NounName, spec: AnyAlertSpec, found: PresentDefinition | None, *, adopt: bool
) -> PlannedDefinition | None:
    if found is None:
        return PlannedDefinition(*key, PlannedAct.ADD)
    if found.owner != owner and not adopt:
        return PlannedDefinition(*key, PlannedAct.CONFLICT, owner=found.owner)
    if found.spec == spec and found.owner == owner:
        return None
    return PlannedDefinition(*key, PlannedAct.CHANGE, tuple(differing(found.spec, spec)))


def differing(before: Any, after: Any) -> Sequence[str]:
    """The names of the fields that differ."""
    one, other = msgspec.to_builtins(before), msgspec.to_builtins(after)
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
