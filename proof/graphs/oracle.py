"""The final states of a workflow run, from its definition and the ends of its runs alone: one look at each step, in order."""

from collections.abc import Mapping
from typing import Any

import msgspec

from mainspring.domain.workflows.cycles import sorted_steps
from mainspring.domain.workflows.spec import StepSpec, WorkflowSpec

Fate = Mapping[tuple[str, int | None], str]
"""The end of each run that might begin, by step and item."""
Results = Mapping[str, Mapping[str, Any]]


class Oracle:
    """Knows nothing of increments, of orders, of three values."""

    def __init__(self, spec: WorkflowSpec, fate: Fate, results: Results) -> None:
        self.spec = spec
        self.fate = fate
        self.results = results
        self.states: dict[str, str] = {}

    def final(self) -> dict[str, str]:
        parents = {name: self.parents(step) for name, step in self.spec.steps.items()}
        for name in sorted_steps(parents):
            step = self.spec.steps[name]
            if not step.either:
                self.states[name] = self.run(name, step) if self.runs(step) else "skipped"
        ended = self.outcome()
        self.undo(ended)
        for name, call in (("on_success", self.spec.on_success), ("on_failure", self.spec.on_failure)):
            if call is not None:
                self.states[name] = (
                    self.fate[name, None] if (name == "on_success") == (ended == "succeeded") else "skipped"
                )
        if self.spec.finally_ is not None:
            self.states["finally"] = self.fate["finally", None]
        return self.states

    def outcome(self) -> str:
        bad = ("failed", "cancelled")
        steps = self.spec.steps
        failed = any(
            state in bad and not (name in steps and steps[name].may_fail) for name, state in self.states.items()
        )
        return "failed" if failed else "succeeded"

    def undo(self, ended: str) -> None:
        for name, step in self.spec.steps.items():
            if step.undo is not None:
                runs = ended == "failed" and self.states[name] == "succeeded"
                self.states[f"{name}.undo"] = self.fate[f"{name}.undo", None] if runs else "skipped"

    def parents(self, step: StepSpec) -> list[str]:
        places = [*step.mapping.values(), *step.either, *step.when, *([step.each] if step.each else [])]
        return list(dict.fromkeys([*(place.split(".")[1] for place in places), *step.after]))

    def runs(self, step: StepSpec) -> bool:
        """Whether its rule and its condition hold of the final states of all parents."""
        named = self.parents(step)
        groups = [name for name in named if self.spec.steps[name].either]
        plain = [self.states[name] for name in named if name not in groups]
        if step.when:
            [(place, wanted)] = step.when.items()
            name = place.split(".")[1]
            is_map = bool(self.spec.steps[name].each)
            if self.states[name] != "succeeded" or is_map or self.results[name]["big"] is not wanted:
                return False
        if not isinstance(step.rule, str):
            return self.expression(step.rule)
        return self.usual(step.rule, plain) and all(self.chosen(name) for name in groups)

    def chosen(self, value: str) -> bool:
        step = self.spec.steps[value]
        states = [self.states[place.split(".")[1]] for place in step.either]
        if "failed" in states or "cancelled" in states:
            return False
        return "succeeded" in states or step.default is not msgspec.UNSET

    def usual(self, rule: str, states: list[str]) -> bool:
        succeeded, skipped = states.count("succeeded"), states.count("skipped")
        failed = len(states) - succeeded - skipped
        return {
            "all_succeeded": succeeded == len(states),
            "all_done": True,
            "any_succeeded": succeeded > 0,
            "any_failed": failed > 0,
            "none_failed": failed == 0 and succeeded > 0,
        }[rule]

    def expression(self, body: Any) -> bool:
        [(key, inner)] = body.items()
        if key == "not":
            return not self.expression(inner)
        if key == "any":
            return any(self.expression(one) for one in inner)
        if key == "all":
            return all(self.expression(one) for one in inner)
        return self.states[key] in (inner if isinstance(inner, list) else [inner])

    def run(self, name: str, step: StepSpec) -> str:
        if not step.each:
            return self.fate[name, None]
        source = step.each.split(".")[1]
        if self.spec.steps[source].each:
            # The result of a map is a list of results: nothing stands at that place of it.
            return "failed"
        size = len(self.results[source]["list"])
        failed = sum(self.fate[name, item] != "succeeded" for item in range(size))
        allowed = int(step.failures_max * size) if step.failures_max < 1 else int(step.failures_max)
        return "failed" if failed > allowed else "succeeded"
