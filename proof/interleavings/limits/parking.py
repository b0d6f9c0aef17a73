"""Cases in which runs are parked for a breaker while something else happens to them."""

from typing import Any

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import Parking, RunState, WaitReason
from mainspring.store.interface import Store
from proof.interleavings import acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.endings import running
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Play, Stage, ids

BREAKER = WaitReason.BREAKER.value
LEFT = "SELECT p.run FROM mainspring.parked_runs AS p WHERE p.run = ANY ($1::uuid[])"
STUCK = """
SELECT r.id FROM mainspring.runs AS r
WHERE r.line = $1 AND r.state = 0 AND r.reason = 'breaker'
  AND NOT EXISTS (SELECT FROM mainspring.parked_runs AS p WHERE p.run = r.id)
"""


def breaker(facts: Facts) -> str:
    return f"{facts.name}-gateway"


async def park(store: Store, facts: Facts) -> Any:
    """The handlers found the breaker open."""

    def decide(held: Held, _end: Ended) -> Decision:
        if held.cancel is not None:
            return Decision(RunState.CANCELLED)
        return Decision(RunState.WAITING, reason=BREAKER, parking=Parking(breaker(facts), 1, LATER))

    return await store.runs.settle(acts.ends(facts.pairs, Outcome.PARKED), decide, now=LATER)


async def release(store: Store, facts: Facts) -> Any:
    return await store.breakers.unpark(NAMESPACE, breaker(facts), epoch=2, now=LATER, limit=10, held=True)


async def parked(store: Store, facts: Facts) -> None:
    await running(store, facts)
    await park(store, facts)


async def parked_before(store: Store, facts: Facts) -> None:
    """Parked, cancelled, retried and claimed again: the note of the first parking may still be there."""
    await parked(store, facts)
    facts.revives = True
    await acts.cancel(store, facts)
    for run in facts.runs:
        await store.runs.retry(NAMESPACE, run, force=False, reason="", actor=SYSTEM, now=LATER)
    token = ids.token()
    claims = await store.runs.claim([facts.line], [facts.sessions[0]] * 2, token=token, now=LATER)
    assert sum(map(len, claims)) == 2
    facts.pairs = [(run, token) for run in facts.runs]


async def look(stage: Stage, play: Play) -> list[int]:
    """After one more release nothing waits for the breaker, and nothing is noted of it."""
    stuck = await stage.control.fetch(STUCK, play.facts.line)
    assert not stuck, "a run waits for a breaker, and no release finds it"
    await release(stage.plain, play.facts)
    left = await stage.control.fetch(LEFT, play.facts.runs)
    assert not left, "a run is noted as parked after the release of all"
    rows = await stage.states(play.facts.runs)
    return [rows[run] for run in play.facts.runs]


def back_in_line(end: Ending) -> None:
    """Parking costs nothing, and a release puts both back."""
    assert end.seen == [RunState.QUEUED] * 2
    assert {(run.failures, run.losses) for run in end.runs} == {(0, 0)}


def back_or_cancelled(end: Ending) -> None:
    assert set(end.seen) <= {RunState.QUEUED, RunState.CANCELLED}
    assert {(run.failures, run.losses) for run in end.runs} == {(0, 0)}


def back_or_lost(end: Ending) -> None:
    """Parked or lost, in no case both."""
    assert end.seen == [RunState.QUEUED] * 2
    assert {run.losses for run in end.runs} <= {0, 1}
    assert {run.failures for run in end.runs} == {0}


CASES = [
    Case("park x release", running, (park, release), back_in_line, look),
    Case("park again x release", parked_before, (park, release), back_in_line, look),
    Case("release x release", parked, (release, release), back_in_line, look),
    Case("release x cancel", parked, (release, acts.cancel), back_or_cancelled, look),
    Case("park x cancel x release", running, (park, acts.cancel, release), back_or_cancelled, look),
    Case("park x reclaim x release", running, (park, acts.reclaim, release), back_or_lost, look),
]
