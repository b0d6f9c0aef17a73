"""Decides how workflow runs move, and builds the runs that their steps begin with."""

import logging
from collections.abc import Sequence
from datetime import datetime

import msgspec

from mainspring.domain.ids import Ids, id_text
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
from mainspring.domain.workflows.moves.finish import about, finish
from mainspring.domain.workflows.moves.moved import Begin, End, Moved, Refusal
from mainspring.domain.workflows.values import EXECUTORS_STEP, INPUT_STEP, SELF_STEP, Children, Read
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.dispatch.start_runs import DirectStart
from mainspring.scheduler.workflows.step_births import StepBirths

log = logging.getLogger("mainspring.workflows")


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
        self.births = StepBirths(catalog, ids, now)

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
        if not self._wants_direct:
            return
        # Nothing is claimed in between: the answer for a line holds for all of its runs.
        rooms = {line: self._dispatch.step_credits(line) for line in {run.line for run in runs}}
        for run in runs:
            pools, leave = rooms[run.line]
            self._direct.reserve(pools, run, leave)

    def prepare(self) -> None:
        """Encode the frames of what was placed."""
        self._direct.prepare()

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
            birth = self.births.of(live, begin.step)
            if birth is None or begin.again or begin.item is not None:
                return None
            begun.append(Begun(begin.step, ITEM_NONE, self.births.born(live, birth, begin.input)))
        return Move(live, flow, begun, more=moved.more)

    def repeat(self, live: LiveFlow, step: str, result: bytes) -> Move | None:
        """A move after one success that another run of the workflow has made before; None: it is to be worked out."""
        graph, flow = live.graph, live.flow
        number = graph.numbers.get(step, INPUT_STEP)
        if number == INPUT_STEP or flow.maps or flow.state(number) != BEGUN:
            return None
        # Not by `advance`, which is asked for every hop of every chain and would cost it twice the time.
        known = graph.learnt.get((bytes(flow.states), flow.stage, flow.requests, ((number, SUCCEEDED, 1),), False))
        if known is None or known.end is not None:
            return None

        def read(wanted: int) -> bytes | None:
            if wanted == number:
                return result
            if wanted == INPUT_STEP:
                return live.input
            raise UnreadError(wanted)

        begins = [
            (birth, n) for n, again in known.begins if not again and (birth := self.births.of(live, n)) is not None
        ]
        if len(begins) < len(known.begins):
            return None
        try:
            begun = [
                Begun(n, ITEM_NONE, self.births.born(live, birth, graph.steps[n].arguments.put_together(read)))
                for birth, n in begins
            ]
        except Exception:  # noqa: BLE001 the worked-out move reads more, or refuses it
            return None
        return Move(live, Flow(bytearray(known.states), {}, flow.requests, known.stage), begun)

    def _refuse_unknown_jobs(self, live: LiveFlow, flow: Flow, moved: Moved, read: Read) -> None:
        """A step whose job is deleted fails; what follows from that is decided in the same go."""
        while gone := [begin for begin in moved.begins if self.births.job(live, begin.step) is None]:
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
        job = self.births.job(live, 0)
        names = {one.executor for one in self._catalog.takers(child_line(job))} if job is not None else set()
        return msgspec.json.encode(sorted(names)) if names else None

    def _check_lines(self, live: LiveFlow, flow: Flow, moved: Moved) -> None:
        found = [(job, begin) for begin in moved.begins if (job := self.births.job(live, begin.step)) is not None]
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
            job = self.births.job(live, begin.step)
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
            run = self.births.run(live, job, line, begin.input, encode_metadata(extra))
            run.id = identifier
            if live.graph.steps[begin.step].wait is not None:
                run.deadline_at = None
            begun.append(Begun(begin.step, ITEM_NONE if begin.item is None else begin.item, run))
        return begun

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
        run = self.births.run(live, job, self._catalog.numbers[line], b"{}", extra)
        [run.id] = self._ids.runs(1, self._now)
        return run


def begin_line(graph: Graph, flow: Flow, begin: Begin, job: Job) -> Line:
    """The line of a run that begins; the child of a broadcast is for one executor."""
    if not isinstance(graph.steps[begin.step].each, Children):
        return step_line(job)
    members = flow.maps[begin.step].members
    return child_line(job, members[begin.item] if members and begin.item is not None else ADDRESS_ANY)
