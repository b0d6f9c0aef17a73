"""`mainspring workflows`."""

from pathlib import Path
from typing import Any

import click

from mainspring.cli.commands.workflows.runs import runs
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
from mainspring.cli.output.tables import print_content
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import lists, prints
from mainspring.client.client import Client
from mainspring.contract.jobs import JobPage
from mainspring.contract.workflows.bodies import CheckInfo, WorkflowInfo, WorkflowStepInfo
from mainspring.domain.workflows.spec import HANDLER

WORKFLOWS = Sheet(
    "job",
    columns=("name", "version", "queue", "priority", ("changed at", "updated_at"), ("source", "origin")),
)
STEPS = Sheet(
    "step",
    columns=(
        ("step", "name"),
        "job",
        ("after", lambda step: ", ".join(step.parents)),
        ("rule", lambda step: step.ending or step.rule),
        ("for each of", "each"),
    ),
)
FORMATS = ("text", "mermaid", "dot")


def print_workflow(found: WorkflowInfo) -> None:
    click.echo(f"{escape(found.name)}, version {found.version}, queue {escape(found.queue)}, priority {found.priority}")
    STEPS.print_table(found.graph)


def print_check(found: dict[str, CheckInfo]) -> None:
    for name, one in found.items():
        click.echo(f"{escape(name)}: {len(one.graph)} steps, can be saved")
        for job in one.unserved:
            click.echo(f"  no connected executor has {escape(job)}")
        for place in one.unchecked:
            click.echo(f"  type not compared: {escape(place)}")


@click.group(cls=NounGroup)
def workflows() -> None:
    """Inspect, draw, check and export workflows; resume and steer their runs."""


workflows.add_command(runs)


@workflows.command("list")
@click.option("--prefix", help="Only names that start with this.")
@lists(WORKFLOWS)
def list_workflows(client: Client, *, prefix: str | None, limit: int, cursor: str | None) -> JobPage:
    """List workflows by name."""
    return client.jobs.list(prefix=prefix, handler=HANDLER, limit=limit, cursor=cursor)


@workflows.command("show")
@click.argument("workflow")
@prints(print_workflow, names=False)
def show_workflow(client: Client, *, workflow: str) -> WorkflowInfo:
    """Show a workflow and its steps."""
    return client.workflows.get(workflow)


@workflows.command("graph")
@click.argument("workflow")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="How to draw it.")
@prints(click.echo, names=False)
def draw_workflow(client: Client, *, workflow: str, form: str) -> Answer:
    """Draw a workflow as text, Mermaid or DOT."""
    found = client.workflows.get(workflow)
    return Answer(content=found.graph, show=lambda steps: click.echo(draw(steps, form)))


@workflows.command("export")
@click.argument("names", metavar="WORKFLOW...", nargs=-1, required=True)
@click.option("--owner", help="Owner of the file. [default: the workflow's owner]")
@prints(click.echo, names=False)
def export_workflows(client: Client, *, names: tuple[str, ...], owner: str | None) -> Answer:
    """Print definitions as a file that `check`, `plan` and `apply` read."""
    found = [client.workflows.get(name) for name in names]
    whose = {"owner": one} if (one := owner or found[0].owner) else {}
    content = {**whose, "workflows": [{"name": one.name, **one.definition} for one in found]}
    return Answer(content=content, show=lambda one: print_content(one, "yaml"))


@workflows.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@prints(print_check, names=False)
def check_workflows(client: Client, *, file: Path) -> dict[str, CheckInfo]:
    """Check the workflows of a YAML or JSON file against the jobs of the server."""
    from mainspring.cli.commands.workflows.files import read_workflows  # noqa: PLC0415 it loads YAML

    read = read_workflows(file)
    return {fields["name"]: client.workflows.check(without_name(fields)) for fields in read}


def without_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in fields.items() if field != "name"}


def draw(steps: list[WorkflowStepInfo], form: str) -> str:
    numbers = {step.name: number for number, step in enumerate(steps)}
    if form == "text":
        return "\n".join(f"{', '.join(step.parents)} -> {step.name}" if step.parents else step.name for step in steps)
    if form == "dot":
        edges = [f'  "{parent}" -> "{step.name}";' for step in steps for parent in step.parents]
        return "\n".join(["digraph workflow {", *(f'  "{step.name}";' for step in steps), *edges, "}"])
    boxes = [f'  s{numbers[step.name]}["{step.name}"]' for step in steps]
    edges = [f"  s{numbers[parent]} --> s{numbers[step.name]}" for step in steps for parent in step.parents]
    return "\n".join(["flowchart TD", *boxes, *edges])
