"""Workflow runs on a real store, with an executor that answers as a test says."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mainspring.domain.ids import RunId
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.metadata import read_metadata
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, Run, RunState
from mainspring.domain.workflows.flow import STATES
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import HANDLER, StepSpec, WorkflowSpec, write_workflow
from mainspring.store.interface import FlowView
from mainspring.wire.messages import Settled, Start
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor, until_idle

Answer = Callable[[str, Any], Any]
"""From a step's name and its arguments to its result; an exception is a failure."""


class WorkflowScene:
    """One server with one executor that has the handlers of all steps."""

    def __init__(self, scene: Scene, executor: ScriptedExecutor) -> None:
        self.scene = scene
        self.executor = executor
        self.started: list[tuple[str, Any]] = []
        """Steps in the order in which they were started, with their arguments."""

    @classmethod
    async def make(cls, scene: Scene, jobs: Mapping[str, WorkflowSpec], *, room: int = 100) -> "WorkflowScene":
        handlers = sorted(
            {step.job for spec in jobs.values() for step in spec.steps.values() if step.job} - jobs.keys()
        )
        handlers += sorted({call.job for spec in jobs.values() for call in endings(spec)} - set(handlers))
        executor = scene.executor(room=room, handlers=handlers)
        executor.jobs = [JobSpec(name=name, handler=name) for name in handlers]
        executor.jobs += [
            JobSpec(name=name, handler=HANDLER, workflow=write_workflow(spec)) for name, spec in jobs.items()
        ]
        await executor.connect()
        return cls(scene, executor)

    async def enqueue(self, job: str = "flow", **arguments: Any) -> RunId:
        [accepted] = await self.scene.accept(RunRequest(job=job, input=msgspec.json.encode(arguments)))
        return accepted.id

    async def tick(self) -> None:
        """Let workflow runs begin and move, and what is due be claimed."""
        workflows = self.scene.scheduler.workflows
        for _ in range(20):
            while await workflows.beginning.tick() or await workflows.advancing.tick():
                pass
            await self.scene.dispatch()
            if not await workflows.advancing.tick():
                break

    async def play(self, answer: Answer, *, rounds: int = 100) -> None:
        """Have the executor answer all that it is given until nothing comes any more."""
        for _ in range(rounds):
            await self.tick()
            starts = self.taken()
            if not starts:
                return
            for start in starts:
                await self.answer(start, answer)

    def taken(self) -> list[Start]:
        starts = [message for message in self.executor.link.heard if isinstance(message, Start)]
        for start in starts:
            self.executor.link.heard.remove(start)
        return starts

    async def answer(self, start: Start, answer: Answer) -> None:
        runs: list[RunId] = []
        results: list[bytes] = []
        ended: list[Ended] = []
        extras = start.extras or [None] * len(start.runs)
        for run, arguments, extra in zip(start.runs, start.inputs, extras, strict=True):
            name = read_metadata(extra).step
            given = msgspec.json.decode(arguments)
            self.started.append((name, given))
            try:
                result = answer(name, given)
            except ValueError as error:
                failure = Failure(error="ValueError", message=str(error))
                ended.append(Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure))
            else:
                runs.append(run)
                results.append(msgspec.json.encode(result))
        self.executor.say_outcomes(runs, [start.token] * len(runs), results, ended)
        await self.settle()

    async def settle(self) -> None:
        await until_idle()
        settling = self.scene.scheduler.settling
        while await settling.tick():
            pass
        assert self.executor.link.count(Settled)

    async def run(self, run: RunId) -> Run:
        return await self.scene.run(run)

    async def state(self, run: RunId) -> RunState:
        return (await self.run(run)).state

    async def flow(self, run: RunId) -> FlowView:
        found = await self.scene.store.workflows.get(NAMESPACE, run)
        assert found is not None
        return found

    async def states(self, run: RunId) -> dict[str, str]:
        """States of steps by their names."""
        view = await self.flow(run)
        job = self.scene.scheduler.catalog.jobs_by_id[view.job]
        steps = graph_of(job.spec.workflow).steps
        return {step.name: STATES[view.flow.state(number)] for number, step in enumerate(steps)}

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.started]


def endings(spec: WorkflowSpec) -> list[Any]:
    calls = [spec.on_success, spec.on_failure, spec.finally_, *(step.undo for step in spec.steps.values())]
    return [call for call in calls if call is not None]


def workflow(result: str = "", **steps: StepSpec) -> WorkflowSpec:
    return WorkflowSpec(steps=steps, result=result)


def echo(name: str, arguments: Any) -> Any:
    return {"step": name, **arguments}
