"""`mainspring approvals`."""

import click
import msgspec

from mainspring.cli.commands.runs.ids import whole_run
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.terminal import escape
from mainspring.cli.verbs import lists, prints
from mainspring.client.client import Client
from mainspring.contract.operations.approvals import ApprovalPage, DecisionInfo
from mainspring.errors import InvalidInputError

APPROVALS = Sheet(
    "approval",
    columns=(
        "run",
        "step",
        "title",
        ("started by", "created_by"),
        ("approvers", lambda one: ", ".join(one.approvers)),
        ("answers", lambda one: f"{len(one.votes)} of {one.approvals}"),
    ),
)

note_option = click.option("--note", default="", help="Reason, shown with the answer.")


def print_decision(found: DecisionInfo) -> None:
    answers = ", ".join(f"{escape(vote.by)}: {'yes' if vote.approved else 'no'}" for vote in found.votes)
    click.echo(f"{found.run}: {'decided' if found.decided else 'more answers are needed'} ({answers})")


@click.group("approvals", cls=NounGroup)
def approvals() -> None:
    """List, give and refuse the approvals that steps of workflows wait for."""


@approvals.command("list")
@lists(APPROVALS)
def list_approvals(client: Client, *, limit: int, cursor: str | None) -> ApprovalPage:
    """List the approvals that steps of workflows wait for."""
    return client.approvals.list(limit=limit, cursor=cursor)


@approvals.command("approve")
@click.argument("run")
@click.option("--form", default="{}", metavar="JSON", help="Form that was asked for, a JSON object.")
@note_option
@prints(print_decision, names=False)
def approve_run(client: Client, *, run: str, form: str, note: str) -> DecisionInfo:
    """Approve what a step waits for, by the id of its run."""
    try:
        given = msgspec.json.decode(form, type=dict)
    except msgspec.DecodeError as error:
        raise InvalidInputError("form", str(error), code="bad_form") from None
    return client.approvals.approve(whole_run(client, run), form=given, note=note)


@approvals.command("reject")
@click.argument("run")
@note_option
@prints(print_decision, names=False)
def reject_run(client: Client, *, run: str, note: str) -> DecisionInfo:
    """Reject what a step waits for, by the id of its run."""
    return client.approvals.reject(whole_run(client, run), note=note)
