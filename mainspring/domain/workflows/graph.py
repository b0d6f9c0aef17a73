"""A workflow's steps with their parents and rules, compiled once per version from its definition."""

from functools import cached_property, lru_cache
from typing import NamedTuple

import msgspec

from mainspring.domain.waits.wait import WaitRule
from mainspring.domain.workflows.rules import Rule
from mainspring.domain.workflows.spec import WorkflowSpec, read_workflow
from mainspring.domain.workflows.values import Arguments, Children, Value, When

MAIN, AFTER, LAST = 0, 1, 2
"""Stages: the steps themselves; undos, `on_success` and `on_failure`; `finally`."""
UNDO, ON_SUCCESS, ON_FAILURE, FINALLY = "undo", "on_success", "on_failure", "finally"


class Step(msgspec.Struct, frozen=True):
    """One step of a graph. Endings and undos are steps of later stages."""

    name: str
    job: str
    parents: tuple[int, ...]
    rule: Rule
    arguments: Arguments
    when: When | None = None
    each: Value | Children | None = None
    at_once: int | None = None
    failures_max: float = 0
    may_fail: bool = False
    enough: int | None = None
    """Items that must succeed, after which the others are cancelled; None: as `failures_max` says."""
    stage: int = MAIN
    ending: str = ""
    """Its part if it is of a later stage: undo, on_success, on_failure, finally."""
    undoes: int | None = None
    """The step whose undo it is."""
    rule_text: str = "all_succeeded"
    wait: WaitRule | None = None
    """What it waits for, instead of a job that it runs."""

    @property
    def reads(self) -> tuple[int, ...]:
        """The steps whose results it may want when it begins."""
        wanted = [*self.arguments.steps, *(self.when.steps if self.when else ())]
        return tuple(dict.fromkeys([*wanted, *(self.each.steps if self.each else ())]))


class Graph(msgspec.Struct, frozen=True, dict=True):
    """The steps in an order in which each comes after its parents."""

    steps: tuple[Step, ...]
    result: Value | None = None
    fail_fast: bool = False
    steps_at_once: int | None = None
    of_handler: bool = False
    """Its steps are the waits of a handler, which goes on once they are over."""
    batch: str = ""
    """The name of the batch whose runs are the items of its first step."""

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        children: list[list[int]] = [[] for _ in self.steps]
        for number, step in enumerate(self.steps):
            for parent in step.parents:
                children[parent].append(number)
        return tuple(map(tuple, children))

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {step.name: number for number, step in enumerate(self.steps)}

    @cached_property
    def main(self) -> int:
        """How many steps are of the main stage; they come first."""
        return sum(step.stage == MAIN for step in self.steps)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        return tuple(n for n, step in enumerate(self.steps) if not step.parents and step.stage == MAIN)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """How many steps there are up to each stage."""
        return tuple(sum(step.stage <= stage for step in self.steps) for stage in (MAIN, AFTER, LAST))

    @cached_property
    def must_succeed(self) -> bytes:
        """1 for each step whose failure fails the workflow run."""
        return bytes(not step.may_fail for step in self.steps)

    @cached_property
    def conditional(self) -> tuple[int, ...]:
        """The steps about which not only states decide."""
        return tuple(n for n, step in enumerate(self.steps) if step.when is not None or step.each is not None)

    @cached_property
    def learnt(self) -> "dict[Situation, LearntMove]":
        """Moves that follow from states alone, by the situations in which they were first decided."""
        return {}

    def descendants(self, step: int) -> set[int]:
        """All that comes after a step, within its stage."""
        reached: set[int] = set()
        pending = [step]
        while pending:
            for child in self.children[pending.pop()]:
                if child not in reached:
                    reached.add(child)
                    pending.append(child)
        return reached


Situation = tuple[bytes, int, int, tuple[tuple[int, int, int], ...], bool]
"""States, stage, requests, ends, and whether every step is looked at."""


class LearntMove(NamedTuple):
    """How every workflow run of a graph moves that is in the same situation."""

    states: bytes
    stage: int
    begins: tuple[tuple[int, bool], ...]
    """Steps, and whether they have a run already."""
    end: int | None


@lru_cache(maxsize=1_000)
def graph_of(raw: bytes) -> Graph:
    """The graph of a stored definition."""
    from mainspring.domain.workflows.compile import compile_graph  # noqa: PLC0415 it builds what is defined here

    return compile_graph(read_workflow(raw))


def spec_of(raw: bytes) -> WorkflowSpec:
    return read_workflow(raw)
