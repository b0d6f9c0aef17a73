"""Cases in which the wait of a step ends in several ways at once, or begins while its event is published."""

from datetime import timedelta
from typing import Any

from mainspring.domain.access.permissions import SYSTEM, Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import RunState
from mainspring.domain.waits.approval import Vote
from mainspring.domain.workflows.spec import StepSpec
from mainspring.store.interface import Store
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.endings import lead_to_its_end as to_its_end
from proof.interleavings.workflows.scene import job, under_way

DATA = b'{"sum":1}'


def wait(**fields: Any) -> dict[str, StepSpec]:
    return {"w": StepSpec(**fields), "b": job(after=("w",))}


EVENT: dict[str, Any] = {"event": "paid", "look_back": "1h"}
waiting = under_way(wait(**EVENT, timeout="4s"))
asking = under_way(wait(approval="all right?", approvals=2, timeout="4s"))
before_it = under_way({"a": job(), "w": StepSpec(after=("a",), **EVENT), "b": job(after=("w",))}, "a")


async def run_of_wait(store: Store, facts: Facts) -> RunId:
    scene = facts.scene
    number = scene.graph.numbers["w"]
    [found] = [one.run for one in await store.workflows.steps(scene.run, after=None, limit=9) if one.step == number]
    return found


async def publish(store: Store, _facts: Facts) -> list[RunId]:
    """Keep an event, and end all waits for it; those that it ended."""
    await store.waits.tell(NAMESPACE, [("paid", DATA)], now=LATER - timedelta(seconds=2))
    waits = await store.waits.waiting_for(NAMESPACE, "paid", DATA, limit=10)
    return await store.waits.finish(dict.fromkeys(waits, DATA), now=LATER) if waits else []


async def look_back(store: Store, _facts: Facts) -> list[RunId]:
    ended: list[RunId] = []
    for one in await store.waits.unlooked(limit=10):
        if (data := await store.waits.look_back(one, limit=10)) is not None:
            ended += await store.waits.finish({one.run: data}, now=LATER)
    return ended


async def begin_and_look(store: Store, facts: Facts) -> list[RunId]:
    """The end of the step before it: the wait begins, and its server looks for earlier events."""
    await acts.succeed("a")(store, facts)
    return await look_back(store, facts)


async def time_out(store: Store, _facts: Facts) -> list[RunId]:
    return await store.runs.expire(now=LATER, limit=10)


async def cancel_step(store: Store, facts: Facts) -> Any:
    run = await run_of_wait(store, facts)
    return await store.runs.cancel(NAMESPACE, [run], reason="", actor=SYSTEM, now=LATER)


def vote(name: str) -> Act:
    async def act(store: Store, facts: Facts) -> Any:
        by = Operator(namespace=NAMESPACE, actor=Actor(name), reason="", now=LATER)
        one = Vote(actor=name, at=LATER, approved=True, form=b"{}", note="")
        return await store.waits.vote(await run_of_wait(store, facts), one, two_of_them, by, now=LATER)

    return act


def two_of_them(_about: object, votes: Any) -> bytes | None:
    return b'{"approved":true}' if len({one.actor for one in votes}) == 2 else None


def ended_by_its_event(end: Ending) -> None:
    """Told before it began or after: the wait has ended with it, once."""
    assert end.seen.after["w"] == "succeeded"
    assert len([*(end.a or []), *(end.b or [])]) == 1, "ended twice, or by nobody"
    assert end.seen.final is RunState.SUCCEEDED


def one_end(end: Ending) -> None:
    """The answers say which end counts."""
    told = end.a
    assert end.seen.after["w"] == ("succeeded" if told else "failed")
    assert len(told) <= 1
    assert end.seen.final is (RunState.SUCCEEDED if told else RunState.FAILED)


def told_or_cancelled(end: Ending) -> None:
    assert end.seen.after["w"] == ("succeeded" if end.a else "cancelled")


def told_or_stopped(end: Ending) -> None:
    assert end.seen.final is RunState.CANCELLED
    assert end.seen.after["w"] == ("succeeded" if end.a else "cancelled")


def agreed(end: Ending) -> None:
    """Both answers count, and the second one ends the wait."""
    assert sorted([end.a[0], end.b[0]]) == [False, True]
    assert (len(end.a[1]), len(end.b[1])) in {(1, 2), (2, 1)}
    assert end.seen.after["w"] == "succeeded"


def agreed_or_late(end: Ending) -> None:
    """An approval that was answered with an end has ended the wait."""
    decided = any(answer is not None and answer[0] for answer in (end.a, end.b))
    assert end.seen.after["w"] == ("succeeded" if decided else "failed")


CASES = [
    Case("event x event", waiting, (publish, publish), ended_by_its_event, to_its_end),
    Case("event x time-out", waiting, (publish, time_out), one_end, to_its_end),
    Case("event x cancel of the step", waiting, (publish, cancel_step), told_or_cancelled, to_its_end),
    Case(
        "event x cancel of the workflow run x take up",
        waiting,
        (publish, acts.cancel, acts.take_up),
        told_or_stopped,
        to_its_end,
    ),
    Case("event x look back", waiting, (publish, look_back), ended_by_its_event, to_its_end),
    Case("event x beginning of its wait", before_it, (begin_and_look, publish), ended_by_its_event, to_its_end),
    Case("approval x approval", asking, (vote("anna"), vote("bert")), agreed, to_its_end),
    Case("approval x approval x time-out", asking, (vote("anna"), vote("bert"), time_out), agreed_or_late, to_its_end),
]
