"""`mainspring plan`."""

from collections.abc import Sequence

import click

from mainspring.cli.commands.triggers.plan_output import print_plan
from mainspring.cli.commands.triggers.sources import Written, read_source
from mainspring.cli.options import options
from mainspring.cli.output.exits import CHANGES, OK, REFUSED
from mainspring.cli.output.sheets import Answer
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.triggers import PlanInfo

source_options = options(
    click.argument("sources", metavar="SOURCE...", nargs=-1, required=True),
    click.option(
        "--owner", help="Owner of the triggers and calendars. [default: the app's name, or `owner` of the file]"
    ),
    click.option("--adopt", is_flag=True, help="Take over triggers and calendars of these names from other owners."),
)


@click.command()
@source_options
@prints(print_plan, names=False)
def plan(client: Client, *, sources: tuple[str, ...], owner: str | None, adopt: bool) -> Answer:
    """Show the changes that `apply` would make for SOURCE: MODULE:APP, or a YAML file.

    Exits 0 if there are no changes, 7 if there are, and 3 if a name belongs to another owner.
    """
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    plans = [show(client, each, adopt=adopt) for each in written]
    return Answer(
        content=plans[0] if len(plans) == 1 else plans, show=lambda _: print_plans(plans), exit_code=code_of(plans)
    )


def print_plans(plans: Sequence[PlanInfo]) -> None:
    for each in plans:
        print_plan(each)


def show(client: Client, written: Written, *, adopt: bool) -> PlanInfo:
    return client.plans.show(written.owner, written.triggers, calendars=written.calendars, adopt=adopt)


def check_owner(owner: str | None, sources: tuple[str, ...]) -> None:
    if owner is not None and len(sources) > 1:
        raise click.UsageError(
            "--owner is for one SOURCE: applied one by one, they would remove each other's triggers."
        )


def code_of(plans: Sequence[PlanInfo]) -> int:
    if any(each.of("conflict") for each in plans):
        return REFUSED
    return CHANGES if any(each.items for each in plans) else OK
