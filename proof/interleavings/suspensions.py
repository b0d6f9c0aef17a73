"""Cases in which a run is set aside, or goes on, while something else happens to it, and what its attempts keep meanwhile."""

from datetime import timedelta

from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState, Suspension, WaitReason
from mainspring.domain.runs.suspension import SUSPENDING
from mainspring.errors import LeaseLostError
from mainspring.store.interface import Store
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.claims import one_queued
from proof.interleavings.endings import running
from proof.interleavings.stage import LATER, NAMESPACE, Facts

SUSPENDED = WaitReason.SUSPENDED.value
SOON = LATER - timedelta(seconds=1)


async def one_suspended(store: Store, facts: Facts) -> None:
    await one_queued(store, facts)
    await acts.suspend(store, facts)


async def one_until_soon(store: Store, facts: Facts) -> None:
    await one_queued(store, facts)
    until = Suspension("", SOON)
    await store.runs.suspend(NAMESPACE, facts.runs[0], until, actor=SYSTEM, now=LATER - timedelta(seconds=4))


async def one_to_yield(store: Store, facts: Facts) -> None:
    await running(store, facts)
    await acts.suspend(store, facts)


async def running_today(store: Store, facts: Facts) -> None:
    """What is settled in a handler's own transaction is settled at the database's time, and needs a place there."""
    await store.cluster.prepare_history(now=SystemClock().now(), days=1)
    await running(store, facts)


def set_aside_or_to_be(end: Ending) -> None:
    """The session that claims it first has it, and its handler is to yield; no other gets it any more."""
    assert end.b.changed
    assert (end.state, end.run.reason) == ((RunState.RUNNING, SUSPENDING) if end.a else (RunState.WAITING, SUSPENDED))
    assert not (end.trace.precedes("b", "a") and end.a)


def set_aside(end: Ending) -> None:
    """Whatever the attempt ended with, and in whichever order: it counts once, and the run waits."""
    assert (end.state, end.run.reason) == (RunState.WAITING, SUSPENDED)
    assert end.run.failures + end.run.losses == len(end.outcomes) == 1
    assert end.audited == ["run.suspend"]


def ended_in_spite(end: Ending) -> None:
    assert end.state is RunState.SUCCEEDED
    assert end.b.changed or end.trace.committed("a") < end.trace.committed("b")


def handed_back_or_to_yield(end: Ending) -> None:
    """Nothing that is to yield goes back into its line."""
    assert (end.state, end.run.reason) in {(RunState.WAITING, SUSPENDED), (RunState.RUNNING, SUSPENDING)}


def cancelled_for_good(end: Ending) -> None:
    assert end.state is RunState.CANCELLED
    assert end.audited in (
        ["run.suspend", "run.resume", "run.cancel"],
        ["run.suspend", "run.cancel"],
    )


def to_be_cancelled(end: Ending) -> None:
    """The attempt goes on until it is stopped; a resume does not take the cancel back."""
    assert (end.state, end.run.reason) == (RunState.RUNNING, "cancelling")


def goes_on(end: Ending) -> None:
    """Resumed before it yielded or behind that: it stands in its line, and the yield cost it nothing."""
    assert (end.state, end.run.reason) == (RunState.QUEUED, None)
    assert (end.run.failures, end.run.losses) == (0, 0)


def resumed_once(end: Ending) -> None:
    assert end.state is RunState.QUEUED
    assert end.a.changed != bool(end.b), "resumed by a caller and by the clock"


def settled_or_lost(end: Ending) -> None:
    """Either the handler's transaction counts or the reclaim; its neighbour is lost whatever comes."""
    [first, second] = end.runs
    assert (second.state, second.losses) == (RunState.QUEUED, 1)
    if isinstance(end.a, LeaseLostError):
        assert (first.state, first.losses, end.outcomes) == (RunState.QUEUED, 1, ["lost"])
    else:
        assert (first.state, first.losses, end.outcomes) == (RunState.SUCCEEDED, 0, [])


def settled_in_spite(end: Ending) -> None:
    assert (end.state, end.outcomes) == (RunState.SUCCEEDED, [])


def kept_or_stale(end: Ending) -> None:
    """What an attempt was told is kept is there for the next one; what is stale never is."""
    assert (end.state, end.run.losses) == (RunState.QUEUED, 1)
    assert end.remembered == ([] if end.a else [acts.STEP])
    late = end.trace.committed("b") < end.trace.committed("a")
    assert end.a == ({end.facts.pairs[0]} if late else set()), "kept for an attempt that was lost by then"


CASES = [
    Case("claim x suspend", one_queued, (acts.claim(), acts.suspend), set_aside_or_to_be),
    Case("fail x suspend", running, (acts.settle(Outcome.FAILED), acts.suspend), set_aside),
    Case("reclaim x suspend", running, (acts.reclaim, acts.suspend), set_aside),
    Case("succeed x suspend", running, (acts.succeed, acts.suspend), ended_in_spite),
    Case("unclaim x suspend", running, (acts.unclaim, acts.suspend), handed_back_or_to_yield),
    Case("resume x cancel", one_suspended, (acts.resume, acts.cancel), cancelled_for_good),
    Case("resume x cancel of what is to yield", one_to_yield, (acts.resume, acts.cancel), to_be_cancelled),
    Case("yield x resume", one_to_yield, (acts.settle(Outcome.SUSPENDED), acts.resume), goes_on),
    Case("resume x its instant", one_until_soon, (acts.resume, acts.resume_due), resumed_once),
    Case("settle in SQL x reclaim", running_today, (acts.settle_in_sql, acts.reclaim), settled_or_lost),
    Case("settle in SQL x cancel", running_today, (acts.settle_in_sql, acts.cancel), settled_in_spite),
    Case("settle in SQL x suspend", running_today, (acts.settle_in_sql, acts.suspend), settled_in_spite),
    Case("remember x reclaim", running, (acts.remember, acts.reclaim), kept_or_stale),
]
