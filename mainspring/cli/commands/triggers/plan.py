"""`mainspring plan`."""

from collections.abc import Sequence
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.commands.triggers.plan_output import print_plan
from mainspring.cli.commands.triggers.sources import read_source
from mainspring.cli.options import client_options, options, report_option
from mainspring.cli.output.exits import CHANGES, OK, REFUSED
from mainspring.cli.output.tables import print_content
from mainspring.contract.triggers import PlanInfo

source_options = options(
    click.argument("sources", metavar="SOURCE...", nargs=-1, required=True),
    click.option("--owner", help="Owner of the triggers. [default: the app's name, or `owner` of the file]"),
    click.option("--adopt", is_flag=True, help="Take over triggers of these names from other owners."),
)


@click.command()
@source_options
@client_options
@report_option
def plan(*, sources: tuple[str, ...], owner: str | None, adopt: bool, output: str, **target: Any) -> None:
    """Show the changes that `apply` would make for SOURCE: MODULE:APP, or a YAML file.

    Exits 0 if there are no changes, 7 if there are, and 3 if a name belongs to another owner.
    """
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    with open_client(**target) as client:
        plans = [client.plans.show(each.owner, each.triggers, adopt=adopt) for each in written]
    if output != "table":
        print_content(plans[0] if len(plans) == 1 else plans, output)
    else:
        for each in plans:
            print_plan(each)
    click.get_current_context().exit(code_of(plans))


def check_owner(owner: str | None, sources: tuple[str, ...]) -> None:
    if owner is not None and len(sources) > 1:
        raise click.UsageError(
            "--owner is for one SOURCE: applied one by one, they would remove each other's triggers."
        )


def code_of(plans: Sequence[PlanInfo]) -> int:
    if any(each.of("conflict") for each in plans):
        return REFUSED
    return CHANGES if any(each.triggers for each in plans) else OK
