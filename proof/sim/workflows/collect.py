"""Workflow runs and the runs of their steps as the tables have them in the end."""

from collections.abc import Callable
from typing import Any

from mainspring.domain.ids import id_text
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.flow import STATES
from mainspring.domain.workflows.graph import graph_of
from proof.lines.rows import FlowRow, StepRow
from proof.sim.workflows.draw import FLOW

Rows = Callable[..., Any]


def flow_rows(flows: tuple[str, ...], rows: Rows, at: float) -> list[FlowRow]:
    """None of them is edited, so each has the one version of its definition."""
    found: list[FlowRow] = []
    for table in ("flows", "flows_past"):
        for row in rows(f"SELECT f.run, f.states, j.name FROM {table} AS f JOIN jobs AS j ON j.id = f.job"):  # noqa: S608
            spec = flows[int(row["name"].removeprefix(FLOW))]
            names = [step.name for step in graph_of(spec.encode()).steps]
            states = {name: STATES[byte & 7] for name, byte in zip(names, row["states"], strict=True)}
            found.append(FlowRow(at=at, run=id_text(row["run"]), job=row["name"], spec=spec, states=states))
    return found


def step_rows(flows: list[FlowRow], rows: Rows, days: list[str], at: float) -> list[StepRow]:
    past: dict[bytes, Any] = {}
    for table in days:
        past |= {row["id"]: row for row in rows(f"SELECT id, state, result FROM {table}")}  # noqa: S608
    live = {row["id"]: row for row in rows("SELECT id, state, NULL AS result FROM runs")}
    names = {flow.run: [step.name for step in graph_of(flow.spec.encode()).steps] for flow in flows}
    found: list[StepRow] = []
    for row in rows("SELECT workflow, step, item, run FROM steps"):
        workflow = id_text(row["workflow"])
        if workflow not in names:
            continue
        one = past.get(row["run"]) or live.get(row["run"])
        found.append(
            StepRow(
                at=at,
                workflow=workflow,
                step=names[workflow][row["step"]],
                item=None if row["item"] < 0 else row["item"],
                run=id_text(row["run"]),
                state="" if one is None else RunState(one["state"]).label,
                result="" if one is None or one["result"] is None else bytes(one["result"]).decode(),
            )
        )
    return found
