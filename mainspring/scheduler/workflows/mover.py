"""Decides how workflow runs move, and builds the runs that their steps begin with."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from mainspring.domain.ids import Ids, RunId, id_text
from mainspring.domain.jobs.input import INPUT_NONE, with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.metadata import RunMetadata, encode_metadata
from mainspring.domain.queues.line import ADDRESS_ANY, Line
from mainspring.domain.runs.birth import child_line, step_line
from mainspring.domain.runs.run import NewRun
from mainspring.domain.waits.wait import About
from mainspring.domain.workflows.advance import advance
from mainspring.domain.workflows.flow import BEGUN, FAILED, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.move import ITEM_NONE, Begun, LiveFlow, Move, RefusedStep, UnreadError, WaitBegin
from mainspring.domain.workflows.moves.moved import Begin, End, Moved, Refusal
from mainspring.domain.workflows.values import EXECUTORS_STEP, INPUT_STEP, SELF_STEP, Children, Read
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.start_runs import DirectStart
from mainspring.scheduler.workflows.finish_flows import about, finish

log = logging.getLogger("mainspring.workflows")

NO_RUN = id_text(bytes(16))


class MissingLinesError(Exception):
    """Steps begin in lines that do not exist yet."""

    def __init__(self, lines: Sequence[Line]) -> None:
        super().__init__(f"{len(lines)} lines")
        self.lines = lines


class StepBirth(NamedTuple):
    """The parts that the runs of a step share, whatever their workflow run."""

    job: Job
    line: int
    head: bytes
    tail: bytes
    """Their metadata, before the workflow run's id and after it."""

    def metadata(self, workflow: RunId) -> bytes:
        return self.head + id_text(workflow).encode() + self.tail


class Mover:
    """For one transaction; see `MoveFlow` and `Place` in the store's acts."""

    def __init__(self, catalog: Catalog, ids: Ids, dispatch: DispatchRuns, now: datetime, *, direct: bool) -> None:
        self._catalog = catalog
        self._ids = ids
        self._dispatch = dispatch
        self._now = now
        self._wants_direct = direct
        self._direct = DirectStart(ids, catalog, now)
        self._births: dict[tuple[str, int, int], StepBirth | None] = {}
        self._spare: list[RunId] = []

    def expect(self, runs: int) -> None:
        """Make ids for about so many runs at once."""
        self._spare = self._ids.runs(runs, self._now)[::-1]

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
        if (move := self._plain_move(live, flow, moved)) is not None:
            return move
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

    def _plain_move(self, live: LiveFlow, flow: Flow, moved: Moved) -> Move | None:
        """A move that begins nothing but first runs of jobs; None: it is more than that."""
        if moved.end is not None or moved.refusals or moved.cancels:
            return None
        begun: list[Begun] = []
        for begin in moved.begins:
            birth = self._birth(live, begin.step)
            if birth is None or begin.again or begin.item is not None:
                return None
            run = self._run(live, birth.job, birth.line, begin.input, birth.metadata(live.run))
            run.id = self._spare.pop() if self._spare else self._ids.runs(1, self._now)[0]
            begun.append(Begun(begin.step, ITEM_NONE, run))
        return Move(live, flow, begun, more=moved.more)

    def _birth(self, live: LiveFlow, step: int) -> "StepBirth | None":
        """The parts that all runs of a step share; None if it is a wait or a map, or misses its job or its line."""
        # By identity: this lasts no longer than a transaction, and the graph of a thousand workflow runs is one.
        key = (live.namespace, id(live.graph), step)
        if key not in self._births:
            self._births[key] = self._new_birth(live, step)
        return self._births[key]

    def _new_birth(self, live: LiveFlow, step: int) -> "StepBirth | None":
        about = live.graph.steps[step]
        job = self._job(live, step)
        line = None if job is None else self._catalog.numbers.get(step_line(job))
        if job is None or line is None or about.wait is not None or about.each is not None or live.graph.of_handler:
            return None
        head, tail = encode_metadata(RunMetadata(workflow=NO_RUN, step=about.name)).split(NO_RUN.encode())
        return StepBirth(job, line, head, tail)

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
            line = self._catalog.numbers[begin_line(live.graph, flow, begin, job)]
            run = self._run(live, job, line, begin.input, encode_metadata(extra))
            run.id = identifier
            if live.graph.steps[begin.step].wait is not None:
                run.deadline_at = None
            begun.append(Begun(begin.step, ITEM_NONE if begin.item is None else begin.item, run))
        return begun

    def _run(self, live: LiveFlow, job: Job, line: int, arguments: bytes, extra: bytes) -> NewRun:
        spec = job.spec
        given = arguments if spec.input == INPUT_NONE or spec.workflow else with_defaults(spec.input, arguments)
        return NewRun(
            id=live.run,
            job=job.id,
            line=line,
            priority=live.priority,
            due_at=live.due_at,
            input=given,
            deadline_at=None if spec.deadline is None else self._now + timedelta(seconds=spec.deadline),
            extra=extra,
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
        extra = encode_metadata(RunMetadata(workflow=id_text(live.run), step=name))
        run = self._run(live, job, self._catalog.numbers[line], b"{}", extra)
        [run.id] = self._ids.runs(1, self._now)
        return run


def begin_line(graph: Graph, flow: Flow, begin: Begin, job: Job) -> Line:
    """The line of a run that begins; the child of a broadcast is for one executor."""
    if not isinstance(graph.steps[begin.step].each, Children):
        return step_line(job)
    members = flow.maps[begin.step].members
    return child_line(job, members[begin.item] if members and begin.item is not None else ADDRESS_ANY)
