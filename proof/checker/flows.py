"""Workflow runs against an oracle that knows nothing of how they are advanced: only the definition, and how each run ended."""

from collections.abc import Iterator
from typing import Any

import msgspec

from mainspring.domain.workflows.spec import WorkflowSpec
from proof.checker.story import FINAL, Story
from proof.checker.verdict import Violation
from proof.graphs.oracle import Oracle
from proof.lines.rows import FlowRow, StepRow
from proof.records import Transition

MISSING = "missing"
"""Stands for the end of a run that there is not."""
RESULT_NONE: dict[str, Any] = {"list": [], "big": False}
Place = tuple[str, int | None]


class Fates(dict[Place, str]):
    def __missing__(self, _place: Place) -> str:
        return MISSING


class Results(dict[str, dict[str, Any]]):
    def __missing__(self, _step: str) -> dict[str, Any]:
        return RESULT_NONE


def misdecided(story: Story) -> Iterator[Violation]:
    """S14: the states of steps are those that follow from their rules and from how the runs of their parents ended."""
    cancelled = {asked.run for asked in story.invocations if asked.act == "cancel"}
    for flow in story.records.flow_rows:
        if final_state(story, flow) not in {"succeeded", "failed"} or flow.run in cancelled:
            continue
        expected = expected_states(story, flow)
        for step, state in flow.states.items():
            if expected[step] != state:
                yield story.blame(
                    "S14", f"{step} is {state}, and by its parents' ends {expected[step]}", flow.run, [flow]
                )


def expected_states(story: Story, flow: FlowRow) -> dict[str, str]:
    fates, results = Fates(), Results()
    for row in story.steps_of.get(flow.run, []):
        fates[row.step, row.item] = row.state
        if row.item is None and row.result:
            results[row.step] = msgspec.json.decode(row.result)
    return Oracle(msgspec.json.decode(flow.spec, type=WorkflowSpec), fates, results).final()


def final_state(story: Story, flow: FlowRow) -> str:
    return next((row.state for row in story.records.run_rows if row.run == flow.run), "")


def unknown_step(story: Story) -> Iterator[Violation]:
    """S14: each place in a workflow run has one run, and each run of a step one place."""
    for rows in story.steps_of.values():
        for row in rows:
            if not row.state:
                yield story.blame("S14", f"the run of step {row.step} is gone", row.run, [row])
    if not story.setup.steps:
        return
    known = {row.run for rows in story.steps_of.values() for row in rows}
    for run_row in story.records.run_rows:
        if run_row.job in story.setup.steps and run_row.run not in known:
            yield story.blame("S14", "a run of a step whose place no workflow run knows", run_row.run)


def begun_early(story: Story) -> Iterator[Violation]:
    """S14: a step that needs all its parents begins after the last of them has succeeded."""
    for flow in story.records.flow_rows:
        spec = msgspec.json.decode(flow.spec, type=WorkflowSpec)
        rows = story.steps_of.get(flow.run, [])
        ends = {row.run: last_end(story, row) for row in rows}
        for row in rows:
            step = spec.steps.get(row.step)
            if step is None or step.rule != "all_succeeded" or row.state == MISSING:
                continue
            parents = [name for name in parents_of(step) if name in spec.steps and not spec.steps[name].either]
            begun = first_change(story, row)
            for parent in (one for one in rows if one.step in parents):
                end = ends[parent.run]
                if begun is not None and (end is None or end.seq > begun.seq):
                    yield story.blame("S14", f"{row.step} began before {parent.step} had ended", row.run)


def parents_of(step: Any) -> list[str]:
    places = [*step.mapping.values(), *step.when, *([step.each] if step.each else [])]
    return [*(place.split(".")[1] for place in places), *step.after]


def first_change(story: Story, row: StepRow) -> Transition | None:
    return next((line for line in story.all_chains.get(row.run, []) if not line.lost), None)


def last_end(story: Story, row: StepRow) -> Transition | None:
    ends = [line for line in story.all_chains.get(row.run, []) if not line.lost and line.state in FINAL]
    return ends[-1] if ends else None


def outlives(story: Story) -> Iterator[Violation]:
    """S14: nothing of a workflow run that is over begins, or goes on."""
    for flow in story.records.flow_rows:
        own = [line for line in story.all_chains.get(flow.run, []) if not line.lost]
        if not own or own[-1].state not in FINAL:
            continue
        for row in story.steps_of.get(flow.run, []):
            late = [line for line in story.all_chains.get(row.run, []) if not line.lost and line.seq > own[-1].seq]
            if late:
                yield story.blame("S14", f"{row.step} goes on, and its workflow run is over", row.run)


def goes_on_cancelled(story: Story) -> Iterator[Violation]:
    """S14: no step begins once a cancel of its workflow run was answered, and had time to be taken up."""
    bound = 2 * story.setup.poll + 2.0 + story.setup.slack
    for asked, answer in story.answered("cancel"):
        flow = next((one for one in story.records.flow_rows if one.run == asked.run), None)
        if flow is None or story.forgotten(asked.at, answer.at):
            continue
        main = msgspec.json.decode(flow.spec, type=WorkflowSpec).steps
        for row in story.steps_of.get(flow.run, []):
            begun = first_change(story, row)
            late = begun is not None and begun.at > answer.at + bound
            if late and row.step in main and not story.disturbed(asked.at - story.setup.lease, answer.at + bound):
                yield story.blame(
                    "S14", f"{row.step} began after the cancel of its workflow run", row.run, [asked, answer]
                )
