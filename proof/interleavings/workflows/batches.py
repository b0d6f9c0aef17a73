"""Cases in which a batch is filled, closed, counted and retried at once."""

from typing import Any

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.batches import batch
from mainspring.domain.batches.batch import BatchSpec
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.run import NewRun, RunState
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.flow import Map
from mainspring.domain.workflows.spec import HANDLER
from mainspring.errors import ConflictError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts as ServerFacts
from mainspring.store.interface import NewBatch, Store
from mainspring.testing.clock import START
from proof.interleavings.case import Case, Ending
from proof.interleavings.stage import LATER, NAMESPACE, Act, Facts, Play, Stage, ids
from proof.interleavings.workflows import acts
from proof.interleavings.workflows.endings import RUNS, results, take_up_all
from proof.interleavings.workflows.scene import Scene

ROUNDS_MAX = 10
PLACES = "SELECT count(*) FROM mainspring.steps WHERE workflow = $1 AND step = 0"
REFUSED = "refused"


class SeenBatch(msgspec.Struct):
    """A batch in the end."""

    final: RunState
    counts: Map
    places: int
    """Runs that it has."""


def new_runs(facts: Facts, line: int, number: int) -> list[NewRun]:
    """In a line of their own: the invariants of a play's own runs know nothing of these."""
    made = [facts.new_run() for _ in range(number)]
    for run in made:
        run.line = line
    return made


async def filled(store: Store, facts: Facts) -> None:
    """An open batch with two runs, both under way for the first session."""
    name = f"{facts.name}-batch"
    [job] = await store.jobs.register(
        NAMESPACE, [JobSpec(name=name, handler=HANDLER, workflow=b'{"steps":{}}', queue=name)], now=START
    )
    [own, line] = await store.jobs.lines([Line(NAMESPACE, name, HANDLER), Line(NAMESPACE, name, "work")])
    catalog = Catalog(store, SystemClock(), ServerFacts(), period=1.0)
    await catalog.tick()
    [run] = new_runs(facts, own, 1)
    run.job = job.id
    definition = batch.write_batch(BatchSpec(name=name))
    graph = own_graph(definition)
    items = new_runs(facts, line, 2)
    flow = batch.new_flow(graph, name, len(items))
    new = NewBatch(name=name, run=run, version=job.version, definition=definition, flow=flow)
    await store.batches.create(new, items, acts.by(), now=START)
    facts.scene = Scene(catalog, graph, run.id, own, line)
    token = ids.token()
    await store.runs.claim([line], [facts.sessions[0]] * 2, token=token, now=START)
    facts.scene.pairs = {"x": (items[0].id, token), "y": (items[1].id, token)}


async def half_failed(store: Store, facts: Facts) -> None:
    """One of the two has failed, and is counted."""
    await filled(store, facts)
    await acts.fail("x")(store, facts)
    await acts.take_up(store, facts)


def add(number: int) -> Act:
    async def act(store: Store, facts: Facts) -> object:
        try:
            joined = await store.batches.add(
                facts.scene.run, new_runs(facts, facts.scene.line, number), acts.by(), at=None, now=LATER
            )
        except ConflictError:
            return REFUSED
        return None if joined is None else joined.before

    return act


def changing(change: Any) -> Act:
    async def act(store: Store, facts: Facts) -> object:
        scene = facts.scene
        try:
            await store.workflows.change(
                scene.run,
                change,
                scene.mover(),
                acts.by(),
                act="batch.change",
                now=LATER,
            )
        except ConflictError:
            return REFUSED
        return "done"

    return act


def closed(_: Any, flow: Any) -> Again:
    batch.close(flow, "this one")
    return Again()


def retried(graph: Any, flow: Any) -> Again:
    return batch.retry(graph, flow, "this one")


close, retry = changing(closed), changing(retried)


async def to_its_end(stage: Stage, play: Play) -> SeenBatch:
    """Raises an AssertionError if the batch does not end."""
    scene, store = play.facts.scene, stage.plain
    for _ in range(ROUNDS_MAX):
        await take_up_all(stage, scene)
        run = await store.runs.get(NAMESPACE, scene.run)
        view = await store.workflows.get(NAMESPACE, scene.run)
        assert run is not None
        assert view is not None
        if run.state.final:
            return SeenBatch(run.state, batch.counts_of(view.flow), await stage.control.fetchval(PLACES, scene.run))
        if batch.counts_of(view.flow).open:
            await close(store, play.facts)
        await store.runs.claim([scene.line], play.facts.sessions * 5, token=ids.token(), now=LATER)
        rows = await stage.control.fetch(RUNS, scene.run)
        running = [(row["run"], row["token"]) for row in rows if row["live"] == RunState.RUNNING]
        if running:
            await store.runs.succeed(results(running), now=LATER)
    raise AssertionError("a batch does not end")


def counted(end: Ending) -> None:
    """It ends, with each run counted once."""
    seen: SeenBatch = end.seen
    assert seen.places == seen.counts.size
    assert seen.counts.ended == seen.counts.size, seen.counts
    assert seen.counts.failed >= 0


def all_joined(end: Ending) -> None:
    counted(end)
    assert end.seen.final is RunState.SUCCEEDED
    assert end.seen.counts.size == 6
    assert {end.a, end.b} == {2, 4}


def joined_or_refused(end: Ending) -> None:
    counted(end)
    assert end.b == "done"
    assert end.seen.counts.size == (2 if end.a == REFUSED else 4)
    if end.trace.precedes("b", "a"):
        assert end.a == REFUSED


def retried_once(end: Ending) -> None:
    """The run that failed before runs again; the other one too, if it was counted by then."""
    counted(end)
    assert end.b == "done"
    assert end.seen.counts.succeeded == (2 if end.seen.final is RunState.SUCCEEDED else 1)


CASES = [
    Case("add x add to a batch", filled, (add(2), add(2)), all_joined, to_its_end),
    Case("add x close of a batch", filled, (add(2), close), joined_or_refused, to_its_end),
    Case("failure x retry of a batch", half_failed, (acts.fail("y"), retry), retried_once, to_its_end),
    Case(
        "failure x retry x take up of a batch",
        half_failed,
        (acts.fail("y"), retry, acts.take_up),
        retried_once,
        to_its_end,
    ),
    Case("noted successes x close of a batch", filled, (acts.succeed_alone("x", "y"), close), counted, to_its_end),
]
