"""Which of the goals about workflows a trial reached."""

from collections.abc import Iterator

from proof.checker.flows import final_state
from proof.checker.story import FINAL, Story
from proof.lines.rows import FlowRow, StepRow
from proof.sim.sometimes import Sometimes

UNDO = ".undo"


def reach_by_flows(story: Story, sometimes: Sometimes) -> None:
    for flow in story.records.flow_rows:
        state = final_state(story, flow)
        if state in FINAL - {"skipped"}:
            sometimes.reach(f"workflow run {state}")
        for goal in goals_of(story, flow, story.steps_of.get(flow.run, [])):
            sometimes.reach(goal)


def goals_of(story: Story, flow: FlowRow, rows: list[StepRow]) -> Iterator[str]:
    if "skipped" in flow.states.values():
        yield "step skipped"
    if any(step.endswith(UNDO) and state == "succeeded" for step, state in flow.states.items()):
        yield "step undone"
    if any(row.item is not None for row in rows):
        yield "item of a map run"
    for row in rows:
        chain = [line for line in story.all_chains.get(row.run, []) if not line.lost]
        if any(line.reason == "sleep" for line in chain):
            yield "step slept"
        if chain and chain[-1].state == "succeeded" and chain[-1].losses:
            yield "step given up as lost and run again"
