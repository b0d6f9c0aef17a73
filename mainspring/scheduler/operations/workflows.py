"""Workflow runs: how far they have come, and what operators make of them."""

from collections.abc import Callable, Sequence
from datetime import datetime

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor
from mainspring.domain.bulk.operation import SweepStep
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.jobs.job import Job
from mainspring.domain.routing.spread import graph_of_job
from mainspring.domain.runs.cancel import Operator, check_reason
from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows import again
from mainspring.domain.workflows.again import Again
from mainspring.domain.workflows.changes.versions import TargetVersion, moved_to
from mainspring.domain.workflows.flow import Flow, FlowRequest
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.move import UNPAUSE, Advanced
from mainspring.errors import ConflictError, NotFoundError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.facts import Facts, RunsChanged
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.mover import Mover
from mainspring.store.interface import FlowView, StepRun, Store

Change = Callable[[Graph, Flow], Again]


class WorkflowOperations:
    """Requests are notes, which the duty takes up; changes are made at once, under the workflow run's lock."""

    def __init__(self, store: Store, clock: Clock, catalog: Catalog, running: Advancing, facts: Facts) -> None:
        self._store = store
        self._clock = clock
        self._catalog = catalog
        self._running = running
        self._facts = facts

    async def get(self, namespace: str, run: RunId) -> tuple[FlowView, Job, Graph]:
        """Raises NotFoundError if it is no workflow run, or has not begun."""
        view = await self._store.workflows.get(namespace, run)
        job = None if view is None else self._catalog.jobs_by_id.get(view.job)
        if view is None or job is None:
            raise NotFoundError("workflow_run", id_text(run), await self._hint(namespace, run))
        return view, job, await self.graph(view, job)

    async def some(self, job: Job, runs: Sequence[RunId]) -> dict[RunId, tuple[FlowView, Graph]]:
        """How far those of these runs of a workflow have come that have begun."""
        views = await self._store.workflows.views(runs)
        versions = sorted({view.version for view in views if view.definition is None})
        graphs = {number: await self.graph_of_version(job, number) or Graph(()) for number in versions}
        return {
            view.run: (view, graphs[view.version] if view.definition is None else own_graph(view.definition))
            for view in views
        }

    async def _hint(self, namespace: str, run: RunId) -> str:
        """Which workflow run a caller may mean who names the run of one of its steps."""
        place = await self._store.workflows.place_of(run)
        if place is None or await self._store.workflows.get(namespace, place[0]) is None:
            return ""
        return f"it is the run of a step of {id_text(place[0])}"

    async def graph(self, view: FlowView, job: Job) -> Graph:
        """Its own, or that of its job's version."""
        if view.definition is not None:
            return own_graph(view.definition)
        return await self.graph_of_version(job, view.version) or Graph(())

    async def graph_of_version(self, job: Job, number: int) -> Graph | None:
        if job.version == number:
            return graph_of_job(job.spec)
        version = await self._store.jobs.version(job.id, number)
        return None if version is None else graph_of_job(version.spec)

    async def steps(self, run: RunId, *, after: tuple[int, int] | None, limit: int) -> list[StepRun]:
        return await self._store.workflows.steps(run, after=after, limit=limit)

    async def pause(self, namespace: str, run: RunId, *, actor: Actor, reason: str = "") -> None:
        """Begin nothing more of it; what runs goes on. Raises ConflictError if it is over."""
        await self._request(namespace, run, FlowRequest.PAUSE, "pause", actor, reason)

    async def unpause(self, namespace: str, run: RunId, *, actor: Actor, reason: str = "") -> None:
        await self._request(namespace, run, UNPAUSE, "unpause", actor, reason)

    async def stop(self, namespace: str, run: RunId, *, actor: Actor, reason: str = "") -> None:
        """Stop its steps, and run neither undos nor endings."""
        await self._request(namespace, run, FlowRequest.CANCEL | FlowRequest.NOW, "stop", actor, reason)

    async def _request(self, namespace: str, run: RunId, request: int, act: str, actor: Actor, reason: str) -> None:
        await self.get(namespace, run)
        by = Operator(namespace=namespace, actor=actor, reason=check_reason(reason), now=self._clock.now())
        if not await self._store.workflows.request(run, int(request), by, act=f"workflow.{act}"):
            raise ConflictError("workflow_run", id_text(run), "is over")
        self._facts.publish(RunsChanged([run]))

    async def resume(
        self,
        namespace: str,
        run: RunId,
        *,
        actor: Actor,
        reason: str = "",
        redo: bool = False,
        dry_run: bool = False,
        target: TargetVersion | None = None,
    ) -> Again:
        """Failed and cancelled steps run again, of maps only failed items. Raises ConflictError."""
        name = id_text(run)
        return await self.change(
            namespace,
            run,
            lambda graph, flow: again.resume(graph, flow, name, redo=redo),
            "resume",
            actor,
            reason,
            dry_run,
            target,
        )

    async def retry_from(
        self, namespace: str, run: RunId, step: str, *, actor: Actor, reason: str = "", dry_run: bool = False
    ) -> Again:
        """A step and all after it run again."""
        name = id_text(run)
        return await self.change(
            namespace,
            run,
            lambda graph, flow: again.retry_from(graph, flow, name, step),
            "retry",
            actor,
            reason,
            dry_run,
        )

    async def retry_run(
        self, namespace: str, run: RunId, *, actor: Actor, reason: str = "", edited: bool = False
    ) -> bool:
        """Have the run of a step run again by its workflow run, which goes on from there; False if it is no step's, or is live.

        Raises ConflictError if its input was to be another: that comes from its parents.
        """
        place = await self._store.workflows.place_of(run)
        if place is None:
            return False
        workflow, step = place
        if edited:
            raise ConflictError(
                "run", id_text(run), "it is a step of a workflow run, whose input comes from its parents"
            )
        # One that is live after a loss is taken up as any run is: its workflow run waits for it still.
        if not all(state.final for state in (await self._store.runs.states([run])).values()):
            return False
        await self.change(
            namespace,
            workflow,
            lambda graph, flow: again.retry_step(graph, flow, id_text(workflow), step),
            "retry",
            actor,
            reason,
            dry_run=False,
        )
        return True

    async def skip(
        self, namespace: str, run: RunId, step: str, *, actor: Actor, reason: str = "", dry_run: bool = False
    ) -> Again:
        """A step that is not under way counts as skipped."""
        name = id_text(run)
        return await self.change(
            namespace, run, lambda graph, flow: again.skip(graph, flow, name, step), "skip", actor, reason, dry_run
        )

    async def change(
        self,
        namespace: str,
        run: RunId,
        change: Change,
        act: str,
        actor: Actor,
        reason: str,
        dry_run: bool,  # noqa: FBT001
        target: TargetVersion | None = None,
        beside: SweepStep | None = None,
    ) -> Again:
        """Apply a change, or only say what would run again; by another version if there is a target. Raises ConflictError.

        With `beside`, the sweep moves in the same transaction; ConflictError also if another server has moved it.
        """
        check_reason(reason)
        view, _, graph = await self.get(namespace, run)
        flow = view.flow.copy()
        if target is not None:
            flow, _ = moved_to(graph, flow, target.graph, id_text(run))
            graph = target.graph
        preview = change(graph, flow)
        if dry_run:
            return preview

        async def write(mover: Mover, now: datetime) -> Advanced:
            by = Operator(namespace=namespace, actor=actor, reason=reason, now=now)
            done = await self._store.workflows.change(
                run, change, mover, by, act=f"workflow.{act}", now=now, target=target, beside=beside
            )
            if done is None:
                raise NotFoundError("workflow_run", id_text(run))
            return done

        await self._running.run(write)
        self._facts.publish(RunsChanged([run]))
        return preview
