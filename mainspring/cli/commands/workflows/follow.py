"""Follows a workflow run to its end: the tree of its steps on a terminal, else a line for each change."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from mainspring.cli.output.progress import is_shown
from mainspring.cli.output.terminal import escape
from mainspring.client.client import Client
from mainspring.client.waiting import Deadline
from mainspring.contract.runs import RunInfo
from mainspring.contract.workflows.bodies import StepStateInfo
from mainspring.domain.workflows.spec import HANDLER
from mainspring.errors import ForbiddenError, NotFoundError

LOOK_EVERY = 0.25
DEEPEST = 5
"""Sub-workflows below one another that are shown."""
CHILDREN_MAX = 200
"""Runs of steps that are looked at for sub-workflows."""
COLOURS = {"succeeded": "green", "failed": "red", "cancelled": "red", "begun": "yellow", "skipped": "dim"}

Show = Callable[["list[TreeStep]"], None]


class TreeStep(msgspec.Struct, frozen=True):
    """A step at its place in the tree."""

    path: tuple[str, ...]
    state: str

    @property
    def line(self) -> str:
        return f"{escape('.'.join(self.path))}: {self.state}"


def is_workflow(client: Client, job: str) -> bool:
    """Whether runs of a job can be followed; False if that may not be asked."""
    try:
        return client.jobs.get(job).handler == HANDLER
    except (ForbiddenError, NotFoundError):
        return False


def follow(client: Client, run: str, *, timeout: float | None) -> RunInfo:
    """Show how far a workflow run has come until it is over; raises TimeoutError."""
    patience = Deadline(timeout)
    with shown() as show:
        while True:
            try:
                ended = client.wait(run, timeout=min(patience.next_wait(), LOOK_EVERY))
            except TimeoutError:
                if patience.over:
                    raise
                show(list(tree_of(client, run)))
            else:
                show(list(tree_of(client, run)))
                return ended


def tree_of(client: Client, run: str, above: tuple[str, ...] = ()) -> Iterator[TreeStep]:
    """The steps of a workflow run, each followed by those of the workflow that it runs."""
    try:
        found = client.workflows.run(run)
    except NotFoundError:
        return
    nested = {one.step: one.run for one in client.workflows.steps(run, limit=CHILDREN_MAX).runs if one.item is None}
    for step in found.steps:
        path = (*above, step.name)
        yield TreeStep(path, state_of(step))
        # Whether a step runs a workflow shows in its run: only that of a workflow has steps.
        if step.name in nested and step.state != "waiting" and len(path) < DEEPEST:
            yield from tree_of(client, nested[step.name], path)


def state_of(step: StepStateInfo) -> str:
    if step.size is None:
        return step.state if step.why is None else f"{step.state} ({step.why})"
    return f"{step.state}, {step.succeeded} of {step.size} succeeded, {step.failed} failed"


@contextmanager
def shown() -> Iterator[Show]:
    """A live tree on a terminal; elsewhere a line on stderr for each step whose state has changed."""
    if is_shown():
        with live_tree() as show:
            yield show
        return
    seen: dict[tuple[str, ...], str] = {}

    def tell(steps: list[TreeStep]) -> None:
        for step in steps:
            if seen.get(step.path, "waiting") != step.state:
                click.echo(step.line, err=True)
            seen[step.path] = step.state

    yield tell


@contextmanager
def live_tree() -> Iterator[Show]:
    # Only a terminal pays for importing it.
    text: Any = importlib.import_module("rich.text").Text
    console: Any = importlib.import_module("rich.console").Console(stderr=True)
    live: Any = importlib.import_module("rich.live").Live
    with live(console=console, refresh_per_second=4, redirect_stdout=False, redirect_stderr=False) as view:

        def draw(steps: list[TreeStep]) -> None:
            lines = text()
            for step in steps:
                lines.append("  " * (len(step.path) - 1) + f"{escape(step.path[-1])}  ")
                lines.append(step.state + "\n", style=COLOURS.get(step.state.split()[0].rstrip(","), ""))
            view.update(lines)

        yield draw
