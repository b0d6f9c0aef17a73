"""Why a workflow run, or a run whose handler waits, has not ended: down to the run that everything waits for."""

from collections.abc import Awaitable, Callable

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.obstacles import Obstacle
from mainspring.domain.routing.spread import graph_of_job
from mainspring.domain.runs.explain import standing_of
from mainspring.domain.runs.run import Run
from mainspring.domain.waits.explain import UnderWay, begun_steps, flow_obstacles
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.graph import Graph
from mainspring.scheduler.catalog import Catalog
from mainspring.store.interface import FlowView, Store

# The others wait alike.
LIVE_MAX = 3
"""Runs of steps that are explained at each level."""
DEPTH_MAX = 10

Explain = Callable[[str, RunId, int], Awaitable[tuple[Run, list[Obstacle]]]]
"""Why a run is not running, so many levels below the one that was asked for."""


class WhyFlow:
    """Reads only."""

    def __init__(self, store: Store, catalog: Catalog, explain: Explain) -> None:
        self._store = store
        self._catalog = catalog
        self._explain = explain

    async def run(self, run: Run, depth: int) -> list[Obstacle]:
        """Empty if it has just ended, or goes on."""
        view = await self._store.workflows.get(run.namespace, run.id)
        if view is None or view.finished_at is not None:
            return []
        graph = await self._graph(view)
        begun = begun_steps(view.flow) if depth < DEPTH_MAX else []
        found = await self._store.workflows.live_steps(run.id, begun, limit=LIVE_MAX) if begun else []
        names = [(graph.steps[one.step].name, one.run) for one in found]
        live = [await self._under_way(run.namespace, name, step, depth) for name, step in names]
        return flow_obstacles(run.id, graph, view.flow, live)

    async def _under_way(self, namespace: str, step: str, identifier: RunId, depth: int) -> UnderWay:
        run, found = await self._explain(namespace, identifier, depth + 1)
        standing = standing_of(run)
        text = found[0].text if found else (standing.why if standing is not None else "it has ended")
        chain = found[0].facts.get("chain", []) if found else []
        return UnderWay(
            step=step, run=identifier, state=run.state.label, text=text, chain=[id_text(identifier), *chain]
        )

    async def _graph(self, view: FlowView) -> Graph:
        if view.definition is not None:
            return own_graph(view.definition)
        job = self._catalog.jobs_by_id.get(view.job)
        if job is not None and job.version == view.version:
            return graph_of_job(job.spec)
        version = await self._store.jobs.version(view.job, view.version)
        return Graph(()) if version is None else graph_of_job(version.spec)
