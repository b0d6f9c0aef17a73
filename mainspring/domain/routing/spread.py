"""Runs that are spread: one child for each slice, or for each executor that fits.

A run that is spread is a workflow run with a single step, whose items are its children: runs of the same job, with the
same input.
"""

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import ALL, ANY, Policy
from mainspring.domain.workflows.graph import Graph, Step, graph_of
from mainspring.domain.workflows.rules import all_succeeded, counting
from mainspring.domain.workflows.values import Children, ResultPlace, SameInput

SLICES, EXECUTORS = "slices", "executors"
"""Names of the step."""


def graph_of_job(spec: JobSpec) -> Graph:
    """The graph of a stored job; empty if it has neither steps nor children, which ends its runs."""
    if spec.workflow:
        return graph_of(spec.workflow)
    return spread_graph(spec.name, spec.policy) if spec.policy.spreads else Graph(())


def spread_graph(job: str, policy: Policy) -> Graph:
    name = EXECUTORS if policy.slices is None else SLICES
    step = Step(
        name=name,
        job=job,
        parents=(),
        rule=counting(all_succeeded, ()),
        arguments=SameInput({}),
        each=Children(policy.slices, name),
        enough=enough(policy),
    )
    return Graph((step,), ResultPlace(0, (), f"$.{name}"))


def enough(policy: Policy) -> int | None:
    """How many children must succeed; None: all."""
    if isinstance(policy.settle_by, int):
        return policy.settle_by
    return {ALL: None, ANY: 1}[policy.settle_by]
