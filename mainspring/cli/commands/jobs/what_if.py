"""`mainspring jobs what-if` and `python`: a definition tried on past runs, and a definition as code."""

import click

from mainspring.cli.commands.jobs.fields import fields_set
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.insights.what_if import JobPython, WhatIfEffect, WhatIfInfo


def waits(one: WhatIfEffect) -> str | None:
    return f"{one.seconds:.1f} s in all, {one.longest:.1f} s at most" if one.seconds else None


EFFECTS = Sheet("effect", columns=("effect", "runs", ("waits", waits), "samples"))


def print_what_if(found: WhatIfInfo) -> None:
    EFFECTS.print_table(found.effects)
    same = "" if found.effects else "; all of them would have gone as they did"
    note(
        f"{found.runs} runs: {found.succeeded} succeeded, {found.failed} failed, {found.at_once} at once at most{same}"
    )
    if found.unjudged:
        note(f"past runs do not tell what these changes do: {', '.join(found.unjudged)}")


@click.command("what-if")
@click.argument("job")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a field, as in `edit`: timeout=30s, retry.attempts=5, policy='{\"at_once\": 2}'. Repeatable.",
)
@click.option("--runs", type=click.IntRange(1, 500), default=200, show_default=True, help="Number of past runs.")
@prints(print_what_if, names=False)
def what_if(client: Client, *, job: str, settings: tuple[str, ...], runs: int) -> WhatIfInfo:
    """Show what a changed definition would have done to the last runs of a job; change nothing."""
    fields = fields_set(settings, client.jobs.get(job).input)
    return client.jobs.what_if(job, runs=runs, **fields)


@click.command("python")
@click.argument("job")
@prints(lambda found: click.echo(found.code, nl=False), names=False)
def show_python(client: Client, *, job: str) -> Answer:
    """Print a job's definition as Python."""
    found = JobPython(client.jobs.python(job))
    return Answer(content=found, show=lambda one: click.echo(one.code, nl=False))
