"""Serves the check of a workflow that is written as text."""

import asyncio
from functools import lru_cache
from typing import Any

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import read_body
from mainspring.api.input.unknown_fields import unknown_fields
from mainspring.api.input.yaml_text import TextFaultError, WrittenText, read_text, write_text
from mainspring.api.routes.workflows.definitions import read_job, show_graph
from mainspring.contract.workflows import bodies as workflows
from mainspring.contract.workflows import operations
from mainspring.domain.workflows.definitions.fields import with_seconds
from mainspring.domain.workflows.spec import read_workflow
from mainspring.errors import InvalidInputError

UNREADABLE = "bad_yaml"
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
    try:
        shown["definition"] = plain = with_seconds(said)
        spec = read_job("", workflow_of(plain))
        checked = call.engine.workflows.checks.check(call.namespace, read_workflow(spec.workflow))
    except InvalidInputError as error:
        return workflows.WorkflowTextInfo(faults=[fault_of(written, error)], **shown)
    graph, unchecked = show_graph(checked.graph), checked.unchecked
    return workflows.WorkflowTextInfo(graph=graph, unchecked=unchecked, unserved=checked.unserved, **shown)


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
