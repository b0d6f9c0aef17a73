"""Which steps can never run, and which may not run in a workflow run that succeeds."""

from itertools import product

from mainspring.domain.workflows.flow import CANCELLED, FAILED, SKIPPED, SUCCEEDED
from mainspring.domain.workflows.graph import MAIN, Graph, Step

CONDITIONS_MAX = 12
LOOKS_MAX = 200_000
"""Steps looked at over all outcomes of conditions; beyond it nothing is claimed."""
BOTH = 2
RUN_ENDS = frozenset({SUCCEEDED, FAILED, CANCELLED})


def never_runs(graph: Graph) -> dict[str, str]:
    """Steps that run in no outcome of the conditions, with the reason. Parents are taken as independent of each other, so
    what is claimed here is certain."""
    main = [step for step in graph.steps if step.stage == MAIN]
    conditions = [n for n, step in enumerate(main) if step.when is not None]
    if len(conditions) > CONDITIONS_MAX or len(main) << len(conditions) > LOOKS_MAX:
        conditions = []
    running: set[int] = set()
    for outcome in product((True, False), repeat=len(conditions)):
        holds = dict(zip(conditions, outcome, strict=True))
        running |= could_run(main, holds)
        if len(running) == len(main):
            return {}
    return {step.name: blame(graph, step) for n, step in enumerate(main) if n not in running}


def could_run(main: list[Step], holds: dict[int, bool]) -> set[int]:
    """The steps that may run if just these conditions hold."""
    ends: list[frozenset[int]] = []
    running: set[int] = set()
    for number, step in enumerate(main):
        verdicts = possible_verdicts(step, ends)
        runs = True in verdicts and holds.get(number, True)
        if runs:
            running.add(number)
        skips = False in verdicts or not runs
        ends.append((RUN_ENDS if runs else frozenset()) | (frozenset({SKIPPED}) if skips else frozenset()))
    return running


def possible_verdicts(step: Step, ends: list[frozenset[int]]) -> set[bool]:
    """Over the ends that parents may have; where they are too many to try all, both."""
    parents = step.parents
    if not parents:
        return {True}
    choices = [sorted(ends[parent]) for parent in parents]
    if len(parents) > 4:
        # Usual rules treat parents alike: all in one state each are the extremes.
        tries = [
            [min(c) for c in choices],
            [max(c) for c in choices],
            *([c[n % len(c)] for c in choices] for n in range(3)),
        ]
    else:
        tries = [list(one) for one in product(*choices)]
    states = bytearray(max(parents) + 1)
    verdicts: set[bool] = set()
    for one in tries:
        for parent, state in zip(parents, one, strict=True):
            states[parent] = state
        verdicts.add(bool(step.rule(bytes(states))))
        if len(verdicts) == BOTH:
            break
    return verdicts if len(parents) <= 4 else verdicts | {True}


def blame(graph: Graph, step: Step) -> str:
    names = ", ".join(graph.steps[parent].name for parent in step.parents)
    return f"its rule {step.rule_text} over {names} holds in no outcome"


def uncertain(graph: Graph) -> set[int]:
    """Main steps that may be skipped, or fail, in a workflow run that succeeds."""
    found: set[int] = set()
    for number, step in enumerate(graph.steps[: graph.main]):
        by_rule = step.rule_text not in ("all_succeeded", "all_done")
        by_parents = step.rule_text != "all_done" and any(parent in found for parent in step.parents)
        if step.when is not None or step.may_fail or by_rule or by_parents:
            found.add(number)
    return found
