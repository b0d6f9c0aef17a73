"""What a server has, beside what a file says, and the calls that make the two equal."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from mainspring.cli.commands.dispatch.files import DispatchFile
from mainspring.cli.commands.dispatch.words import QueueRules, SharedLimit
from mainspring.client.client import Client
from mainspring.contract.breakers import BreakerBody
from mainspring.contract.limits import LimitInfo
from mainspring.errors import NotFoundError


class DispatchChange(msgspec.Struct, frozen=True, kw_only=True):
    """One definition that differs."""

    act: str
    """`add`, `change` or `remove`."""
    noun: str
    name: str
    fields: dict[str, tuple[Any, Any]]
    """What it is, and what it becomes."""


Call = Callable[[], object]
Planned = tuple[DispatchChange, Call]


def plan_dispatch(client: Client, file: DispatchFile) -> Iterator[Planned]:
    """The differences in the order in which they are to be applied; those that the file does not name stay as they are."""
    limits = client.limits.list().limits
    shared = {one.name: one for one in limits if one.scope == "limit"}
    of_queues = {one.name: one for one in limits if one.scope == "queue"}
    for name, limit in file.limits.items():
        yield from plan_limit(client, name, shared.get(name), limit)
    rules = {one.name: one.rule for one in client.breakers.list().breakers}
    for name, rule in file.breakers.items():
        yield from plan_breaker(client, name, rules.get(name), rule)
    for name, queue in file.queues.items():
        yield from plan_queue(client, name, of_queues.get(name), queue or QueueRules())
    for name, weights in file.shares.items():
        yield from plan_shares(client, name, weights or {})


def plan_limit(client: Client, name: str, found: LimitInfo | None, wanted: SharedLimit | None) -> Iterator[Planned]:
    if wanted is None:
        if found is not None:
            yield removal("limit", name), lambda: client.limits.delete(name)
        return
    numbers: dict[str, Any] = {"at_once": wanted.at_once, "rate": wanted.rate, "burst": wanted.burst}
    before = {} if found is None else {field: getattr(found, field) for field in (*numbers, "key")}
    if changed := differences(before, {**numbers, "key": wanted.key}, new=found is None):
        change = DispatchChange(act="add" if found is None else "change", noun="limit", name=name, fields=changed)
        yield change, lambda: client.limits.set(name, **numbers, key=wanted.key)
    keys = {} if found is None or not found.key else {one.key: one.at_once for one in client.limits.keys(name).keys}
    for key, most in wanted.of.items():
        if keys.get(key) != most:
            yield key_change(f"{name}[{key}]", "at_once", keys.get(key), most), key_setter(client, name, key, most)


def key_setter(client: Client, name: str, key: str, most: int) -> Call:
    return lambda: client.limits.set_key(name, key, at_once=most)


def plan_breaker(client: Client, name: str, found: Any, wanted: BreakerBody | None) -> Iterator[Planned]:
    if wanted is None:
        if found is not None:
            yield removal("breaker", name), lambda: client.breakers.delete(name)
        return
    before = {} if found is None else msgspec.to_builtins(found)
    changed = differences(before, msgspec.to_builtins(wanted), new=found is None)
    if changed or found is None:
        change = DispatchChange(act="add" if found is None else "change", noun="breaker", name=name, fields=changed)
        yield change, lambda: client.breakers.set(name, wanted)


def plan_queue(client: Client, name: str, limit: LimitInfo | None, wanted: QueueRules) -> Iterator[Planned]:
    try:
        queue = client.queues.get(name)
    except NotFoundError:
        queue = None
    policy = {} if queue is None else msgspec.to_builtins(queue.policy)
    after = {**dict.fromkeys(policy), **usual_policy(), **wanted.policy}
    if changed := differences(policy or usual_policy(), after):
        yield queue_change(name, changed), lambda: client.queues.change(name, **after, new=True)
    budget = None if queue is None else queue.max_queued
    if budget != wanted.budget:
        yield (
            queue_change(name, {"budget": (budget, wanted.budget)}),
            lambda: client.queues.set_budget(name, wanted.budget, new=True),
        )
    numbers: dict[str, Any] = {"at_once": wanted.limit, "rate": wanted.rate, "burst": wanted.burst}
    before = dict.fromkeys(numbers) if limit is None else {field: getattr(limit, field) for field in numbers}
    if changed := differences(before, numbers):
        shown = {"limit" if field == "at_once" else field: values for field, values in changed.items()}
        none_left = wanted.limit is None and wanted.rate is None
        yield (
            queue_change(name, shown),
            lambda: client.limits.delete_queue(name) if none_left else client.limits.set_queue(name, **numbers),
        )


def plan_shares(client: Client, job: str, wanted: dict[str, float]) -> Iterator[Planned]:
    found = {one.key: one for one in client.limits.job_keys(job).keys}
    for key, weight in wanted.items():
        before = found[key].weight if key in found else 1.0
        if before != weight:
            most = found[key].at_once if key in found else None
            yield key_change(f"{job}[{key}]", "weight", before, weight), share_setter(client, job, key, most, weight)


def share_setter(client: Client, job: str, key: str, most: int | None, weight: float) -> Call:
    return lambda: client.limits.set_job_key(job, key, at_once=most, weight=weight)


def usual_policy() -> dict[str, Any]:
    return {"ageing": None, "hurry": None, "late_after": None, "blackout": "", "when_full": "refuse", "weight": None}


def differences(before: dict[str, Any], after: dict[str, Any], *, new: bool = False) -> dict[str, tuple[Any, Any]]:
    """By field; of something new, what it has."""
    plain = {name: (plainly(before.get(name)), plainly(value)) for name, value in after.items()}
    return {name: both for name, both in plain.items() if both[0] != both[1] and not (new and both[1] in (None, []))}


def plainly(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def removal(noun: str, name: str) -> DispatchChange:
    return DispatchChange(act="remove", noun=noun, name=name, fields={})


def queue_change(name: str, fields: dict[str, tuple[Any, Any]]) -> DispatchChange:
    return DispatchChange(act="change", noun="queue", name=name, fields=fields)


def key_change(name: str, field: str, before: Any, after: Any) -> DispatchChange:
    noun = "share" if field == "weight" else "key"
    return DispatchChange(act="change", noun=noun, name=name, fields={field: (before, after)})
