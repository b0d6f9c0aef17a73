"""`mainspring workflows runs`."""

from typing import Any

import click
import msgspec

from mainspring.cli.commands.runs.filters import TRIES, label_option, since_options, tag_option
from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import options
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.workflows.bodies import (
    AgainInfo,
    ForkInfo,
    GridInfo,
    StepRunPage,
    StepStateInfo,
    WorkflowRunInfo,
)
from mainspring.contract.workflows.lists import ListedWorkflowRun, WorkflowRunPage
from mainspring.domain.waits.awaited import WAITING_FOR


def items(step: StepStateInfo) -> str | None:
    if step.size is None:
        return None
    return f"{step.succeeded} of {step.size} succeeded, {step.failed} failed"


STATES = Sheet(
    "step",
    columns=(
        ("step", "name"),
        "job",
        ("state", lambda step: f"{step.state} ({step.why})" if step.why else step.state),
        ("items", items),
        ("after", lambda step: ", ".join(step.parents)),
    ),
)
RUNS = Sheet("run", columns=("step", "item", "run"))
WORKFLOW_RUNS = Sheet(
    "run",
    columns=(
        "id",
        "version",
        "state",
        ("failed", lambda run: ", ".join(run.failed)),
        ("under way", lambda run: ", ".join(run.under_way)),
        ("waits for", lambda run: ", ".join(run.waiting_for)),
        ("created", "created_at"),
        ("finished", "finished_at"),
    ),
)

dry_run_option = click.option("--dry-run", is_flag=True, help="Only show which steps would run.")


version_options = options(
    click.option("--version", type=click.IntRange(1), help="Go by this version of the workflow."),
    click.option("--latest", is_flag=True, help="Go by the newest version."),
)


def version_of(version: int | None, *, latest: bool) -> int | None:
    """Raises UsageError if both are given."""
    if latest and version is not None:
        raise click.UsageError("--latest and --version exclude each other.")
    return 0 if latest else version


def print_run(found: WorkflowRunInfo) -> None:
    paused = ", paused" if found.paused else ""
    ended = "" if found.finished_at is None else f", ended {cell(found.finished_at)}"
    click.echo(f"{found.id} of {escape(found.workflow)}, version {found.version}: {found.state}{paused}{ended}")
    STATES.print_table(found.steps)


def print_grid(found: GridInfo) -> None:
    """Oldest at the left, as time goes."""
    widest = max((len(name) for name in found.steps), default=0)
    for number, name in enumerate(found.steps):
        click.echo(f"{escape(name):{widest}}  {' '.join(run.cells[number] for run in reversed(found.runs))}")
    click.echo("s succeeded, f failed, b begun, w waiting, c cancelled, k skipped, - not in that version")


def print_again(found: AgainInfo) -> None:
    click.echo(("would run: " if found.dry_run else "runs: ") + (", ".join(map(escape, found.steps)) or "nothing"))


def print_fork(found: ForkInfo) -> None:
    steps = ", ".join(map(escape, found.steps)) or "nothing"
    click.echo(f"would run: {steps}" if found.run is None else f"{found.run} runs: {steps}")


def read_json(text: str, option: str) -> Any:
    """Raises UsageError."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise click.UsageError(f"{option} is not JSON: {error}") from None


@click.group("runs", cls=NounGroup)
def runs() -> None:
    """Inspect and steer workflow runs."""


@runs.command("list")
@click.argument("workflow")
@click.option("--state", "states", multiple=True, help="Only workflow runs in this state. Repeatable.")
@tag_option
@label_option
@click.option("--key", help="Only the workflow run with this idempotency key.")
@since_options("Only workflow runs created")
@click.option("--failed-step", metavar="STEP", help="Only workflow runs of which this step failed or was cancelled.")
@click.option(
    "--waiting-for",
    type=click.Choice(WAITING_FOR),
    help="Only workflow runs of which a step waits for that, or that are paused.",
)
@lists(WORKFLOW_RUNS, limit=20)
def list_runs(client: Client, *, workflow: str, limit: int, cursor: str | None, **chosen: Any) -> WorkflowRunPage:
    """List the runs of a workflow, newest first."""
    found: list[ListedWorkflowRun] = []
    for _ in range(TRIES):
        page = client.workflows.runs(workflow, limit=limit - len(found), cursor=cursor, **chosen)
        found, cursor = [*found, *page.runs], page.next
        if cursor is None or len(found) >= limit:
            break
    return WorkflowRunPage(found, cursor)


@runs.command("grid")
@click.argument("workflow")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True, help="Workflow runs, the newest.")
@prints(print_grid, names=False)
def show_grid(client: Client, *, workflow: str, limit: int) -> GridInfo:
    """Show the newest runs of a workflow against its steps, one letter for each cell."""
    return client.workflows.grid(workflow, limit=limit)


@runs.command("show")
@click.argument("run")
@prints(print_run, names=False)
def show_run(client: Client, *, run: str) -> WorkflowRunInfo:
    """Show how far a workflow run has come, step by step."""
    return client.workflows.run(whole_run(client, run))


@runs.command("steps")
@click.argument("run")
@lists(RUNS, names=False)
def list_steps(client: Client, *, run: str, limit: int, cursor: str | None) -> StepRunPage:
    """List the runs of a workflow run's steps, by step and item."""
    return client.workflows.steps(whole_run(client, run), limit=limit, cursor=cursor)


@runs.command("resume")
@click.argument("run")
@click.option("--redo", is_flag=True, help="Run steps again that were undone, too.")
@version_options
@dry_run_option
@reason_option
@prints(print_again, names=False)
def resume_run(
    client: Client, *, run: str, redo: bool, version: int | None, latest: bool, dry_run: bool, reason: str
) -> AgainInfo:
    """Run failed and cancelled steps again, of maps the failed items only."""
    target = version_of(version, latest=latest)
    return client.workflows.resume(whole_run(client, run), redo=redo, version=target, dry_run=dry_run, reason=reason)


@runs.command("retry")
@click.argument("run")
@click.argument("step")
@dry_run_option
@reason_option
@prints(print_again, names=False)
def retry_run(client: Client, *, run: str, step: str, dry_run: bool, reason: str) -> AgainInfo:
    """Run a step and all that comes after it again."""
    return client.workflows.retry(whole_run(client, run), step, dry_run=dry_run, reason=reason)


@runs.command("skip")
@click.argument("run")
@click.argument("step")
@dry_run_option
@reason_option
@prints(print_again, names=False)
def skip_step(client: Client, *, run: str, step: str, dry_run: bool, reason: str) -> AgainInfo:
    """Skip a step that is not under way."""
    return client.workflows.skip(whole_run(client, run), step, dry_run=dry_run, reason=reason)


@runs.command("mark")
@click.argument("run")
@click.argument("step")
@click.option("--result", default="null", metavar="JSON", help="The value that the step counts as having returned.")
@dry_run_option
@reason_option
@prints(print_again, names=False)
def mark_step(client: Client, *, run: str, step: str, result: str, dry_run: bool, reason: str) -> AgainInfo:
    """Have a step that is not under way count as succeeded."""
    value = read_json(result, "--result")
    return client.workflows.mark(whole_run(client, run), step, value, dry_run=dry_run, reason=reason)


@runs.command("fork")
@click.argument("run")
@click.argument("step")
@click.option("--input", "given", metavar="JSON", help="Another input than that of the run.")
@version_options
@dry_run_option
@reason_option
@prints(print_fork, names=False)
def fork_run(client: Client, *, run: str, step: str, given: str | None, dry_run: bool, **more: Any) -> ForkInfo:
    """Start a new run at a step, with the results before it."""
    value = None if given is None else read_json(given, "--input")
    target = version_of(more.pop("version"), latest=more.pop("latest"))
    return client.workflows.fork(whole_run(client, run), step, arguments=value, version=target, dry_run=dry_run, **more)


@runs.command("move")
@click.argument("run")
@click.option("--to", "version", type=int, default=0, help="The version; the newest if left out.")
@dry_run_option
@reason_option
@prints(print_again, names=False)
def move_run(client: Client, *, run: str, version: int, dry_run: bool, reason: str) -> AgainInfo:
    """Have a live run go on by another version of its workflow."""
    return client.workflows.move(whole_run(client, run), version, dry_run=dry_run, reason=reason)


@runs.command("pause")
@click.argument("run")
@reason_option
@prints(print_run, names=False)
def pause_run(client: Client, *, run: str, reason: str) -> WorkflowRunInfo:
    """Begin no more steps; running ones continue."""
    return client.workflows.pause(whole_run(client, run), reason=reason)


@runs.command("unpause")
@click.argument("run")
@reason_option
@prints(print_run, names=False)
def unpause_run(client: Client, *, run: str, reason: str) -> WorkflowRunInfo:
    """End a pause."""
    return client.workflows.unpause(whole_run(client, run), reason=reason)


@runs.command("stop")
@click.argument("run")
@reason_option
@prints(print_run, names=False)
def stop_run(client: Client, *, run: str, reason: str) -> WorkflowRunInfo:
    """Cancel a workflow run without running its undos and endings."""
    return client.workflows.stop(whole_run(client, run), reason=reason)
