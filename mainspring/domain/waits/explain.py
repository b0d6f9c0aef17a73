"""Why a workflow run has not ended: the steps under way, and those that wait for them, by the rules that advance follows.

Also what ends the wait of a step: a time, or an event.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from shlex import quote

import msgspec

from mainspring.domain.ids import RunId, id_text
from mainspring.domain.limits.obstacles import Obstacle
from mainspring.domain.runs.run import WaitReason
from mainspring.domain.workflows.flow import BEGUN, WAITING, Flow
from mainspring.domain.workflows.graph import Graph, Step

NAMED_MAX = 20
"""Undecided steps, and parents of each, that are named."""


class UnderWay(msgspec.Struct, frozen=True, kw_only=True):
    """A live run of a step, and why it has not ended: down to the run that it waits for itself."""

    step: str
    run: RunId
    state: str
    text: str
    chain: list[str] = []
    """The runs on the way down, the last of which everything waits for."""


class Awaited(msgspec.Struct, frozen=True, kw_only=True):
    """What the run of a step waits for."""

    type: str = ""
    """Of the event."""
    places: tuple[str, ...] = ()
    """In its data, by which it has to match."""
    wake_at: datetime | None = None


def awaited(standing: Obstacle, wait: Awaited) -> Obstacle:
    """The reason of a run that sleeps or waits for an event, with what ends it."""
    if wait.wake_at is not None:
        return msgspec.structs.replace(standing, until=min(wait.wake_at, standing.until or wait.wake_at))
    matching = f" that matches by {' and '.join(wait.places)}" if wait.places else ""
    return msgspec.structs.replace(
        standing,
        text=f"It waits for an event of type {wait.type}{matching}",
        remedy=f"mainspring events publish {quote(wait.type)} DATA",
        facts={"type": wait.type, "places": list(wait.places)},
    )


def begun_steps(flow: Flow) -> list[int]:
    return [number for number in range(len(flow.states)) if flow.state(number) == BEGUN]


def flow_obstacles(run: RunId, graph: Graph, flow: Flow, live: Sequence[UnderWay]) -> list[Obstacle]:
    """The weightiest first."""
    found = [*paused(run, flow), *map(under_way, live), *undecided(graph, flow)]
    if not begun_steps(flow) and not flow.paused:
        found.insert(0, stuck(run))
    return found


def paused(run: RunId, flow: Flow) -> Iterator[Obstacle]:
    if flow.paused:
        yield Obstacle(
            code="workflow_paused",
            reason=WaitReason.PAUSED,
            text="The workflow run is paused: no step begins",
            remedy=f"mainspring workflows runs unpause {id_text(run)}",
        )


def under_way(one: UnderWay) -> Obstacle:
    return Obstacle(
        code="step_under_way",
        reason=WaitReason.STEPS,
        text=f"Step {one.step} is {one.state}: {one.text}",
        facts={"step": one.step, "run": id_text(one.run), "chain": one.chain},
    )


def undecided(graph: Graph, flow: Flow) -> Iterator[Obstacle]:
    waiting = [n for n, step in enumerate(graph.steps) if flow.state(n) == WAITING and step.stage <= flow.stage]
    for number in waiting[:NAMED_MAX]:
        step = graph.steps[number]
        names = unfinished(graph, flow, step)
        text = f"Step {step.name} waits for {', '.join(names) or 'its turn'} ({step.rule_text})"
        facts = {"step": step.name, "rule": step.rule_text, "waits_for": names}
        yield Obstacle(code="step_waits", reason=WaitReason.STEPS, text=text, facts=facts)


def unfinished(graph: Graph, flow: Flow, step: Step) -> list[str]:
    late = [parent for parent in step.parents if flow.state(parent) in (WAITING, BEGUN)]
    return [graph.steps[parent].name for parent in late[:NAMED_MAX]]


def stuck(run: RunId) -> Obstacle:
    return Obstacle(
        code="workflow_stuck",
        reason=WaitReason.STEPS,
        text="Nothing of it is under way, and nothing is waited for; a sweep looks at it within a minute",
        remedy=f"mainspring workflows runs resume {id_text(run)}",
    )
