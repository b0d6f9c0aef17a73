"""`mainspring plan`."""

from collections.abc import Sequence
from pathlib import Path

import click

from mainspring.cli.commands.dispatch.apply import dispatch_file, print_changes, show_changes
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
    click.option("--owner", help="Owner of the set. [default: the app's name, or `owner` of the file]"),
    click.option("--adopt", is_flag=True, help="Take over definitions of these names from other owners."),
)


@click.command()
@source_options
@prints(print_plan, names=False)
def plan(client: Client, *, sources: tuple[str, ...], owner: str | None, adopt: bool) -> Answer:
    """Show the changes that `apply` would make for SOURCE: MODULE:APP, or a YAML file of triggers, or of queues and limits.

    Exits 0 if there are no changes, 7 if there are, and 3 if a name belongs to another owner.
    """
    if (file := dispatch_file(sources)) is not None:
        return plan_file(client, file)
    check_owner(owner, sources)
    written = [read_source(source, owner) for source in sources]
    plans = [show(client, each, adopt=adopt) for each in written]
    return Answer(
        content=plans[0] if len(plans) == 1 else plans, show=lambda _: print_plans(plans), exit_code=code_of(plans)
    )


def plan_file(client: Client, file: Path) -> Answer:
    """The same for a file of queues, limits, shares and breakers."""
    changes = [change for change, _ in show_changes(client, file)]
    return Answer(content=changes, show=lambda _: print_changes(changes), exit_code=CHANGES if changes else OK)


def print_plans(plans: Sequence[PlanInfo]) -> None:
    for each in plans:
        print_plan(each)


def show(client: Client, written: Written, *, adopt: bool) -> PlanInfo:
    return client.plans.show(written.owner, written.triggers, **written.parts, adopt=adopt)


def check_owner(owner: str | None, sources: tuple[str, ...]) -> None:
    if owner is not None and len(sources) > 1:
        raise click.UsageError(
            "--owner is for one SOURCE: applied one by one, they would remove each other's triggers."
        )


def code_of(plans: Sequence[PlanInfo]) -> int:
    if any(each.of("conflict") for each in plans):
        return REFUSED
    return CHANGES if any(each.items for each in plans) else OK
