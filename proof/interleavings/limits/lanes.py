"""Cases in which runs of one key come, start and end at once."""

from datetime import timedelta
from typing import Any

from mainspring.domain.limits.gates import Scope
from mainspring.domain.limits.lanes import LaneRule, lane_gate, lane_of
from mainspring.domain.limits.policy import Blocking, Debounce
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.limits.draining import Under, claim_under, drain, enter_under
from proof.interleavings.limits.gates import all_over, all_succeeded, claim, enqueue
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Prepare

LONG_AGO = START - timedelta(days=1)


def keyed(at_once: int, new: int = 0, waiting: int = 0, running: int = 0, **policies: Any) -> Prepare:
    """Runs of one key: under way, waiting in their lane, and not yet in it."""

    async def prepare(store: Store, facts: Facts) -> None:
        made = lane_gate(NAMESPACE, Scope.JOB, facts.name, at_once, None, 1)
        facts.scene = Under(at_once, rule=LaneRule(gate=made, key=("customer",), **policies))
        await store.limits.set_gates([made], {})
        runs = [facts.new_run() for _ in range(running + waiting)]
        if runs:
            await store.runs.create(NAMESPACE, runs, now=START)
            await enter_under(store, facts)
        if running:
            facts.pairs = await claim_under(store, facts, running)
            assert len(facts.pairs) == running
        later = [facts.new_run() for _ in range(new)]
        if later:
            await store.runs.create(NAMESPACE, later, now=START)
        facts.runs = [run.id for run in [*runs, *later]]

    return prepare


async def prune(store: Store, _facts: Facts) -> int:
    """Lanes that nothing uses are deleted."""
    return await store.lanes.prune(before=LATER + timedelta(days=1))


async def at_rest(store: Store, facts: Facts) -> None:
    """A lane whose last run has ended, and a run that is not in it yet."""
    await keyed(1, 1, 0, 1)(store, facts)
    await acts.succeed(store, facts)
    assert await claim_under(store, facts) == [], "nothing is in it"


async def come_apart(store: Store, facts: Facts) -> None:
    """Two runs that were put into their lane one after the other, the second more urgent: it is to be looked at twice."""
    await keyed(1, waiting=1)(store, facts)
    run = facts.new_run()
    run.priority += 1
    await store.runs.create(NAMESPACE, [run], now=START)
    facts.runs = [run.id, *facts.runs]
    await enter_under(store, facts)


async def wait_for_quiet(store: Store, facts: Facts) -> None:
    """A debounced run whose time has come."""
    await keyed(1, debounce=Debounce(2))(store, facts)
    rule = facts.scene.rule
    run = facts.new_run()
    await store.runs.create(NAMESPACE, [run], now=START)
    facts.runs = [run.id]
    await store.lanes.enter(rule, [facts.line], lambda _, given: lane_of(rule, given), now=START, limit=10)


async def come_and_enter(store: Store, facts: Facts) -> Any:
    await enqueue(store, facts)
    return await enter_under(store, facts)


async def enter_and_claim(store: Store, facts: Facts) -> Any:
    await enter_under(store, facts)
    return await claim_under(store, facts)


def in_order(end: Ending) -> None:
    """All run, the oldest first."""
    all_succeeded(end)
    waited = [run for run in end.facts.runs if run in end.seen.order]
    assert end.seen.order == waited


def some_run(end: Ending) -> None:
    """Those before it ran, or gave way; the last one always runs."""
    states = [end.seen.past[run] for run in end.facts.runs]
    assert states[-1] == RunState.SUCCEEDED, f"the last one did not run: {states}"
    assert set(states) <= {RunState.SUCCEEDED, RunState.SKIPPED}


CASES = [
    Case("lane: claim x claim", keyed(1, waiting=2), (claim(), claim(session=1)), in_order, drain),
    Case("lane: success x claim", keyed(1, waiting=2, running=1), (acts.succeed, claim()), in_order, drain),
    Case("lane: claim x claim of two turns", come_apart, (claim(1), claim(1, session=1)), in_order, drain),
    Case("lane: arrival x prune of what rests", at_rest, (enter_under, prune), in_order, drain),
    Case("lane: success x arrival", keyed(1, 1, 0, 1), (acts.succeed, enter_under), in_order, drain),
    Case("lane: success x arrival x claim", keyed(1, 1, 0, 1), (acts.succeed, enter_under, claim()), in_order, drain),
    Case("lane: arrival x arrival", keyed(1, 2), (enter_under, enter_under), in_order, drain),
    Case("lane: arrival x claim", keyed(1, 1, 1), (enter_under, claim()), in_order, drain),
    Case("lane: arrival x prune", keyed(1, 1, 0, 0), (enter_under, prune), in_order, drain),
    Case("lane: success x prune x arrival", keyed(1, 1, 0, 1), (acts.succeed, prune, enter_under), in_order, drain),
    Case(
        "lane: failure x claim",
        keyed(1, waiting=1, running=1),
        (acts.settle(Outcome.FAILED), claim()),
        all_succeeded,
        drain,
    ),
    Case(
        "lane: success x loss x claim",
        keyed(1, waiting=1, running=1),
        (acts.succeed, acts.settle(Outcome.LOST), claim(session=1)),
        all_succeeded,
        drain,
    ),
    Case(
        "lane: unclaim x claim", keyed(1, waiting=1, running=1), (acts.unclaim, claim(session=1)), all_succeeded, drain
    ),
    Case("lane: cancel x claim", keyed(1, waiting=2, running=1), (acts.cancel, claim()), all_over, drain),
    Case(
        "lane: success x success x claim",
        keyed(1, waiting=2, running=1),
        (acts.succeed, acts.succeed, claim()),
        in_order,
        drain,
    ),
    Case(
        "latest: two arrivals x success",
        keyed(1, 2, 0, 1, blocking=Blocking.LATEST),
        (enter_under, acts.succeed),
        some_run,
        drain,
    ),
    Case(
        "latest: arrival x claim x success",
        keyed(1, 1, 1, 1, blocking=Blocking.LATEST),
        (enter_under, claim(), acts.succeed),
        some_run,
        drain,
    ),
    Case("debounce: arrival x claim", wait_for_quiet, (come_and_enter, enter_and_claim), some_run, drain),
]
