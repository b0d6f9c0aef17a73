"""Waits inside of a handler: for runs of other jobs, events, approvals and times, each under a name.

The attempt ends and its slot is free. What is waited for becomes a flow of steps without edges, so it is begun, cancelled,
swept and explained as the steps of a workflow are. Once all steps are over, the run remembers how each ended and goes on.
"""

from typing import Any

import msgspec

from mainspring.domain.names import check_text
from mainspring.domain.runs.checkpoints import NAME_MAX
from mainspring.domain.runs.run import INPUT_MAX
from mainspring.domain.waits.wait import check_wait, is_wait
from mainspring.domain.workflows.compile import compile_graph
from mainspring.domain.workflows.graph import Graph
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec
from mainspring.errors import InvalidInputError, TooLargeError

WAITS_MAX = 1_000
"""At once."""
DEFINITION_MAX = 4 * 1024 * 1024
MARK = b'{"waits":'
"""How a stored definition of a handler's waits begins."""


class HandlerWaits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a handler waits for, by name."""

    waits: dict[str, StepSpec]


_waits = msgspec.json.Decoder(HandlerWaits).decode


def write_waits(waits: dict[str, StepSpec]) -> bytes:
    """Raises InvalidInputError."""
    return check_waits(msgspec.json.encode(HandlerWaits(waits)))


def check_waits(raw: bytes) -> bytes:
    """The definition itself; raises InvalidInputError unless a flow can be made of it."""
    if len(raw) > DEFINITION_MAX:
        raise TooLargeError("waits", f"{len(raw)} bytes are over the limit of {DEFINITION_MAX}", code="bad_wait")
    try:
        waits = _waits(raw).waits
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidInputError("waits", str(error), code="bad_wait") from None
    if not raw.startswith(MARK) or not 0 < len(waits) <= WAITS_MAX:
        raise InvalidInputError("waits", f"{len(waits)} are not 1 to {WAITS_MAX}", code="bad_wait")
    for name, step in waits.items():
        check_text(name, "wait", most=NAME_MAX, code="bad_wait")
        check_step(name, step)
    graph_of_waits(raw)
    return raw


def check_step(name: str, step: StepSpec) -> None:
    """A job or a wait, and nothing that belongs to a graph."""
    check_wait(name, step)
    if bool(step.job) == is_wait(step):
        raise InvalidInputError(f"waits.{name}", "is neither a job nor a wait", code="bad_wait")
    plain = (step.mapping, step.after, step.when, step.each, step.either, step.undo, step.at_once)
    if any(plain) or step.rule != "all_succeeded" or any(is_place(value) for value in step.match.values()):
        raise InvalidInputError(f"waits.{name}", "names other steps, of which a handler has none", code="bad_wait")
    if len(msgspec.json.encode(step.input)) > INPUT_MAX:
        raise TooLargeError(f"waits.{name}", f"its input is over the limit of {INPUT_MAX}", code="input_too_large")


def is_place(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("$.")


def graph_of_waits(raw: bytes) -> Graph:
    """Steps without edges, none of which fails the run: its handler is told how each ended."""
    waits = _waits(raw).waits
    steps = {name: msgspec.structs.replace(step, may_fail=True) for name, step in waits.items()}
    return msgspec.structs.replace(compile_graph(WorkflowSpec(steps=steps)), of_handler=True)
