"""The transitions of workflow runs that meet: each is an act of a server, through the store that servers use."""

from typing import Any

from mainspring.domain.access.permissions import SYSTEM
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.cancel import Operator
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows import again
from mainspring.domain.workflows.flow import FlowRequest
from mainspring.domain.workflows.move import ChangeFlow
from mainspring.errors import ConflictError
from mainspring.store.interface import Store
from proof.interleavings import acts
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts
from proof.interleavings.workflows.scene import RESULT


def by() -> Operator:
    return Operator(namespace=NAMESPACE, actor=SYSTEM, reason="", now=LATER)


def give_up(held: Held, _end: Ended) -> Decision:
    """A failure is final."""
    if held.cancel is not None:
        return Decision(RunState.CANCELLED, reason=held.cancel or None, failures=1)
    return Decision(RunState.FAILED, failures=1)


def hop(*names: str, owner: int | None = None, bundled: bool = False) -> Act:
    """The end of steps that a server remembers the workflow run of: by one statement, or if it has moved, the long way. What
    begins is born claimed for a session, if there is an owner, perhaps in a bundle."""

    async def act(store: Store, facts: Facts) -> str:
        scene = facts.scene
        session = None if owner is None else facts.sessions[owner]
        mover, successes = scene.mover(session), scene.successes(names)
        hops = scene.memory().hops(scene.places(names), successes, mover)
        assert len(hops.moves) == 1, "this end cannot be decided from memory"
        mover.place([begin.run for one in hops.moves for begin in one.begun])
        if await store.workflows.hop(hops.places, hops.successes, hops.moves, now=LATER, bundled=bundled):
            return "hopped"
        done = await store.workflows.succeed(scene.places(names), successes, scene.mover(), now=LATER)
        return f"known {done.known}"

    return act


def succeed(*names: str, result: bytes = RESULT) -> Act:
    """The same without a memory of the workflow run."""

    async def act(store: Store, facts: Facts) -> str:
        scene = facts.scene
        places, successes = scene.places(names), scene.successes(names, result)
        done = await store.workflows.succeed(places, successes, scene.mover(), now=LATER)
        return f"known {done.known}"

    return act


def succeed_alone(*names: str) -> Act:
    """The end of attempts of which the server does not know that they are steps: a note is left."""

    async def act(store: Store, facts: Facts) -> str:
        return f"known {await store.runs.succeed(facts.scene.successes(names), now=LATER)}"

    return act


def fail(*names: str) -> Act:
    async def act(store: Store, facts: Facts) -> Any:
        pairs = [facts.scene.pairs[name] for name in names]
        return await store.runs.settle(acts.ends(pairs, Outcome.FAILED), give_up, now=LATER)

    return act


def lose(*names: str) -> Act:
    """The attempts are put back as lost."""

    async def act(store: Store, facts: Facts) -> Any:
        pairs = [facts.scene.pairs[name] for name in names]
        return await store.runs.settle(acts.ends(pairs, Outcome.LOST), acts.decide, now=LATER)

    return act


async def begin(store: Store, facts: Facts) -> int:
    scene = facts.scene
    return len((await store.workflows.begin([scene.own_line], scene.mover(), now=LATER, limit=10)).moves)


async def take_up(store: Store, facts: Facts) -> int:
    """Take up the notes of this workflow run, as the duty does."""
    return len((await store.workflows.advance([facts.scene.run], facts.scene.mover(), now=LATER)).moves)


async def sweep(store: Store, facts: Facts) -> int:
    """What the sweep of workflow runs does with one that nothing seems to have moved."""
    mended = await store.workflows.mend([facts.scene.run], now=LATER)
    await store.workflows.advance([facts.scene.run], facts.scene.mover(), now=LATER, look=True)
    return mended


async def cancel(store: Store, facts: Facts) -> Any:
    return await store.runs.cancel(NAMESPACE, [facts.scene.run], reason="enough", actor=SYSTEM, now=LATER)


async def pause(store: Store, facts: Facts) -> bool:
    return await store.workflows.request(facts.scene.run, FlowRequest.PAUSE, by(), act="workflow.pause")


async def come_late(store: Store, facts: Facts) -> bool:
    """The deadline of the workflow run comes."""
    return await store.workflows.request(facts.scene.run, FlowRequest.DEADLINE, by(), act="workflow.deadline")


async def resume(store: Store, facts: Facts) -> Any:
    return await changed(store, facts, lambda graph, flow: again.resume(graph, flow, "this one"))


def retry_from(name: str) -> Act:
    """An operator has a step and all behind it again."""

    async def act(store: Store, facts: Facts) -> Any:
        return await changed(store, facts, lambda graph, flow: again.retry_from(graph, flow, "this one", name))

    return act


def mark(name: str) -> Act:
    """An operator says that a step has succeeded; None if it is under way."""

    async def act(store: Store, facts: Facts) -> Any:
        return await changed(store, facts, lambda graph, flow: again.mark(graph, flow, "this one", name, RESULT))

    return act


async def changed(store: Store, facts: Facts, change: ChangeFlow) -> Any:
    """None if the change was refused."""
    scene = facts.scene
    try:
        return await store.workflows.change(scene.run, change, scene.mover(), by(), act="workflow.change", now=LATER)
    except ConflictError:
        return None


def retry_run(name: str) -> Act:
    """An operator has the run of a step again, as if it were any run."""

    async def act(store: Store, facts: Facts) -> Any:
        run, _ = facts.scene.pairs[name]
        return await store.runs.retry(NAMESPACE, run, force=False, reason="", actor=SYSTEM, now=LATER)

    return act
