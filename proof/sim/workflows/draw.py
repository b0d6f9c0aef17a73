"""Draws workflows, and the clients that ask for them."""

import random

import msgspec

from mainspring.domain.workflows.checks import check_workflow
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec, write_workflow
from mainspring.errors import InvalidInputError
from proof.graphs.draw import draw
from proof.sim.plan import Act, Config

SHARE = 0.35
"""Of the seeds in which there are workflows."""
STEPS_MAX = 8
CHAIN_MAX = 12
SLEEPS = 0.15
CANCELS = 0.2
FLOW = "flow-"
"""How the names of workflows begin."""
STEP = "step"
"""The job of their steps."""


def draw_flows(draws: random.Random, config: Config, *, calm: bool) -> tuple[Config, list[Act]]:
    if draws.random() >= SHARE:
        return config, []
    specs = [draw_usable(draws) for _ in range(draws.randint(1, 3))]
    flows = tuple(write_workflow(spec).decode() for spec in specs)
    acts: list[Act] = []
    for number in range(draws.randint(2, 8)):
        at = draws.uniform(3.0, config.heal_at - 2.0)
        mark, server = f"flow-{number}", draws.randrange(config.servers)
        name = f"{FLOW}{draws.randrange(len(specs))}"
        acts.append(Act(at=at, act="enqueue", server=server, mark=mark, name=name, key=f"key-{mark}"))
        if not calm and draws.random() < CANCELS:
            acts.append(Act(at=at + draws.uniform(0.1, 6.0), act="cancel", server=server, mark=mark))
    return msgspec.structs.replace(config, flows=flows), acts


def draw_usable(draws: random.Random) -> WorkflowSpec:
    """One that a server takes: rules that can never hold are refused."""
    while True:
        spec = draw_one(draws)
        try:
            check_workflow(spec)
        except InvalidInputError:
            continue
        return spec


def draw_one(draws: random.Random) -> WorkflowSpec:
    if draws.random() < 0.3:
        return chain(draws.randint(2, CHAIN_MAX))
    spec = draw(draws, STEPS_MAX)
    read = {
        place.split(".")[1] for step in spec.steps.values() for place in (*step.when, *step.either, step.each) if place
    }
    steps = {name: step if name in read else sleeping(draws, step) for name, step in spec.steps.items()}
    return named(msgspec.structs.replace(spec, steps=steps))


def chain(length: int) -> WorkflowSpec:
    steps = {f"s{n}": StepSpec(job=STEP, after=(f"s{n - 1}",) if n else ()) for n in range(length)}
    return WorkflowSpec(steps=steps)


def sleeping(draws: random.Random, step: StepSpec) -> StepSpec:
    """Some steps wait for a time instead of running."""
    runs_only = step.each or step.either or step.undo is not None or step.mapping
    if runs_only or draws.random() >= SLEEPS:
        return step
    return msgspec.structs.replace(step, job="", sleep=f"{draws.randint(1, 4)}s")


def named(spec: WorkflowSpec) -> WorkflowSpec:
    """With the job of this simulation in place of the one that is drawn."""
    raw = write_workflow(spec).replace(b'"job":"j"', f'"job":"{STEP}"'.encode())
    return msgspec.json.decode(raw, type=WorkflowSpec)
