"""Cases in which runs under a limit without a key start, end and are counted at once."""

from typing import Any

from mainspring.domain.limits.gates import Scope, gate
from mainspring.domain.runs.attempt import Outcome
from mainspring.domain.runs.run import RunState
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.limits.draining import Pairs, Under, claim_under, drain
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts, Prepare


def limited(at_once: int, waiting: int, running: int = 0) -> Prepare:
    """Runs behind a gate, some of them under way."""

    async def prepare(store: Store, facts: Facts) -> None:
        one = gate(NAMESPACE, Scope.NAMED, facts.name, at_once, None, 1)
        facts.scene = Under(at_once, gate=one)
        await store.limits.set_gates([one], {facts.line: [one.id]})
        runs = [facts.new_run() for _ in range(waiting + running)]
        await store.runs.create(NAMESPACE, runs, now=START)
        facts.runs = [run.id for run in runs]
        if running:
            facts.pairs = await claim_under(store, facts, running)
            assert len(facts.pairs) == running

    return prepare


def claim(slots: int = 10, session: int = 0) -> Act:
    async def act(store: Store, facts: Facts) -> Pairs:
        return await claim_under(store, facts, slots, session)

    return act


async def recount(store: Store, facts: Facts) -> Any:
    return await store.limits.recount([facts.scene.gate.id], now=LATER)


async def widen(store: Store, facts: Facts) -> Any:
    """A newer revision: one more may be under way."""
    wider = gate(NAMESPACE, Scope.NAMED, facts.name, facts.scene.at_once + 1, None, 2)
    facts.scene.at_once += 1
    return await store.limits.set_gates([wider], {})


async def enqueue(store: Store, facts: Facts) -> Any:
    run = facts.new_run()
    await store.runs.create(NAMESPACE, [run], now=START)
    facts.runs.append(run.id)


def all_succeeded(end: Ending) -> None:
    assert set(end.seen.past.values()) == {RunState.SUCCEEDED}


def all_over(end: Ending) -> None:
    assert set(end.seen.past.values()) <= {RunState.SUCCEEDED, RunState.CANCELLED}


def counted(end: Ending) -> None:
    """The recount found nothing wrong, whatever was under way."""
    assert end.b == 0, f"{end.b} gates were wrong"
    all_succeeded(end)


CASES = [
    Case("gate: claim x claim", limited(1, 2), (claim(), claim(session=1)), all_succeeded, drain),
    Case("gate: success x claim", limited(1, 2, 1), (acts.succeed, claim()), all_succeeded, drain),
    Case("gate: success x enqueue x claim", limited(1, 0, 1), (acts.succeed, enqueue, claim()), all_succeeded, drain),
    Case("gate: failure x claim", limited(1, 1, 1), (acts.settle(Outcome.FAILED), claim()), all_succeeded, drain),
    Case(
        "gate: success x loss x claim",
        limited(1, 1, 1),
        (acts.succeed, acts.settle(Outcome.LOST), claim(session=1)),
        all_succeeded,
        drain,
    ),
    Case(
        "gate: success x success x claim", limited(1, 2, 1), (acts.succeed, acts.succeed, claim()), all_succeeded, drain
    ),
    Case("gate: unclaim x claim", limited(1, 1, 1), (acts.unclaim, claim(session=1)), all_succeeded, drain),
    Case("gate: cancel x claim", limited(1, 2, 1), (acts.cancel, claim()), all_over, drain),
    Case("gate: success x recount", limited(2, 1, 2), (acts.succeed, recount), counted, drain),
    Case("gate: claim x recount", limited(2, 3, 1), (claim(), recount), counted, drain),
    Case("gate: success x recount x claim", limited(1, 2, 1), (acts.succeed, recount, claim()), counted, drain),
    Case("gate: claim x wider limit", limited(1, 3, 1), (claim(), widen), all_succeeded, drain),
]
