"""All that is wrong with a definition at once, for its author; a save stops at the first."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mainspring.domain.workflows.checks import (
    FindJob,
    check_job,
    check_step,
    check_workflow,
    steps_with_jobs,
    with_item_name,
)
from mainspring.domain.workflows.compile import parents_of
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import WorkflowSpec, write_workflow
from mainspring.errors import InvalidInputError

FAULTS_MAX = 20


def faults_of(spec: WorkflowSpec, find: FindJob, known: Mapping[str, Any]) -> list[InvalidInputError]:
    """Of each step the first one. What is looked at later means nothing before the earlier holds, so it waits for it."""
    steps = spec.steps.items()
    for stage in (
        [lambda name=name, step=step: check_step(name, step) for name, step in steps],
        [lambda name=name, step=step: parents_of(spec, name, step) for name, step in steps],
        [lambda: check_workflow(spec)],
    ):
        if found := gathered(stage):
            return found
    graph = graph_of(write_workflow(spec))
    return gathered(
        [
            *(lambda name=name, step=step: with_item_name(name, step, find) for name, step in steps),
            *(lambda step=step: check_job(graph, step, find, known, []) for step in steps_with_jobs(graph)),
        ]
    )


def gathered(checks: Iterable[Callable[[], object]]) -> list[InvalidInputError]:
    found: list[InvalidInputError] = []
    for check in checks:
        try:
            check()
        except InvalidInputError as error:
            found.append(error)
        if len(found) == FAULTS_MAX:
            break
    return found
