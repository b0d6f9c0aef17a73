"""Decides how workflow runs move, and builds the runs that their steps begin with."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.batches.batch import end_of
from mainspring.domain.ids import Ids, id_text
from mainspring.domain.jobs.input import INPUT_NONE, with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import RunMetadata, encode_metadata
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.runs.birth import child_line, step_line
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.wait import About
from mainspring.domain.workflows.advance import Begin, End, Moved, Refusal, advance
from mainspring.domain.workflows.flow import BEGUN, CANCELLED, FAILED, STATES, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import MAIN, Graph
from mainspring.domain.workflows.move import ITEM_NONE, Begun, LiveFlow, Move, RefusedStep, UnreadError, WaitBegin
from mainspring.domain.workflows.stages import main_outcome
from mainspring.domain.workflows.values import EXECUTORS_STEP, INPUT_STEP, SELF_STEP, Children, Read, UnusableError
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.start_runs import DirectStart

log = logging.getLogger("mainspring.workflows")

BAD = (FAILED, CANCELLED)


class MissingLinesError(Exception):
    """Steps begin in lines that do not exist yet."""

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__(f"{len(lines)} lines")
        self.lines = lines


class Mover:
    """For one transaction; see `MoveFlow` and `Place` in the store's acts."""

    def __init__(self, catalog: Catalog, ids: Ids, dispatch: DispatchRuns, now: datetime, *, direct: bool) -> None:
        self._catalog = catalog
        self._ids = ids
        self._dispatch = dispatch
        self._now = now
        self._wants_direct = direct
        self._direct = DirectStart(ids, catalog, now)

    def __call__(self, live: LiveFlow, ends: Sequence[End], read: Read, look: bool) -> Move:  # noqa: FBT001 as the store calls it
        try:
            return self._move(live, ends, read, look=look)
        except (UnreadError, MissingLinesError):
            raise
        except Exception as error:  # the workflow runs beside it go on
            log.exception("workflow run %s cannot go on", id_text(live.run))
            flow = live.flow.copy()
            begun = [step for step in range(len(live.graph.steps)) if flow.state(step) == BEGUN]
            return Move(live, flow, cancels=begun, end=FAILED, code="workflow_error", message=str(error)[:500])

    def place(self, runs: Sequence[NewRun]) -> None:
        """Let idle executors have runs that are about to be created; called again if the transaction is."""
        self._direct.abandon()
        self._direct = DirectStart(self._ids, self._catalog, self._now)
        for run in runs if self._wants_direct else ():
            if (credit := self._dispatch.idle_credit(run.line)) is not None:
                self._direct.reserve(credit, run)

    def start(self) -> None:
        """What was placed is committed."""
        self._direct.start(())

    def abandon(self) -> None:
        self._direct.abandon()

    def _move(self, live: LiveFlow, ends: Sequence[End], raw: Read, *, look: bool) -> Move:
        graph, flow = live.graph, live.flow.copy()
        if not graph.steps:
            return Move(live, flow, end=FAILED, code="no_steps", message="its job is no workflow any more")

        def read(step: int) -> bytes | None:
            if step == SELF_STEP:
                return about(live, flow)
            if step == EXECUTORS_STEP:
                return self._executors(live)
            return raw(step) if step == INPUT_STEP or flow.state(step) == SUCCEEDED else None

        moved = advance(graph, flow, ends, read, look=look)
        self._refuse_unknown_jobs(live, flow, moved, read)
        self._check_lines(live, flow, moved)
        move = Move(
            live,
            flow,
            begun=self._begun(live, flow, [begin for begin in moved.begins if not begin.again]),
            again=[(begin.step, begin.input) for begin in moved.begins if begin.again],
            refused=self._refused(live, moved.refusals),
            cancels=moved.cancels,
            waits=self._waits(live, moved.begins),
            end=moved.end,
            more=moved.more,
        )
        if moved.end is not None and graph.of_handler and not flow.stopped:
            move.end, move.goes_on = None, True
        elif moved.end is not None:
            finish(move, read)
        return move

    def _refuse_unknown_jobs(self, live: LiveFlow, flow: Flow, moved: Moved, read: Read) -> None:
        """A step whose job is deleted fails; what follows from that is decided in the same go."""
        while gone := [begin for begin in moved.begins if self._job(live, begin.step) is None]:
            names = {begin.step: live.graph.steps[begin.step].job for begin in gone}
            moved.begins = [begin for begin in moved.begins if begin.step not in names]
            for step, job in names.items():
                moved.refusals.append(Refusal(step, "unknown_job", f"there is no job {job}"))
                flow.maps.pop(step, None)
            more = advance(live.graph, flow, [End(step, FAILED) for step in names], read)
            moved.begins += more.begins
            moved.refusals += more.refusals
            moved.cancels += more.cancels
            moved.end, moved.more = more.end, moved.more or more.more

    def _job(self, live: LiveFlow, step: int) -> Job | None:
        if live.graph.steps[step].wait is not None:
            # A wait runs nothing: its run stands under the workflow's own job.
            return self._catalog.jobs_by_id.get(live.job)
        return self._catalog.jobs.get((live.namespace, live.graph.steps[step].job))

    def _waits(self, live: LiveFlow, begins: Sequence[Begin]) -> dict[int, WaitBegin]:
        found: dict[int, WaitBegin] = {}
        for begin in begins:
            step = live.graph.steps[begin.step]
            if step.wait is not None:
                about = About(
                    workflow=id_text(live.run),
                    step=step.name,
                    created_by=live.created_by,
                    rule=step.wait,
                    details=msgspec.Raw(begin.input),
                )
                found[begin.step] = WaitBegin(step.wait, begin.input, msgspec.json.encode(about))
        return found

    def _executors(self, live: LiveFlow) -> bytes | None:
        """The names of those that a broadcast is for, or None if there are none at present."""
        job = self._job(live, 0)
        names = {one.executor for one in self._catalog.takers(child_line(job))} if job is not None else set()
        return msgspec.json.encode(sorted(names)) if names else None

    def _check_lines(self, live: LiveFlow, flow: Flow, moved: Moved) -> None:
        found = [(job, begin) for begin in moved.begins if (job := self._job(live, begin.step)) is not None]
        wanted = [begin_line(live.graph, flow, begin, job) for job, begin in found]
        if missing := [line for line in dict.fromkeys(wanted) if line not in self._catalog.numbers]:
            raise MissingLinesError(missing)

    def _begun(self, live: LiveFlow, flow: Flow, begins: Sequence[Begin]) -> list[Begun]:
        if not begins:
            return []
        ids = self._ids.runs(len(begins), self._now)
        workflow = id_text(live.run)
        begun: list[Begun] = []
        for identifier, begin in zip(ids, begins, strict=True):
            job = self._job(live, begin.step)
            assert job is not None
            spread = isinstance(live.graph.steps[begin.step].each, Children)
            extra = RunMetadata(
                workflow=workflow,
                step=live.graph.steps[begin.step].name,
                item=begin.item,
                items=flow.maps[begin.step].size if spread else 0,
                parent=workflow if live.graph.of_handler else "",
            )
            run = self._run(live, job, begin_line(live.graph, flow, begin, job), begin.input, extra)
            run.id = identifier
            if live.graph.steps[begin.step].wait is not None:
                run.deadline_at = None
            begun.append(Begun(begin.step, ITEM_NONE if begin.item is None else begin.item, run))
        return begun

    def _run(self, live: LiveFlow, job: Job, line: Line, arguments: bytes, extra: RunMetadata) -> NewRun:
        spec = job.spec
        given = arguments if spec.input == INPUT_NONE or spec.workflow else with_defaults(spec.input, arguments)
        return NewRun(
            id=live.run,
            job=job.id,
            line=self._catalog.numbers[line],
            priority=live.priority,
            due_at=live.due_at,
            input=given,
            deadline_at=None if spec.deadline is None else self._now + timedelta(seconds=spec.deadline),
            extra=encode_metadata(extra),
        )

    def _refused(self, live: LiveFlow, refusals: Sequence[Refusal]) -> list[RefusedStep]:
        """Runs in history that say why their step failed; of a step whose job is gone, the workflow's own job stands in."""
        return [RefusedStep(one.step, self.stand_in(live, one.step), one.code, one.message) for one in refusals]

    def stand_in(self, live: LiveFlow, step: int) -> NewRun:
        """A run for history, of a step that ends without one."""
        name = live.graph.steps[step].name
        job = self._catalog.jobs.get((live.namespace, live.graph.steps[step].job)) or self._catalog.jobs_by_id[live.job]
        line = step_line(job)
        if line not in self._catalog.numbers:
            raise MissingLinesError([line])
        run = self._run(live, job, line, b"{}", RunMetadata(workflow=id_text(live.run), step=name))
        [run.id] = self._ids.runs(1, self._now)
        return run


def begin_line(graph: Graph, flow: Flow, begin: Begin, job: Job) -> Line:
    """The line of a run that begins; the child of a broadcast is for one executor."""
    if not isinstance(graph.steps[begin.step].each, Children):
        return step_line(job)
    members = flow.maps[begin.step].members
    return child_line(job, members[begin.item] if members and begin.item is not None else ADDRESS_ANY)


def finish(move: Move, read: Read) -> None:
    """The result of a workflow run that succeeded, or why it failed."""
    graph, flow = move.live.graph, move.flow
    if move.end == SUCCEEDED:
        try:
            move.result = b"null" if graph.result is None else graph.result.value(read) or b"null"
        except UnusableError as error:
            move.end, move.code, move.message = FAILED, error.code, str(error)
    elif move.end == FAILED:
        failed = failed_steps(graph, flow)
        move.code = "step_failed" if failed else "deadline"
        move.message = ", ".join(failed[:20]) + " failed" if failed else "its deadline came"
        if failed and isinstance(graph.steps[0].each, Children) and 0 in flow.maps:
            counts = flow.maps[0]
            move.message = f"{counts.failed} of {counts.size} {failed[0]} failed"


def failed_steps(graph: Graph, flow: Flow) -> list[str]:
    """The steps whose failure fails the workflow run."""
    return [step.name for n, step in enumerate(graph.steps) if flow.state(n) in BAD and not step.may_fail]


def about(live: LiveFlow, flow: Flow) -> bytes:
    """The workflow run as its endings see it."""
    state = STATES[main_outcome(live.graph, flow)]
    if live.graph.batch:
        return msgspec.json.encode(end_of(live.graph, flow, id_text(live.run), state))
    main = [name for name in failed_steps(live.graph, flow) if live.graph.steps[live.graph.numbers[name]].stage == MAIN]
    return msgspec.json.encode({"run": id_text(live.run), "state": state, "failed": main})
