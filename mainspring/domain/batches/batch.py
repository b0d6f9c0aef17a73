"""Batches: named sets of plain runs, counted as they end, with callbacks once all are over.

A batch is a workflow run with a definition of its own: one step, a map whose items callers add until the batch is closed, and
endings. So its runs are counted, cancelled, run again and swept as the items of any map are.
"""

from typing import Any

import msgspec

from mainspring.domain.names import check_text
from mainspring.domain.workflows.again import BAD, Again, reconsider, reopen
from mainspring.domain.workflows.compile import compile_graph
from mainspring.domain.workflows.flow import BEGUN, HAS_RUN, Flow, Map
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.maps import ITEMS_MAX
from mainspring.domain.workflows.spec import SELF, StepCall, StepSpec, WorkflowSpec
from mainspring.domain.workflows.values import Children
from mainspring.errors import ConflictError, InvalidInputError

JOB = "mainspring.batch"
"""The job that runs of batches stand under; servers register it with the first batch of a namespace."""
STEP_NAME = "runs"
STEP_NUMBER = 0
NAME_MAX = 200
MARK = b'{"batch":'
"""How a stored definition of a batch begins."""
PARAMETER = "batch"
"""The parameter of a callback that takes how the batch ended."""


class BatchSpec(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A batch as its caller asks for it."""

    name: str
    on_success: StepCall | None = None
    """Runs once all runs have succeeded,"""
    on_failure: StepCall | None = None
    """once all are over and some have not,"""
    finally_: StepCall | None = msgspec.field(default=None, name="finally")
    """and once all are over, after the other two."""


class BatchDefinition(msgspec.Struct, frozen=True):
    """The stored value."""

    batch: BatchSpec


class BatchEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a batch ended, for the parameter `batch` of its callbacks."""

    id: str
    name: str
    state: str
    size: int
    succeeded: int
    failed: int
    cancelled: int


_definition = msgspec.json.Decoder(BatchDefinition).decode


def write_batch(spec: BatchSpec) -> bytes:
    return msgspec.json.encode(BatchDefinition(spec))


def read_batch(raw: bytes) -> BatchSpec:
    return _definition(raw).batch


def workflow_of(spec: BatchSpec) -> WorkflowSpec:
    """The batch as a workflow."""
    # Its list is never read, since callers add the items.
    return WorkflowSpec(
        steps={STEP_NAME: StepSpec(job=JOB, each=f"$.input.{STEP_NAME}")},
        on_success=spec.on_success,
        on_failure=spec.on_failure,
        finally_=spec.finally_,
    )


def graph_of_batch(raw: bytes) -> Graph:
    spec = read_batch(raw)
    graph = compile_graph(workflow_of(spec))
    given = msgspec.structs.replace(graph.steps[STEP_NUMBER], each=Children(0, STEP_NAME))
    return msgspec.structs.replace(graph, steps=(given, *graph.steps[1:]), batch=spec.name)


def new_flow(graph: Graph, name: str, runs: int = 0, *, closed: bool = False) -> Flow:
    """A batch that begins with so many runs; raises InvalidInputError if these are too many."""
    flow = Flow(bytearray(len(graph.steps)), maps={STEP_NUMBER: Map(0, open=True)})
    flow.put(STEP_NUMBER, BEGUN)
    flow.states[STEP_NUMBER] |= HAS_RUN
    add(flow, runs, name)
    counts_of(flow).open = not closed
    return flow


def check_name(name: str) -> str:
    return check_text(name, "name", most=NAME_MAX, code="bad_name")


def counts_of(flow: Flow) -> Map:
    return flow.maps[STEP_NUMBER]


def add(flow: Flow, runs: int, name: str, *, at: int | None = None) -> bool:
    """Count runs that join; False if a caller that says how many there were (`at`) repeats an earlier call.

    Raises ConflictError if the batch is closed or over, or is not as large as the caller says, and InvalidInputError if it
    would grow too large.
    """
    counts = counts_of(flow)
    if at is not None and counts.size != at:
        if counts.size == at + runs:
            return False
        raise ConflictError("batch", name, f"has {counts.size} runs, not {at}", code="batch_moved")
    refuse_closed(flow, name)
    if counts.size + runs > ITEMS_MAX:
        reason = f"{counts.size} runs and {runs} more are over the limit of {ITEMS_MAX}"
        raise InvalidInputError("runs", reason, code="batch_too_large")
    counts.size += runs
    counts.begun += runs
    return True


def close(flow: Flow, name: str) -> None:
    """No more runs join; it ends once all have. Raises ConflictError if it is closed or over."""
    refuse_closed(flow, name)
    counts_of(flow).open = False


def retry(graph: Graph, flow: Flow, name: str) -> Again:
    """Runs that ended without success run again, also while others are under way; callbacks follow anew.

    Raises ConflictError if there is nothing to run again, or a callback is under way.
    """
    endings = [flow.state(number) for number in range(graph.main, len(graph.steps))]
    if BEGUN in endings:
        raise ConflictError("batch", name, "its callback is under way", code="batch_callback")
    made = Again([STEP_NAME])
    if counts_of(flow).failed > 0:
        reopen(flow, STEP_NUMBER, made)
    elif not any(state in BAD for state in endings):
        raise ConflictError("batch", name, "has no run that failed or was cancelled", code="nothing_failed")
    reconsider(graph, flow)
    return made


def refuse_closed(flow: Flow, name: str) -> None:
    if flow.stopped:
        raise ConflictError("batch", name, "is cancelled", code="batch_closed")
    if not counts_of(flow).open:
        raise ConflictError("batch", name, "is closed", code="batch_closed")


def with_end(call: StepCall | None, parameters: Any) -> StepCall | None:
    """The callback with the end of the batch as its argument `batch`, if it has such a parameter and is not given one."""
    takes = call is not None and PARAMETER in (parameters or ()) and PARAMETER not in call.input
    return msgspec.structs.replace(call, mapping={PARAMETER: f"$.{SELF}"}) if call is not None and takes else call


def end_of(graph: Graph, flow: Flow, batch: str, state: str) -> BatchEnd:
    counts = counts_of(flow)
    return BatchEnd(
        id=batch,
        name=graph.batch,
        state=state,
        size=counts.size,
        succeeded=counts.succeeded,
        failed=counts.failed - counts.cancelled,
        cancelled=counts.cancelled,
    )
