"""`mainspring limits`."""

import click

from mainspring.cli.commands.limits.keys import list_keys, set_key
from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import calls, prints
from mainspring.client.client import Client
from mainspring.contract.limits import LimitInfo, LimitPage

LIMITS = Sheet(
    "limit",
    columns=("scope", "name", ("at once", "at_once"), "held", "rate", "burst", ("opens", "opens_at")),
    facts=(
        ("limit", "name"),
        "scope",
        ("at once", "at_once"),
        "held",
        "rate",
        "burst",
        ("opens", "opens_at"),
        "revision",
    ),
    word=lambda limit: limit.scope,
    outcome=lambda limit: f"{limit.held} of {limit.at_once} under way" if limit.at_once is not None else limit.rate,
)

scope_option = click.option(
    "--scope",
    type=click.Choice(["limit", "queue", "namespace"]),
    default="limit",
    show_default=True,
    help="NAME is a limit that jobs share, a queue or a namespace.",
)


@click.group(cls=NounGroup)
def limits() -> None:
    """Limit how many attempts are under way at once, and how fast they start."""


limits.add_command(list_keys)
limits.add_command(set_key)


@limits.command("list")
@prints(LIMITS)
def list_limits(client: Client) -> LimitPage:
    """List the limits of the namespace, of its queues, and those that jobs share."""
    return client.limits.list()


@limits.command("show")
@click.argument("name")
@prints(LIMITS)
def show_limit(client: Client, *, name: str) -> LimitInfo:
    """Show a limit that jobs share, and how much of it is taken."""
    return client.limits.get(name)


@limits.command("set")
@click.argument("name")
@scope_option
@click.option("--at-once", type=click.IntRange(1), help="Maximum number of attempts under way at once.")
@click.option("--rate", help="Maximum number of starts in a time, such as 100/s or 30/m.")
@click.option("--burst", type=click.IntRange(1), help="How many of a rate may start together.")
@click.option(
    "--key", multiple=True, help="Place in the input: the limit holds for each value there. Repeatable; not for queues."
)
@prints(LIMITS)
def set_limit(
    client: Client,
    *,
    name: str,
    scope: str,
    at_once: int | None,
    rate: str | None,
    burst: int | None,
    key: tuple[str, ...],
) -> LimitInfo:
    """Set or replace a limit; it counts at once, also for runs that wait."""
    if scope == "limit":
        return client.limits.set(name, at_once=at_once, rate=rate, burst=burst, key=key)
    if key:
        raise click.UsageError("--key goes with --scope limit only.")
    save = {"queue": client.limits.set_queue, "namespace": client.limits.set_namespace}
    return save[scope](name, at_once=at_once, rate=rate, burst=burst)


@limits.command("delete")
@click.argument("name")
@scope_option
@calls
def delete_limit(client: Client, *, name: str, scope: str) -> None:
    """Delete a limit; one that jobs share only if no job names it."""
    drop = {
        "limit": client.limits.delete,
        "queue": client.limits.delete_queue,
        "namespace": client.limits.delete_namespace,
    }
    drop[scope](name)
    note(f"{scope} {name} has no limit")
