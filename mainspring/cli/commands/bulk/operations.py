"""`mainspring sweeps`."""

from typing import Any

import click

from mainspring.cli.commands.bulk.begin import SWEEPS, begin, canaries_option, finish, sweep_options
from mainspring.cli.commands.runs.ids import whole_sweep
from mainspring.cli.commands.workflows.runs import read_json, version_of, version_options
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Answer
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import acts_on_ids, lists, prints, reason_option
from mainspring.client.client import Client
from mainspring.contract.bulk import SweepInfo, SweepPage, SweepPreview
from mainspring.domain.bulk.operation import SweepAct

NO_FILTERS = ("reason", "hold", "wait", "canaries")


@click.group(cls=NounGroup)
def sweeps() -> None:
    """Retry, discard, cancel or steer all matching runs in the background."""


@sweeps.command("create")
@click.argument("act", type=click.Choice([act.value for act in SweepAct]))
@click.option("--fingerprint", help="Only dead letters of this group.")
@click.option("--state", "states", multiple=True, help="For a cancel: only runs in this state. Repeatable.")
@click.option("--failed-step", help="Only workflow runs of which this step failed or was cancelled.")
@click.option("--step", help="Of retry_step, skip and mark: the step.")
@click.option("--result", metavar="JSON", help="Of mark: the value that the step counts as having returned.")
@version_options
@click.option("--redo", is_flag=True, help="Of resume: run steps again that were undone, too.")
@click.option("--dry-run", is_flag=True, help="Count the runs and preview a few; change nothing.")
@sweep_options
@canaries_option
@prints(SWEEPS)
def create_sweep(client: Client, *, act: str, dry_run: bool, **chosen: Any) -> Answer:
    """Begin an ACT on all matching runs: dead letters for a retry or a discard, live runs for a cancel.

    To resume, retry_step, skip, mark, move, pause or unpause the runs of a workflow, name it by --job.
    """
    terms = terms_of(chosen)
    if not dry_run:
        return begin(client, act, terms=terms, **chosen)
    filters = {name: value for name, value in chosen.items() if name not in NO_FILTERS}
    found = client.sweeps.preview(act, terms=terms, **filters)
    return Answer(content=found, show=print_preview)


def terms_of(chosen: dict[str, Any]) -> dict[str, Any]:
    """The terms of an act on workflow runs, taken out of the options."""
    version = version_of(chosen.pop("version"), latest=chosen.pop("latest"))
    result = chosen.pop("result")
    given = {"step": chosen.pop("step"), "redo": chosen.pop("redo") or None, "version": version}
    terms = {name: value for name, value in given.items() if value is not None}
    return terms if result is None else {**terms, "result": read_json(result, "--result")}


def print_preview(found: SweepPreview) -> None:
    click.echo(f"{found.count}{'' if found.is_complete else ' or more'} runs")
    shown = {one.run: one for one in found.flows}
    for run in found.sample:
        one = shown.get(run)
        words = "" if one is None else f": {one.refused or 'would run ' + (', '.join(one.steps) or 'nothing')}"
        click.echo(f"  {run}{escape(words)}")


@sweeps.command("list")
@lists(SWEEPS, limit=20)
def list_sweeps(client: Client, *, limit: int, cursor: str | None) -> SweepPage:
    """List sweeps, newest first."""
    return client.sweeps.list(limit=limit, cursor=cursor)


@sweeps.command("show")
@click.argument("sweep")
@prints(SWEEPS)
def show_sweep(client: Client, *, sweep: str) -> SweepInfo:
    """Show the progress of a sweep."""
    return client.sweeps.get(whole_sweep(client, sweep))


@sweeps.command("wait")
@click.argument("sweep")
@prints(SWEEPS)
def wait_for_sweep(client: Client, *, sweep: str) -> Answer:
    """Wait until a sweep is over; exit 1 unless it is done."""
    return finish(client, client.sweeps.get(whole_sweep(client, sweep)))


@sweeps.command("cancel")
@reason_option
@acts_on_ids(SWEEPS, whole_sweep)
def cancel_sweep(client: Client, sweep: str, *, reason: str) -> SweepInfo:
    """Stop a sweep; its changes so far stay."""
    return client.sweeps.cancel(sweep, reason=reason)
