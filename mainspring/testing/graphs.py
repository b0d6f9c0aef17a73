"""A test's expectation of a workflow: which steps come behind which."""

from itertools import pairwise
from typing import Any

from mainspring.app.job_handle import JobHandle
from mainspring.domain.workflows.graph import MAIN, graph_of

ARROW, BESIDE, APART = "->", ",", ";"


def expect_graph(workflow: JobHandle[..., Any], text: str) -> None:
    """Raise AssertionError unless the steps and their edges are these: `charge, pack -> ship; ship -> mail, audit`."""
    found, wanted = written(workflow), read(text)
    missing, more = sorted(wanted - found), sorted(found - wanted)
    if missing or more:
        told = [f"it has no {part}" for part in missing] + [f"nobody expects {part}" for part in more]
        raise AssertionError(f"workflow {workflow.name!r}: {'; '.join(told)}")


def written(workflow: JobHandle[..., Any]) -> set[str]:
    """Its steps and their edges, endings and undos left out."""
    if not workflow.definition:
        raise LookupError(f"job {workflow.name!r} is no workflow")
    graph = graph_of(workflow.definition)
    main = [step for step in graph.steps if step.stage == MAIN]
    edges = {f"{graph.steps[parent].name} {ARROW} {step.name}" for step in main for parent in step.parents}
    return edges | {step.name for step in main}


def read(text: str) -> set[str]:
    found: set[str] = set()
    for chain in text.split(APART):
        layers = [[name.strip() for name in layer.split(BESIDE)] for layer in chain.split(ARROW)]
        found.update(name for layer in layers for name in layer if name)
        for before, after in pairwise(layers):
            found.update(f"{parent} {ARROW} {child}" for parent in before for child in after)
    return found
