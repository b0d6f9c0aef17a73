"""`mainspring slos`."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.commands.alerts.fields import written
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import options
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import deletes_one, prints
from mainspring.client.client import Client
from mainspring.contract.alerts.views import SloInfo, SloPage
from mainspring.domain.alerts.written import read_written
from mainspring.domain.slos.slo import CODE, Indicator, SloSpec

DAY = timedelta(days=1)


def left(slo: SloInfo) -> str | None:
    return None if slo.budget_left is None else f"{slo.budget_left:.0%}"


def burns(slo: SloInfo) -> str:
    if slo.few:
        return "too few runs"
    return f"1h {slo.burn_1h:.1f}, 6h {slo.burn_6h:.1f}, 3d {slo.burn_3d:.1f}"


def worst_days(slo: SloInfo) -> str | None:
    return ", ".join(f"{one.day} {one.bad} of {one.good + one.bad} bad" for one in slo.worst) or None


def which_runs(slo: SloInfo) -> str | None:
    """The command that lists the bad runs of the worst day; None if fire times or minutes count."""
    bad = {
        Indicator.SUCCESS: "state:failed",
        Indicator.START: f"wait:>{slo.within}s",
        Indicator.DURATION: f"duration:>{slo.within}s",
    }.get(slo.spec.get("indicator", Indicator.SUCCESS))
    if not slo.worst or bad is None:
        return None
    job, day = slo.spec.get("job"), slo.worst[0].day
    subject = f"job:{job}" if job else f"trigger:{slo.spec.get('trigger')}"
    return f"mainspring runs list --query '{subject} {bad} since:{day} until:{day + DAY}'"


SLOS = Sheet(
    "slo",
    columns=(
        "name",
        ("subject", lambda slo: slo.spec.get("job") or f"trigger {slo.spec.get('trigger')}"),
        ("indicator", lambda slo: slo.spec.get("indicator", "success")),
        ("objective", lambda slo: f"{slo.spec.get('objective', 0.99):.3%}"),
        *("good", "bad"),
        ("budget left", left),
        ("burn", burns),
    ),
    facts=(
        "name",
        ("slo", lambda slo: written(slo.spec)),
        *("within", "good", "bad"),
        ("budget left", left),
        ("burn", burns),
        ("worst days", worst_days),
        ("which runs", which_runs),
        *("version", "owner", "author"),
        ("updated", "updated_at"),
    ),
)

slo_options = options(
    click.option("--job", help="Job that the SLO is about."),
    click.option("--trigger", help="Trigger that the SLO is about, instead of a job."),
    click.option(
        "--indicator",
        type=click.Choice([word.value for word in Indicator]),
        help="What counts as good. [default: success]",
    ),
    click.option("--objective", help="Share of runs that has to be good, such as 99%."),
    click.option("--window-days", type=click.IntRange(1, 90), help="Days over which it counts. [default: 30]"),
    click.option("--within", metavar="TIME", help="Time within which a run starts or ends."),
    click.option("--notify", multiple=True, metavar="CHANNEL", help="Channel that is told of burn rates; repeatable."),
)


@click.group(cls=NounGroup)
def slos() -> None:
    """Inspect and define SLOs: objectives, error budgets, burn rates."""


@slos.command("list")
@prints(SLOS)
def list_slos(client: Client) -> SloPage:
    """List the SLOs of the namespace, and how they stand."""
    return client.slos.list()


@slos.command("show")
@click.argument("name")
@prints(SLOS)
def show_slo(client: Client, *, name: str) -> SloInfo:
    """Show an SLO, its error budget and its burn rates."""
    return client.slos.get(name)


@slos.command("set")
@click.argument("name")
@slo_options
@prints(SLOS)
def set_slo(client: Client, *, name: str, **fields: Any) -> SloInfo:
    """Define an SLO, or replace it; omitted options have their defaults."""
    given = {field: value for field, value in fields.items() if value not in (None, ())}
    return client.slos.set(name, read_written(given, SloSpec, code=CODE))


@slos.command("delete")
@deletes_one("slo")
def delete_slo(client: Client, name: str) -> None:
    """Delete an SLO that no alert rule names."""
    client.slos.delete(name)
