"""Checks of a workflow's definition; every refusal names the field, the step or the path."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.names import JOB_MAX
from mainspring.domain.suggest import did_you_mean
from mainspring.domain.waits.wait import check_wait, is_wait
from mainspring.domain.workflows.graph import Graph, Step, graph_of
from mainspring.domain.workflows.reach import never_runs, uncertain
from mainspring.domain.workflows.schemas import mismatch, parameters_of, required_of
from mainspring.domain.workflows.spec import RESERVED, StepCall, StepSpec, WorkflowSpec, read_workflow, write_workflow
from mainspring.domain.workflows.values import Alternatives, Value
from mainspring.errors import InvalidInputError

STEPS_MAX = 2_000
EDGES_MAX = 20_000
DEFINITION_MAX = 1024 * 1024
AT_ONCE_MAX = 100_000
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

FindJob = Callable[[str], JobSpec | None]


def check_workflow(spec: WorkflowSpec) -> Graph:
    """All that can be told from the definition alone; raises InvalidInputError."""
    return checked_graph(write_workflow(spec))


@lru_cache(maxsize=100)
def checked_graph(raw: bytes) -> Graph:
    """Kept, since a save looks at its definition several times: by itself, with its jobs, and under the lock of its row."""
    spec = read_workflow(raw)
    if not 0 < len(spec.steps) <= STEPS_MAX:
        raise InvalidInputError("steps", f"has {len(spec.steps)} steps, not 1 to {STEPS_MAX}", code="bad_steps")
    for name, step in spec.steps.items():
        check_step(name, step)
    if len(raw) > DEFINITION_MAX:
        raise InvalidInputError("steps", f"has {len(raw)} bytes, more than {DEFINITION_MAX}", code="bad_steps")
    graph = graph_of(raw)
    edges = sum(len(step.parents) for step in graph.steps)
    if edges > EDGES_MAX:
        raise InvalidInputError("steps", f"has {edges} edges, more than {EDGES_MAX}", code="bad_steps")
    if not graph.main:
        raise InvalidInputError("steps", "has values only, and no job to run", code="bad_steps")
    check_limit(spec.steps_at_once, "steps_at_once")
    for name, reason in never_runs(graph).items():
        raise InvalidInputError(f"steps.{name}", f"can never run: {reason}", code="unreachable_step")
    check_result(graph)
    return graph


def check_step(name: str, step: StepSpec) -> None:
    field = f"steps.{name}"
    if len(name) > JOB_MAX or not NAME.fullmatch(name) or name in RESERVED:
        reason = f"{name!r} is not a name of letters, digits, _ and -, or is one of {', '.join(sorted(RESERVED))}"
        raise InvalidInputError(field, reason, code="bad_step_name")
    if [bool(step.job), bool(step.either), is_wait(step)].count(True) != 1:
        reason = "needs one of job, either, sleep, event and approval"
        raise InvalidInputError(field, reason, code="bad_step")
    check_wait(name, step)
    if both := step.input.keys() & step.mapping.keys():
        raise InvalidInputError(f"{field}.mapping.{min(both)}", "is a constant in input as well", code="bad_step")
    check_limit(step.at_once, f"{field}.at_once")
    if step.failures_max < 0:
        raise InvalidInputError(f"{field}.failures_max", "is below 0", code="bad_failures_max")
    if not step.each and (step.at_once is not None or step.failures_max or step.item):
        raise InvalidInputError(field, "at_once, failures_max and item need each", code="bad_step")


def check_limit(number: int | None, field: str) -> None:
    if number is not None and not 1 <= number <= AT_ONCE_MAX:
        raise InvalidInputError(field, f"{number} is outside 1 to {AT_ONCE_MAX}", code="bad_at_once")


def check_result(graph: Graph) -> None:
    """The step whose result is returned must succeed whenever the workflow run does."""
    if graph.result is None or (isinstance(graph.result, Alternatives) and graph.result.default is not None):
        return
    skippable = uncertain(graph)
    alternatives = graph.result.steps
    if alternatives and all(step in skippable for step in alternatives):
        names = ", ".join(graph.steps[step].name for step in alternatives)
        reason = f"{names} may be skipped or may fail: give it by an either with a default"
        raise InvalidInputError("result", reason, code="missing_value")


def check_jobs(spec: WorkflowSpec, find: FindJob, known: Mapping[str, Any] | None = None) -> list[str]:
    """Whether steps fit the jobs they run; raises InvalidInputError; returns places whose types could not be compared."""
    graph = graph_of(write_workflow(spec))
    unchecked: list[str] = []
    for step in steps_with_jobs(graph):
        check_job(graph, step, find, known or {}, unchecked)
    return unchecked


def steps_with_jobs(graph: Graph) -> list[Step]:
    return [step for step in graph.steps if step.wait is None]


def check_job(graph: Graph, step: Step, find: FindJob, known: Mapping[str, Any], unchecked: list[str]) -> None:
    """Whether one step fits its job; raises InvalidInputError; adds places whose types could not be compared."""
    field = step_field(step)
    job = find(step.job)
    if job is None:
        reason = f"there is no job {step.job}{did_you_mean(step.job, known)}"
        raise InvalidInputError(f"{field}.job", reason, code="unknown_job")
    check_arguments(graph, step, field, job, find, unchecked)


def step_field(step: Step) -> str:
    """Where a step stands in its definition."""
    if step.undoes is not None:
        return f"steps.{step.name}"
    return step.ending or f"steps.{step.name}"


def check_arguments(graph: Graph, step: Step, field: str, job: JobSpec, find: FindJob, unchecked: list[str]) -> None:
    schema = msgspec.json.decode(job.schema)
    parameters, required = parameters_of(schema), required_of(schema)
    given = {*step.arguments.constants, *(name for name, _ in step.arguments.places), step.arguments.item} - {""}
    if parameters is not None:
        for name in sorted(given - parameters.keys()):
            close = did_you_mean(name, parameters)
            raise InvalidInputError(
                f"{field}.mapping.{name}", f"{job.name} has no such parameter{close}", code="bad_mapping"
            )
    for name in sorted(required - given - msgspec.json.decode(job.input).keys()):
        raise InvalidInputError(
            f"{field}.mapping", f"{job.name} requires {name}, and nothing gives it", code="bad_mapping"
        )
    for name, value in step.arguments.places:
        if name in required and may_be_missing(step, value):
            reason = (
                f"may be missing by the rule {step.rule_text}, and {job.name} requires it: give the parameter a default"
            )
            raise InvalidInputError(f"{field}.mapping.{name}", reason, code="missing_value")
        check_type(graph, value, (parameters or {}).get(name), f"{field}.mapping.{name}", find, schema, unchecked)


def may_be_missing(step: Step, value: Value) -> bool:
    """Whether the step may begin without this value."""
    if isinstance(value, Alternatives):
        return False
    if step.ending and step.undoes not in value.steps:
        return bool(value.steps)
    return step.rule_text != "all_succeeded" and not step.ending and bool(value.steps)


def check_type(
    graph: Graph, value: Value, target: Any, field: str, find: FindJob, schema: Any, unchecked: list[str]
) -> None:
    """Refused only if no value could fit."""
    for source in value.sources if isinstance(value, Alternatives) else (value,):
        origin = find(graph.steps[source.step].job) if source.step >= 0 else None
        if origin is None or target is None or graph.steps[source.step].each is not None:
            unchecked.append(field)
            continue
        reason = mismatch(msgspec.json.decode(origin.returns), source.place, target, schema)
        if reason:
            raise InvalidInputError(field, f"{origin.name} {reason}", code="bad_type")


def with_item_names(spec: WorkflowSpec, find: FindJob) -> WorkflowSpec:
    """The same with the parameter named that takes a map's elements: the first that nothing else fills."""
    steps = {name: with_item_name(name, step, find) for name, step in spec.steps.items()}
    return msgspec.structs.replace(spec, steps=steps)


def with_item_name(name: str, step: StepSpec, find: FindJob) -> StepSpec:
    job = find(step.job) if step.each and not step.item else None
    if job is None:
        # An unknown job is told as such.
        return step
    parameters = parameters_of(msgspec.json.decode(job.schema))
    for free in parameters or ():
        if free not in step.input and free not in step.mapping:
            return msgspec.structs.replace(step, item=free)
    reason = f"{step.job} has no free parameter for an element: name one by item"
    raise InvalidInputError(f"steps.{name}.item", reason, code="bad_step")


def jobs_of(spec: WorkflowSpec) -> set[str]:
    """The jobs that a workflow runs."""
    calls: list[StepCall | None] = [spec.on_success, spec.on_failure, spec.finally_]
    calls += [step.undo for step in spec.steps.values()]
    return {step.job for step in spec.steps.values() if step.job} | {call.job for call in calls if call is not None}


def refuse_itself(name: str, spec: WorkflowSpec, find: FindJob) -> None:
    """Raises InvalidInputError with the path if a run of this workflow would start another one of it, and so on for ever."""
    first = [(step, job, (f"{name}.{step}", job)) for step, job in started_by(spec)]
    pending: list[tuple[str, str, tuple[str, ...]]] = [*first]
    seen: set[str] = set()
    while pending:
        step, job, path = pending.pop()
        if job == name:
            raise InvalidInputError(f"steps.{step}.job", f"starts itself: {' -> '.join(path)}", code="workflow_loop")
        found = find(job)
        if job not in seen and found is not None and found.workflow:
            seen.add(job)
            inner = started_by(read_workflow(found.workflow))
            # The first job of a `then` is the one whose runs the others follow, by its handler alone.
            own = [one for one in inner if one[1] != job]
            pending += [(step, other, (*path[:-1], f"{job}.{at}", other)) for at, other in own]


def started_by(spec: WorkflowSpec) -> list[tuple[str, str]]:
    """Steps by name, and the job that each runs."""
    return [(name, step.job) for name, step in spec.steps.items() if step.job]
