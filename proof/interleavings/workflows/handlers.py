"""Cases in which a handler waits for calls, events and times (`ctx.call`, `ctx.event`, `ctx.sleep`, `ctx.gather`)."""

from typing import Any

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Decision, Ended, Held, Outcome
from mainspring.domain.runs.run import RunState, Suspension, WaitReason
from mainspring.domain.waits.handler import write_waits
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.spec import StepSpec
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts as ServerFacts
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings import acts as plain_acts
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Play, Prepare, Stage, ids
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.endings import RUNS, results, take_up_all
from proof.interleavings.workflows.scene import JOB, Scene
from proof.interleavings.workflows.waits import publish, time_out

ROUNDS_MAX = 10
CALLS = {"p": StepSpec(job=JOB), "q": StepSpec(job=JOB)}
EVENT = {"p": StepSpec(job=JOB), "w": StepSpec(event="paid", timeout="4s")}
FLOWS = "SELECT FROM mainspring.flows WHERE run = $1"


class SeenHandler(msgspec.Struct):
    """A run whose handler waited, in the end."""

    final: RunState
    attempts: int
    remembered: list[str]


def aside(held: Held, end: Ended) -> Decision:
    """As the rule of attempts decides about a handler that waits."""
    assert end.suspension is not None
    if held.cancel is not None:
        return Decision(RunState.CANCELLED, reason=held.cancel or None)
    return Decision(RunState.WAITING, reason=WaitReason.STEPS.value, waits=end.suspension.waits)


def attempting(waits: dict[str, StepSpec]) -> Prepare:
    """An attempt whose handler is about to wait for these."""

    async def prepare(store: Store, facts: Facts) -> None:
        name = f"{facts.name}-step"
        [made] = await store.jobs.register(NAMESPACE, [JobSpec(name=name, handler="work", queue=name)], now=START)
        [line] = await store.jobs.lines([Line(NAMESPACE, name, "work")])
        catalog = Catalog(store, SystemClock(), ServerFacts(), period=1.0)
        await catalog.tick()
        run = facts.new_run()
        run.job, run.line = made.id, line
        await store.runs.create(NAMESPACE, [run], now=START)
        token = ids.token()
        await store.runs.claim([line], [facts.sessions[0]], token=token, now=START)
        definition = write_waits(waits).replace(JOB.encode(), name.encode())
        facts.scene = Scene(catalog, own_graph(definition), run.id, line, line, definition=definition)
        facts.scene.pairs["own"] = (run.id, token)

    return prepare


def waiting(waits: dict[str, StepSpec], *under: str) -> Prepare:
    """A run whose handler waits; the calls among its waits are under way for the first session."""

    async def prepare(store: Store, facts: Facts) -> None:
        await attempting(waits)(store, facts)
        await set_aside(store, facts)
        scene: Scene = facts.scene
        await acts.take_up(store, facts)
        token = ids.token()
        for claim in await store.runs.claim([scene.line], [facts.sessions[0]] * len(under), token=token, now=START):
            for run in claim.runs:
                place = await store.workflows.place_of(run)
                assert place is not None
                scene.pairs[scene.graph.steps[place[1]].name] = (run, token)
        assert scene.pairs.keys() == {"own", *under}

    return prepare


async def set_aside(store: Store, facts: Facts) -> Any:
    """The attempt ends because its handler waits."""
    scene: Scene = facts.scene
    run, token = scene.pairs["own"]
    end = Ended(run=run, token=token, outcome=Outcome.SUSPENDED, suspension=Suspension(waits=scene.definition))
    return await store.runs.settle([end], aside, now=LATER)


async def lose_it(store: Store, facts: Facts) -> Any:
    return await store.runs.settle(
        plain_acts.ends([facts.scene.pairs["own"]], Outcome.LOST), plain_acts.decide, now=LATER
    )


async def lead(stage: Stage, play: Play) -> SeenHandler:
    """Let all come that it waits for, and let it go on; whenever it goes on, it ends."""
    scene, store = play.facts.scene, stage.plain
    for _ in range(ROUNDS_MAX):
        await take_up_all(stage, scene)
        run = await store.runs.get(NAMESPACE, scene.run)
        assert run is not None, "a run is gone"
        if run.state.final:
            rows = await stage.control.fetch(RUNS, scene.run)
            assert not [row for row in rows if row["live"] == RunState.RUNNING and row["reason"] is None], (
                "a call goes on"
            )
            assert not await stage.control.fetch(FLOWS, scene.run), "it has ended, and still waits"
            return SeenHandler(run.state, run.attempt, [one.name for one in await store.runs.checkpoints(scene.run)])
        rows = await stage.control.fetch(RUNS, scene.run)
        token = ids.token()
        claims = await store.runs.claim([scene.line], play.facts.sessions * 5, token=token, now=LATER)
        running = [(row["run"], row["token"]) for row in rows if row["live"] == RunState.RUNNING]
        running += [(one, token) for claim in claims for one in claim.runs]
        if running:
            await store.runs.succeed(results(running), now=LATER)
        idle = [row["run"] for row in rows if row["live"] == RunState.WAITING]
        if idle:
            await store.waits.finish(dict.fromkeys(idle, b"{}"), now=LATER)
    raise AssertionError("a run that waited does not go on")


def went_on(end: Ending) -> None:
    """Once, with all that it waited for."""
    assert end.seen == SeenHandler(RunState.SUCCEEDED, 2, ["p", "q"])


def went_on_with_event(end: Ending) -> None:
    assert end.seen == SeenHandler(RunState.SUCCEEDED, 2, ["p", "w"])


def stopped_or_done(end: Ending) -> None:
    """A cancel that came before it went on has ended it; one that came later found it in its line."""
    assert end.seen.final is RunState.CANCELLED, end.seen
    assert end.seen.attempts == 1


def aside_or_lost(end: Ending) -> None:
    """The wait counts, or the loss: then the handler is run again, and has nothing to remember."""
    assert bool(end.a) != bool(end.b), "both count, or neither does"
    assert end.seen == SeenHandler(RunState.SUCCEEDED, 2, ["p", "q"] if end.a else [])


both = waiting(CALLS, "p", "q")
call_and_event = waiting(EVENT, "p")
CASES = [
    Case("end of a call x end of the other", both, (acts.succeed("p"), acts.succeed("q")), went_on, lead),
    Case(
        "noted ends of calls x take up",
        both,
        (acts.succeed_alone("p"), acts.succeed_alone("q"), acts.take_up),
        went_on,
        lead,
    ),
    Case("failure of a call x end of the other", both, (acts.fail("p"), acts.succeed("q")), went_on, lead),
    Case("end of a call x sweep", both, (acts.succeed("p", "q"), acts.sweep), went_on, lead),
    Case(
        "end of a call x cancel x take up", both, (acts.succeed("p"), acts.cancel, acts.take_up), stopped_or_done, lead
    ),
    Case("end of a call x event", call_and_event, (acts.succeed("p"), publish), went_on_with_event, lead),
    Case(
        "end of a call x time-out of an event", call_and_event, (acts.succeed("p"), time_out), went_on_with_event, lead
    ),
    Case("beginning of waits x loss", attempting(CALLS), (set_aside, lose_it), aside_or_lost, lead),
]
