"""`mainspring workflows`."""

from pathlib import Path

import click
import msgspec

from mainspring.cli.commands.workflows.runs import runs
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer, Sheet
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


def print_saved(saved: list[WorkflowInfo]) -> None:
    for one in saved:
        click.echo(f"{escape(one.name)}: version {one.version}")


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
@click.argument("workflow")
@prints(click.echo, names=False)
def export_workflow(client: Client, *, workflow: str) -> Answer:
    """Print a workflow's definition as JSON, as `check` and `apply` read it."""
    found = client.workflows.get(workflow)
    content = {"name": found.name, **found.definition}
    return Answer(content=content, show=lambda one: click.echo(msgspec.json.format(msgspec.json.encode(one)).decode()))


@workflows.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@prints(print_check, names=False)
def check_workflows(client: Client, *, file: Path) -> dict[str, CheckInfo]:
    """Check the workflows of a YAML or JSON file against the jobs of the server."""
    from mainspring.cli.commands.workflows.files import read_workflows  # noqa: PLC0415 it loads YAML

    return {name: client.workflows.check(fields) for name, fields in read_workflows(file).items()}


@workflows.command("apply")
@click.argument("file", type=click.Path(path_type=Path))
@prints(WORKFLOWS, names=False)
def apply_workflows(client: Client, *, file: Path) -> Answer:
    """Save the workflows of a YAML or JSON file, each that differs as a new version."""
    from mainspring.cli.commands.workflows.files import read_workflows  # noqa: PLC0415 it loads YAML

    read = read_workflows(file)
    for fields in read.values():
        client.workflows.check(fields)
    return Answer(content=[client.workflows.put(name, fields) for name, fields in read.items()], show=print_saved)


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
