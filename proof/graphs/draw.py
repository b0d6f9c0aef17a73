"""Draws workflows: rules, conditions, alternatives, maps, undos and endings."""

import random
from typing import Any

from mainspring.domain.workflows.rules import USUAL
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec

STATES = ("succeeded", "failed", "cancelled", "skipped")


def draw(rng: random.Random, most: int = 14) -> WorkflowSpec:
    """A workflow of at most so many steps, each with parents among those before it."""
    steps: dict[str, StepSpec] = {}
    for number in range(rng.randint(1, most)):
        names = [name for name in steps if not steps[name].either]
        parents = rng.sample(names, rng.randint(0, min(len(names), 4)))
        if len(parents) > 1 and rng.random() < 0.15:
            steps[f"v{number}"] = either(rng, parents)
        else:
            values = [name for name in steps if steps[name].either]
            steps[f"s{number}"] = draw_step(rng, parents, values)
    return WorkflowSpec(
        steps=steps,
        on_success=StepCall(job="j") if rng.random() < 0.3 else None,
        on_failure=StepCall(job="j") if rng.random() < 0.3 else None,
        finally_=StepCall(job="j") if rng.random() < 0.3 else None,
        steps_at_once=rng.choice([None, None, None, 1, 3]),
    )


def either(rng: random.Random, parents: list[str]) -> StepSpec:
    places = tuple(f"$.{name}" for name in parents)
    return StepSpec(either=places, default="none") if rng.random() < 0.5 else StepSpec(either=places)


def draw_step(rng: random.Random, parents: list[str], values: list[str]) -> StepSpec:
    common: dict[str, Any] = {
        "job": "j",
        "may_fail": rng.random() < 0.2,
        "undo": StepCall(job="j") if rng.random() < 0.2 else None,
    }
    if parents and rng.random() < 0.25:
        at_once = rng.choice([None, 1, 2])
        failures = rng.choice([0, 0, 1, 0.5])
        each, rest = f"$.{parents[0]}.list", tuple(parents[1:])
        return StepSpec(**common, each=each, item="item", after=rest, at_once=at_once, failures_max=failures)
    if values and rng.random() < 0.5:
        mapping = {"value": f"$.{rng.choice(values)}"}
        return StepSpec(**common, mapping=mapping, after=tuple(parents))
    when = {f"$.{rng.choice(parents)}.big": rng.random() < 0.5} if parents and rng.random() < 0.25 else {}
    if parents and rng.random() < 0.15:
        return StepSpec(**common, rule=draw_rule(rng, parents), after=tuple(parents), when=when)
    return StepSpec(
        **common, rule=rng.choice(list(USUAL)) if parents else "all_succeeded", after=tuple(parents), when=when
    )


def draw_rule(rng: random.Random, parents: list[str], depth: int = 0) -> dict[str, Any]:
    kind = rng.random()
    if depth < 2 and kind < 0.2:
        return {"not": draw_rule(rng, parents, depth + 1)}
    if depth < 2 and kind < 0.6:
        word = rng.choice(["any", "all"])
        return {word: [draw_rule(rng, parents, depth + 1) for _ in range(rng.randint(1, 3))]}
    return {rng.choice(parents): rng.choice([rng.choice(STATES), list(rng.sample(STATES, 2))])}
