"""A grid has one letter for each step of each workflow run, also of versions with other steps."""

from mainspring.domain.workflows.flow import BEGUN, FAILED, SUCCEEDED, Flow
from mainspring.domain.workflows.graph import graph_of
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec, write_workflow
from mainspring.domain.workflows.stages import cells, steps_of

OLD = graph_of(write_workflow(WorkflowSpec(steps={"a": StepSpec(job="a"), "gone": StepSpec(job="gone", after=("a",))})))
NEW = graph_of(write_workflow(WorkflowSpec(steps={"a": StepSpec(job="a"), "b": StepSpec(job="b", after=("a",))})))


def test_the_newest_version_names_the_steps_and_older_ones_add_theirs() -> None:
    assert steps_of([NEW, OLD, NEW]) == ["a", "b", "gone"]


def test_a_step_that_a_version_has_not_is_a_dash() -> None:
    names = steps_of([NEW, OLD])

    assert cells(names, NEW, Flow(states=bytearray([SUCCEEDED, BEGUN]))) == "sb-"
    assert cells(names, OLD, Flow(states=bytearray([SUCCEEDED, FAILED]))) == "s-f"
