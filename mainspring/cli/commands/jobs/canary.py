"""`mainspring jobs canary`: one version of the code gets a share of a job's runs."""

import click
import msgspec

from mainspring.cli.commands.jobs.fields import read_share
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.canaries import CanaryInfo, CanarySideInfo
from mainspring.contract.jobs import JobInfo


class Side(msgspec.Struct, frozen=True):
    """One row: the canary, or the other versions."""

    version: str
    share: float
    side: CanarySideInfo


SIDES = Sheet(
    "side",
    columns=(
        *("version", "share"),
        *((name, f"side.{name}") for name in ("runs", "succeeded", "failed", "retrying")),
        ("failure rate", lambda row: f"{row.side.failure_rate:.1%}" if row.side.runs else None),
    ),
)


def print_canary(found: CanaryInfo | JobInfo) -> None:
    if isinstance(found, JobInfo):
        note(f"job {found.name}: the trial is over, runs go to any version")
        return
    rows = [Side(found.version, found.share, found.canary), Side("others", 1 - found.share, found.others)]
    SIDES.print_table(rows)
    note(words_of(found))


def words_of(found: CanaryInfo) -> str:
    since = f"counted since {found.since:%H:%M} UTC"
    if found.stopped:
        return f"{since}; version {found.version} was stopped, and gets no runs: --end lets it have them again"
    if found.stop_above is None:
        return f"{since}; nothing stops it but --end"
    return f"{since}; it is stopped above {found.stop_above:.3g} of at least {found.min_runs} runs"


@click.command("canary")
@click.argument("job")
@click.option("--version", "code_version", metavar="VERSION", help="Version of the code to try.")
@click.option("--share", callback=read_share, metavar="SHARE", help="Its share of the runs, such as 5%.")
@click.option(
    "--stop-above", callback=read_share, metavar="SHARE", help="Stop it when more of its runs fail, such as 5%."
)
@click.option("--min-runs", type=click.IntRange(min=1), help="Runs of it to judge by (20).")
@click.option("--end", "ends", is_flag=True, help="End the trial: runs go to any version again.")
@prints(print_canary, names=False)
def canary(
    client: Client,
    *,
    job: str,
    code_version: str | None,
    share: float | None,
    stop_above: float | None,
    min_runs: int | None,
    ends: bool,
) -> CanaryInfo | JobInfo:
    """Give one version of the code a share of a job's runs, and no others; show how both fare, or end that."""
    said = {"version": code_version, "share": share, "stop_above": stop_above, "min_runs": min_runs}
    given = {name: value for name, value in said.items() if value is not None}
    if (ends and given) or (given and None in (code_version, share)):
        raise click.UsageError("Give --version and --share, or --end, or nothing to see how it fares.")
    if ends or given:
        seen = client.jobs.get(job)
        policy = msgspec.to_builtins(seen.policy) | {"canary": given or None}
        changed = client.jobs.change(job, seen.version, policy=policy, note="canary ended" if ends else "canary")
        if ends:
            return changed
    return client.jobs.canary(job)
