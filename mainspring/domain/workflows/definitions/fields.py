"""A workflow as files have it: its steps, and all else that is said of its job, in one object."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mainspring.domain.jobs.definition import FieldChange, compare
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.limits.policy import Policy
from mainspring.domain.workflows.spec import HANDLER, WorkflowSpec, read_workflow, write_workflow
from mainspring.errors import InvalidInputError

JSON_FIELDS = ("schema", "returns", "input")
"""Fields of a job that hold JSON."""
LENGTHS = ("deadline", "start_within")
JOB_FIELDS = ("queue", "priority", "deadline", "start_within", "description")
USUAL = JobSpec(name="", handler=HANDLER)


def steps_of(fields: Mapping[str, Any]) -> WorkflowSpec:
    """The workflow's own part of a definition; raises InvalidInputError."""
    own = WorkflowSpec.__struct_encode_fields__
    plain = {name: value for name, value in fields.items() if name in own and value is not None}
    return read_workflow(msgspec.json.encode(plain))


def job_of(name: str, spec: WorkflowSpec, fields: Mapping[str, Any]) -> JobSpec:
    """The job that a definition is: its checked steps, and the fields beside them."""
    own: dict[str, Any] = {field: fields[field] for field in JOB_FIELDS if fields.get(field) is not None}
    encoded: dict[str, Any] = {field: msgspec.json.encode(fields[field]) for field in JSON_FIELDS if fields.get(field)}
    return JobSpec(
        name=name, handler=HANDLER, workflow=write_workflow(spec), policy=policy_of(fields), **own, **encoded
    )


def policy_of(fields: Mapping[str, Any]) -> Policy:
    policy = msgspec.convert(fields.get("policy") or {}, Policy)
    at_once = fields.get("runs_at_once")
    return policy if at_once is None else msgspec.structs.replace(policy, at_once=at_once)


def definition_of(spec: JobSpec) -> dict[str, Any]:
    """The definition of a workflow's job, without defaults: `job_of` makes the same job of it."""
    found: dict[str, Any] = msgspec.json.decode(spec.workflow) if spec.workflow else {}
    found |= {field: msgspec.json.decode(raw) for field in JSON_FIELDS if (raw := getattr(spec, field)) != b"{}"}
    found |= {name: value for name in JOB_FIELDS if (value := getattr(spec, name)) != getattr(USUAL, name)}
    if spec.policy.at_once is not None and not spec.policy.limit_key:
        found["runs_at_once"] = spec.policy.at_once
        rest = msgspec.structs.replace(spec.policy, at_once=None)
    else:
        rest = spec.policy
    return found | ({"policy": msgspec.to_builtins(rest)} if rest != Policy() else {})


def differences(before: JobSpec, after: JobSpec) -> list[FieldChange]:
    """The differences between two definitions, by path."""
    return list(compare("", definition_of(before), definition_of(after)))


def with_seconds(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The same with lengths of time in seconds; raises InvalidInputError."""
    found = dict(fields)
    for field in LENGTHS:
        if isinstance(length := found.get(field), str):
            found[field] = read_length(length)
            if found[field] is None:
                reason = f"{length!r} is not a length of time, such as {EXAMPLES}"
                raise InvalidInputError(field, reason, code=f"bad_{field}")
    return found
