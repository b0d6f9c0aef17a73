"""`mainspring limits keys`."""

import click

from mainspring.cli.output.sheets import Sheet
from mainspring.cli.verbs import prints
from mainspring.client.client import Client
from mainspring.contract.limits import KeyInfo, KeyPage

KEYS = Sheet(
    "key",
    columns=("key", ("at once", "at_once"), "weight", "held", "waiting"),
    facts=("key", ("at once", "at_once"), "weight", "held", "waiting"),
)
job_option = click.option("--job", is_flag=True, help="NAME is a job, not a limit that jobs share.")


@click.command("keys")
@click.argument("name")
@job_option
@prints(KEYS, names=False)
def list_keys(client: Client, *, name: str, job: bool) -> KeyPage:
    """List the keys of a limit, with the attempts under way and the runs that wait."""
    return client.limits.job_keys(name) if job else client.limits.keys(name)


@click.command("set-key")
@click.argument("name")
@click.argument("key")
@job_option
@click.option("--at-once", type=click.IntRange(1), help="Maximum number of attempts of this key under way at once.")
@click.option("--weight", type=float, default=1.0, show_default=True, help="Its part where keys take turns.")
@prints(KEYS, names=False)
def set_key(client: Client, *, name: str, key: str, job: bool, at_once: int | None, weight: float) -> KeyInfo:
    """Give one key a limit and a weight of its own; they count at once, also for runs that wait."""
    change = client.limits.set_job_key if job else client.limits.set_key
    return change(name, key, at_once=at_once, weight=weight)
