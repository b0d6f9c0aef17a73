"""A workflow run in the middle of its life."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from mainspring.clock import SystemClock
from mainspring.domain.ids import RunId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.runs.attempt import Successes
from mainspring.domain.runs.run import NewRun
from mainspring.domain.workflows.changes.versions import TargetVersion
from mainspring.domain.workflows.graph import Graph, graph_of
from mainspring.domain.workflows.move import Move
from mainspring.domain.workflows.spec import HANDLER, StepSpec, WorkflowSpec, write_workflow
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.facts import Facts as ServerFacts
from mainspring.scheduler.workflows.flow_memory import FlowMemory
from mainspring.scheduler.workflows.mover import Mover
from mainspring.store.interface import Store
from mainspring.testing.clock import START
from proof.interleavings.stage import LATER, NAMESPACE, Facts, Prepare, ids

JOB = "step-of-this-play"
"""Stands for the job of a play's steps in its definition."""
INNER = "inner-of-this-play"
"""Stands for a workflow that a step of it runs."""
RESULT = b'{"list":[1,2]}'


class Scene(msgspec.Struct):
    """A workflow run, and the knowledge of a server about it."""

    catalog: Catalog
    graph: Graph
    run: RunId
    own_line: int
    line: int
    """That of its steps."""
    moves: list[Move] = []
    """As it was last written: this is remembered."""
    pairs: dict[str, tuple[RunId, Token]] = {}
    """The attempts of steps that are under way."""
    fork: RunId | None = None
    """Another one that begins where this one failed."""
    target: TargetVersion | None = None
    """Another version of the workflow."""
    definition: bytes = b""
    """The waits of a handler."""

    def mover(self, owner: SessionId | None = None) -> Mover:
        return Placing(self.catalog, owner)

    def memory(self) -> FlowMemory:
        found = FlowMemory()
        found.remember(self.moves)
        return found

    def successes(self, names: Sequence[str], result: bytes = RESULT) -> Successes:
        size = len(names)
        runs, tokens = zip(*(self.pairs[name] for name in names), strict=True)
        return Successes(list(runs), list(tokens), [result] * size, [0] * size, [1] * size)

    def places(self, names: Sequence[str]) -> list[tuple[RunId, str]]:
        return [(self.run, name) for name in names]


class Placing(Mover):
    """The server's own rule; the runs that begin are born claimed for one session, if it is named."""

    def __init__(self, catalog: Catalog, owner: SessionId | None) -> None:
        super().__init__(catalog, ids, cast("DispatchRuns", None), LATER, direct=False)
        self._owner = owner

    def place(self, runs: Sequence[NewRun]) -> None:
        for run in runs if self._owner is not None else ():
            run.token, run.session = ids.token(), self._owner


def job(**fields: Any) -> StepSpec:
    return StepSpec(job=JOB, **fields)


def queued(steps: dict[str, StepSpec], *, inner: dict[str, StepSpec] | None = None, **endings: Any) -> Prepare:
    """A workflow run that is due."""

    async def prepare(store: Store, facts: Facts) -> None:
        name, step, nested = f"{facts.name}-flow", f"{facts.name}-step", f"{facts.name}-inner"

        def written(spec: WorkflowSpec) -> bytes:
            return write_workflow(spec).replace(JOB.encode(), step.encode()).replace(INNER.encode(), nested.encode())

        workflow = written(WorkflowSpec(steps=steps, **endings))
        specs = [JobSpec(name=name, handler=HANDLER, workflow=workflow, queue=name)]
        specs.append(JobSpec(name=step, handler="work", queue=name))
        if inner is not None:
            within = written(WorkflowSpec(steps=inner))
            specs.append(JobSpec(name=nested, handler=HANDLER, workflow=within, queue=name))
        made = {one.name: one for one in await store.jobs.register(NAMESPACE, specs, now=START)}
        lines = [Line(NAMESPACE, name, HANDLER), Line(NAMESPACE, name, "work")]
        [own, line] = await store.jobs.lines(lines)
        catalog = Catalog(store, SystemClock(), ServerFacts(), period=1.0)
        await catalog.tick()
        run = facts.new_run()
        run.job, run.line = made[name].id, own
        await store.runs.create(NAMESPACE, [run], now=START)
        facts.scene = Scene(catalog, graph_of(workflow), run.id, own, line)

    return prepare


def under_way(steps: dict[str, StepSpec], *first: str, bundled: bool = False, **endings: Any) -> Prepare:
    """A workflow run that has begun; these of its steps are under way for the first session, perhaps in a bundle."""

    async def prepare(store: Store, facts: Facts) -> None:
        await queued(steps, **endings)(store, facts)
        scene = facts.scene
        scene.moves = (await store.workflows.begin([scene.own_line], scene.mover(), now=START, limit=10)).moves
        token = ids.token()
        slots = [facts.sessions[0]] * len(first)
        claims = await store.runs.claim([scene.line], slots, token=token, now=START, bundled=bundled) if slots else []
        for one in claims:
            for run in one.runs:
                place = await store.workflows.place_of(run)
                assert place is not None
                scene.pairs[scene.graph.steps[place[1]].name] = (run, token)
        assert scene.pairs.keys() == set(first), f"under way: {scene.pairs.keys()}"

    return prepare
