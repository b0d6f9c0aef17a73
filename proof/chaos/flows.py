"""Workflows of the chaos app: a chain, a diamond, a map, a wait and a saga, whose steps fail by their run's id."""

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import asyncpg
import msgspec

from mainspring import App, Context, RetryPolicy
from mainspring.clock import SystemClock
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.flow import STATE, STATES
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec, write_workflow
from mainspring.executor.handlers.registry import read_handler
from proof.lines.rows import FlowRow, StepRow
from proof.records import JobRule, Line

STEP = "flow_step"
"""The job of their steps."""
RULE = JobRule(attempts=3)
BACKOFF = 0.2
FAILS = 0.06
"""Of the steps: in all of their attempts."""
ITEMS = 20

FLOW_ROWS = """
SELECT f.run, f.states, j.name
FROM (SELECT run, job, states FROM mainspring.flows UNION ALL SELECT run, job, states FROM mainspring.flows_past) AS f
JOIN mainspring.jobs AS j ON j.id = f.job
"""
STEP_ROWS = """
SELECT s.workflow, s.step, s.item, s.run, coalesce(h.state, l.state) AS state, h.result
FROM mainspring.steps AS s
LEFT JOIN mainspring.live AS l ON l.id = s.run
LEFT JOIN mainspring.history AS h ON h.id = s.run
"""

clock = SystemClock()
Recorded = Callable[[Context], AbstractContextManager[None]]


def step(*after: str, **fields: Any) -> StepSpec:
    return StepSpec(job=STEP, after=after, **fields)


def chain(length: int) -> dict[str, StepSpec]:
    return {f"s{n}": step(*([f"s{n - 1}"] if n else [])) for n in range(length)}


FLOWS = {
    "flow_chain": WorkflowSpec(steps=chain(10)),
    "flow_diamond": WorkflowSpec(
        steps={
            "a": step(),
            "left": step("a", may_fail=True),
            "right": step("a", when={"$.a.big": True}),
            "join": step("left", "right", rule="all_done"),
        },
        finally_=StepCall(job=STEP),
    ),
    "flow_map": WorkflowSpec(
        steps={
            "a": step(),
            "m": step(each="$.a.list", item="item", at_once=5, failures_max=0.5),
            "z": step("m"),
        }
    ),
    "flow_wait": WorkflowSpec(steps={"a": step(), "w": StepSpec(sleep="2s", after=("a",)), "b": step("w")}),
    "flow_saga": WorkflowSpec(
        steps={
            "a": step(undo=StepCall(job=STEP)),
            "b": step("a", undo=StepCall(job=STEP)),
            "c": step("b"),
            "d": step("c", when={"$.c.big": True}),
            "e": step("c"),
        },
        on_failure=StepCall(job=STEP),
    ),
}


def add_flows(app: App, recorded: Recorded) -> None:
    app.job(name=STEP, retry=RetryPolicy(attempts=RULE.attempts, backoff=BACKOFF))(step_of(recorded))
    for name, spec in FLOWS.items():
        handler = read_handler(asked_with, {"name": name})
        app.handlers.add_workflow(msgspec.structs.replace(handler, workflow=write_workflow(spec), has_code=False))


def asked_with(payload: str) -> None:
    """The arguments of a workflow are those of all jobs here."""


def step_of(recorded: Recorded) -> Callable[..., Any]:
    async def flow_step(ctx: Context, value: Any = None, item: Any = None) -> dict[str, Any]:  # noqa: ARG001 workflows fill them
        with recorded(ctx):
            lot = hashlib.sha256(ctx.run.encode()).digest()
            await clock.sleep(lot[1] / 512)
            if lot[0] < 256 * FAILS:
                raise LookupError(ctx.run)
            return {"list": list(range(ITEMS)), "big": bool(lot[2] & 1)}

    return flow_step


async def flow_lines(connection: "asyncpg.Connection[Any]", at: float) -> list[Line]:
    """Channel D of workflow runs: how far each has come, and the runs of its steps."""
    names = {job: [one.name for one in graph_of(write_workflow(spec)).steps] for job, spec in FLOWS.items()}
    flows = [
        FlowRow(
            at=at,
            run=str(row["run"]),
            job=row["name"],
            spec=write_workflow(FLOWS[row["name"]]).decode(),
            states={name: STATES[byte & STATE] for name, byte in zip(names[row["name"]], row["states"], strict=True)},
        )
        for row in await connection.fetch(FLOW_ROWS)
    ]
    jobs = {flow.run: flow.job for flow in flows}
    return [
        *flows,
        *(
            StepRow(
                at=at,
                workflow=workflow,
                step=names[jobs[workflow]][row["step"]],
                item=None if row["item"] < 0 else row["item"],
                run=str(row["run"]),
                state="" if row["state"] is None else RunState(row["state"]).label,
                result="" if row["result"] is None else bytes(row["result"]).decode(),
            )
            for row in await connection.fetch(STEP_ROWS)
            if (workflow := str(row["workflow"])) in jobs
        ),
    ]
