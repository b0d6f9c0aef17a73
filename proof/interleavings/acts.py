"""The transitions that meet: each is what a server does, through the store that servers use."""

from datetime import timedelta
from typing import Any

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.bulk.operation import Sweep, SweepAct, SweepFilter, SweepId, SweepPiece, sweep_entry
from mainspring.domain.cluster.session import Cordon
from mainspring.domain.ids import RunId, Token
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome, Successes
from mainspring.domain.runs.checkpoints import Memory, MemoryKind
from mainspring.domain.runs.run import Failure, RunState, Suspension, WaitReason
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings.stage import LAPSE, LATER, NAMESPACE, Act, Facts, ids
from proof.interleavings.stepping import SteppedDatabase

FAR = START + timedelta(days=1)


STEP = "one"


def decide(held: Held, end: Ended) -> Decision:
    """One more try, unless a caller wants it cancelled or suspended."""
    if held.cancel is not None:
        return Decision(RunState.CANCELLED, reason=held.cancel or None, failures=1)
    lost, yielded = end.outcome is Outcome.LOST, end.outcome is Outcome.SUSPENDED
    state, reason = RunState.QUEUED, None if yielded else "retry"
    if held.suspend:
        state, reason = RunState.WAITING, WaitReason.SUSPENDED.value
    return Decision(state, reason=reason, failures=not lost and not yielded, losses=lost)


def claim(slots: int = 1, *, session: int = 0, bundled: bool = False) -> Act:
    async def act(store: Store, facts: Facts) -> list[RunId]:
        wanted = [facts.sessions[session]] * slots
        claims = await store.runs.claim([facts.line], wanted, token=ids.token(), now=START, bundled=bundled)
        return [run for one in claims for run in one.runs]

    return act


async def cancel(store: Store, facts: Facts) -> Any:
    return await store.runs.cancel(NAMESPACE, facts.runs, reason="enough", actor=SYSTEM, now=LATER)


async def suspend(store: Store, facts: Facts) -> Any:
    wanted = Suspension("wait", None)
    return await store.runs.suspend(NAMESPACE, facts.runs[0], wanted, actor=SYSTEM, now=LATER)


async def resume(store: Store, facts: Facts) -> Any:
    return await store.runs.resume(NAMESPACE, facts.runs[0], reason="", actor=SYSTEM, now=LATER)


async def resume_due(store: Store, _facts: Facts) -> Any:
    return await store.runs.resume_due(until=LATER, limit=100)


async def remember(store: Store, facts: Facts) -> Any:
    """A step of the first attempt; answers with the pairs that own their run no more."""
    run, token = facts.pairs[0]
    memory = Memory(run, token, MemoryKind.STEP, STEP, b"1", 1)
    return (await store.runs.save_checkpoints([memory], now=LATER)).stale


async def settle_in_sql(store: Store, facts: Facts) -> Any:
    """What a handler does in its own transaction, which is not one of a server."""
    database: SteppedDatabase = vars(store.runs)["_database"]

    async def work(connection: Any) -> str:
        return str(await connection.fetchval("SELECT mainspring.settle($1, $2, '1')", *facts.pairs[0]))

    return await database.run(work)


async def retry(store: Store, facts: Facts) -> Any:
    return await store.runs.retry(NAMESPACE, facts.runs[0], force=False, reason="", actor=SYSTEM, now=LATER)


async def sweep_retry(store: Store, facts: Facts) -> Any:
    """The only step of a sweep that has all the runs again."""
    sweep = Sweep(
        id=SweepId(ids.runs(1, LATER)[0]),
        namespace=NAMESPACE,
        act=SweepAct.RETRY,
        filter=SweepFilter(),
        actor=SYSTEM,
        created_at=LATER,
        moved_at=LATER,
    )
    await store.bulk.save(sweep, sweep_entry("sweep.create", sweep, actor=SYSTEM, now=LATER, reason=""))
    return await store.bulk.step_sweep(sweep, SweepPiece(facts.runs, None), now=LATER)


async def succeed(store: Store, facts: Facts) -> int:
    return await store.runs.succeed(successes(facts.pairs), now=LATER)


def settle(outcome: Outcome) -> Act:
    async def act(store: Store, facts: Facts) -> Any:
        return await store.runs.settle(ends(facts.pairs, outcome), decide, now=LATER)

    return act


async def unclaim(store: Store, facts: Facts) -> int:
    return await store.runs.unclaim([facts.sessions[0]], token=facts.pairs[0][1])


async def renew(store: Store, facts: Facts) -> Any:
    return await store.cluster.renew([facts.sessions[0]], lease_until=FAR)


async def expire_sessions(store: Store, _facts: Facts) -> Any:
    return await store.cluster.expire(before=LAPSE + timedelta(seconds=1), now=LATER)


async def reclaim(store: Store, facts: Facts) -> Any:
    """The session's row first, then its attempts by their tokens."""
    await expire_sessions(store, facts)
    held = await store.runs.held_by(facts.sessions[0], claimed_before=FAR, limit=10)
    lost = ends([(one.run, one.token) for one in held], Outcome.LOST)
    return await store.runs.settle(lost, decide, now=LATER) if lost else {}


async def mark_reclaimed(store: Store, _facts: Facts) -> Any:
    return await store.cluster.mark_reclaimed()


async def close_session(store: Store, facts: Facts) -> Any:
    return await store.cluster.close_session(facts.sessions[0], now=LATER)


async def drain_session(store: Store, facts: Facts) -> Any:
    return await store.cluster.drain_session(facts.sessions[0])


async def cordon(store: Store, facts: Facts) -> Any:
    wanted = Cordon(namespace=NAMESPACE, executor=f"{facts.name}-0", at=LATER, actor="system", reason="repair")
    return await store.executors.cordon(wanted, actor=SYSTEM)


async def expire_runs(store: Store, _facts: Facts) -> Any:
    return await store.runs.expire(now=LATER, limit=100)


async def prune(store: Store, _facts: Facts) -> Any:
    return await store.cluster.prune(before=START + timedelta(seconds=1))


async def delete_job(store: Store, facts: Facts) -> Any:
    return await store.jobs.delete(NAMESPACE, facts.name, lambda _: None, actor=SYSTEM, note="", now=LATER)


def create_new(*, key: str | None = None, digest: bytes = b"one", claimed: bool = False) -> Act:
    """Answers with the run that now stands for the request."""

    async def act(store: Store, facts: Facts) -> RunId:
        run = facts.new_run(key=key and f"{facts.name}-{key}", digest=digest)
        if claimed:
            run.token, run.session = ids.token(), facts.sessions[0]
        holders = await store.runs.create(NAMESPACE, [run], now=START)
        if run.id in holders:
            return holders[run.id].run
        facts.runs.append(run.id)
        return run.id

    return act


def successes(pairs: list[tuple[RunId, Token]]) -> Successes:
    size = len(pairs)
    runs, tokens = [run for run, _ in pairs], [token for _, token in pairs]
    return Successes(runs=runs, tokens=tokens, results=[b"1"] * size, waits=[0] * size, durations=[1] * size)


def ends(pairs: list[tuple[RunId, Token]], outcome: Outcome) -> list[Ended]:
    failure = Failure(error="ValueError") if outcome is Outcome.FAILED else None
    return [Ended(run=run, token=token, outcome=outcome, failure=failure) for run, token in pairs]
