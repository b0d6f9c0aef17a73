"""Serves the check of a workflow that is written as text."""

import asyncio
from functools import lru_cache
from typing import Any

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import read_body
from mainspring.api.input.unknown_fields import unknown_fields
from mainspring.api.input.yaml_text import PIECES, TextFaultError, WrittenText, read_text, write_text
from mainspring.api.routes.workflows.definitions import read_job, show_graph
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.workflows.definitions.faults import FAULTS_MAX
from mainspring.domain.workflows.definitions.fields import with_seconds
from mainspring.domain.workflows.spec import WorkflowSpec, read_workflow
from mainspring.errors import InvalidInputError

UNREADABLE = "bad_yaml"
LONG = 100_000
"""Characters of a text of which one fault is told at a time: each is found by reading all of it."""
UNCHANGED = ("note",)
"""Said of a change, and not part of the definition."""

router = Routes()


@router.bind(operations.CHECK_WORKFLOW_TEXT)
async def check_workflow_text(call: Call, body: workflows.WorkflowTextBody) -> workflows.WorkflowTextInfo:
    try:
        # A long text takes a while to read.
        written = await asyncio.to_thread(read_text, body.text)
    except TextFaultError as error:
        fault = workflows.TextFault(
            line=error.line, column=error.column, field="", reason=error.reason, code=UNREADABLE
        )
        return workflows.WorkflowTextInfo(faults=[fault])
    said = {name: value for name, value in written.fields.items() if name not in UNCHANGED}
    shown: dict[str, Any] = {"definition": said, "text": write_text(said)}
    faults, left = unreadable(said, most=FAULTS_MAX if len(body.text) <= LONG else 1)
    if left is None:
        return workflows.WorkflowTextInfo(faults=[fault_of(written, one) for one in faults], **shown)
    plain, spec = left
    checks = call.engine.workflows.checks
    try:
        checked = checks.check(call.namespace, spec)
    except InvalidInputError as error:
        named = {one.field for one in faults}
        later = checks.faults(call.namespace, spec) or [error]
        # A field of the whole that is not there may be missing because of what was left out above.
        told = [one for one in later if not faults or PIECES.findall(one.field)[0] in said]
        faults += [one for one in told if not is_beside(one.field, named)]
    if faults:
        return workflows.WorkflowTextInfo(faults=[fault_of(written, one) for one in faults], **shown)
    shown["definition"] = plain
    graph, unchecked = show_graph(checked.graph), checked.unchecked
    return workflows.WorkflowTextInfo(graph=graph, unchecked=unchecked, unserved=checked.unserved, **shown)


def unreadable(said: dict[str, Any], *, most: int) -> tuple[list[InvalidInputError], tuple[Any, WorkflowSpec] | None]:
    """Fields that cannot be read, and the definition without them; None if they are too many, or it is nothing without one."""
    faults: list[InvalidInputError] = []
    while len(faults) < most:
        try:
            plain = with_seconds(said)
            return faults, (plain, read_workflow(read_job("", workflow_of(plain)).workflow))
        except InvalidInputError as error:
            less = without(said, PIECES.findall(error.field))
            if less is not None or not faults:
                faults.append(error)
            if less is None:
                break
            said = less
    return faults, None


def without(said: Any, pieces: list[str]) -> Any:
    """The same without a field, which is not changed itself; None: there is no such field."""
    if not pieces or not isinstance(said, dict) or pieces[0] not in said:
        return None
    if len(pieces) == 1:
        return {name: value for name, value in said.items() if name != pieces[0]}
    inner = without(said[pieces[0]], pieces[1:])
    return None if inner is None else {**said, pieces[0]: inner}


def is_beside(field: str, told: set[str]) -> bool:
    """Whether it is about a step of which something was told already, and which may be a consequence of it."""
    return ".".join(PIECES.findall(field)[:2]) in {".".join(PIECES.findall(one)[:2]) for one in told}


def workflow_of(said: dict[str, Any]) -> workflows.WorkflowBody:
    """As if it had come as the body of a call; raises InvalidInputError."""
    content = bytearray(msgspec.json.encode(said))
    found = read_body(decoder(), content)
    check = unknown_fields(workflows.WorkflowBody)
    if check is not None:
        check(content)
    return found


@lru_cache(maxsize=1)
def decoder() -> msgspec.json.Decoder[workflows.WorkflowBody]:
    return msgspec.json.Decoder(workflows.WorkflowBody)


def fault_of(written: WrittenText, error: InvalidInputError) -> workflows.TextFault:
    line, column = written.place(error.field)
    return workflows.TextFault(line=line, column=column, field=error.field, reason=error.reason, code=error.code)
