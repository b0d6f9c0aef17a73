"""`mainspring runs histogram`."""

import click

from mainspring.cli.output.tables import cell, note, print_table
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.insights.views import RunHistogram
from mainspring.domain.runs.run import RunState

WIDTH = 40


def print_histogram(found: RunHistogram) -> None:
    """A row for each step with a run, with a bar of its share of the fullest."""
    filled = [step for step in found.steps if step.states]
    most = max((sum(step.states.values()) for step in filled), default=1)
    states = [state.label for state in RunState if any(state.label in step.states for step in filled)]
    rows = [
        [
            step.at,
            *(step.states.get(state, 0) for state in states),
            "#" * -(-sum(step.states.values()) * WIDTH // most),
        ]
        for step in filled
    ]
    print_table(["at", *states, ""], rows)
    if not found.is_complete:
        note(f"runs created before {cell(found.reached)} were not looked at")


@click.command("histogram")
@click.option(
    "--query", "q", default="", metavar="QUERY", help="Terms, as in `runs list`; without since: the last hour."
)
@click.option("--steps", type=click.IntRange(1, 200), default=30, show_default=True, help="Steps at most.")
@prints(print_histogram, names=False)
def count_by_time(client: Client, *, q: str, steps: int) -> RunHistogram:
    """Count the runs that match a query by time."""
    return client.insights.histogram(q, steps=steps)
