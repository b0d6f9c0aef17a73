"""`mainspring tokens`."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.durations import read_duration
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, options, output_option
from mainspring.cli.output.sheets import Sheet, print_answer
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import lists, open_target, prints
from mainspring.client.client import Client
from mainspring.contract.access import IssuedToken, TokenInfo, TokenPage
from mainspring.settings import TOKEN_API, TOKEN_EXECUTOR, ClientSettings, keep_token, load, read_token

ROLES = ("viewer", "operator", "editor", "admin", "executor")
EVERYWHERE = "*"


def print_issued(issued: IssuedToken) -> None:
    click.echo(issued.text)
    token = issued.token
    reach = "all namespaces" if token.namespace == EVERYWHERE else f"namespace {token.namespace}"
    note(f"token {token.id} ({token.name}): {token.role} of {reach}; its text is shown only now")


TOKENS = Sheet(
    "token",
    columns=(*("id", "name", "role", "namespace", "state", ("last used", "last_used_at"), ("expires", "expires_at")),),
    facts=(
        *(("token", "id"), "name", "role", "namespace", "queues", "state", ("created", "created_at")),
        *(("by", "created_by"), ("expires", "expires_at"), ("last used", "last_used_at")),
        *(("rotated", "rotated_at"), ("old secret until", "overlap_until"), ("revoked", "revoked_at")),
    ),
)


@click.group(cls=NounGroup)
def tokens() -> None:
    """Create, rotate and revoke access tokens."""


@tokens.command("list")
@click.option("--role", type=click.Choice(ROLES), help="Only tokens with this role.")
@click.option("-a", "--all", "dead_too", is_flag=True, help="Include revoked and expired tokens.")
@lists(TOKENS)
def list_tokens(client: Client, *, role: str | None, dead_too: bool, limit: int, cursor: str | None) -> TokenPage:
    """List tokens, newest first, without their secrets."""
    return client.tokens.list(role=role, active=not dead_too, limit=limit, cursor=cursor)


@tokens.command("create")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), required=True, help="Permissions; each role includes the one before.")
@click.option("--all-namespaces", "everywhere", is_flag=True, help="Grant access to every namespace.")
@click.option(
    "--queue", "queues", multiple=True, help="For an executor: a queue it may serve. Repeatable. [default: all]"
)
@click.option("--expires-in", callback=read_duration, metavar="DURATION", help="Lifetime, such as 90d. [default: none]")
@click.option("--database-url", metavar="URL", help="Write to the database itself: for operators without a token.")
@options(client_options, output_option)
def create_token(
    *, name: str, role: str, everywhere: bool, database_url: str | None, output: str, **given: Any
) -> None:
    """Create a token and print it, this once."""
    wanted = {setting: given.pop(setting) for setting in ("queues", "expires_in")}
    namespace = EVERYWHERE if everywhere else None
    if database_url is not None:
        from mainspring.cli.commands.access.recovery import create_directly  # noqa: PLC0415 only this needs a database

        place = namespace or given["namespace"] or "default"
        issued = create_directly(database_url, name, role, namespace=place, **wanted)
    else:
        with open_target(given) as client:
            issued = client.tokens.create(name, role, namespace=namespace, **wanted)
    print_answer(issued, print_issued, output)


@tokens.command("show")
@click.argument("token", metavar="ID")
@prints(TOKENS)
def show_token(client: Client, *, token: str) -> TokenInfo:
    """Show one token, without its secret."""
    return client.tokens.get(token)


@tokens.command("rotate")
@click.argument("token", metavar="ID")
@click.option(
    "--overlap", callback=read_duration, default="0", metavar="DURATION", help="How long the old secret stays valid."
)
@prints(print_issued)
def rotate_token(client: Client, *, token: str, overlap: timedelta) -> IssuedToken:
    """Give a token a new secret and print it; the old one ends now, or after the overlap."""
    issued = client.tokens.rotate(token, overlap=overlap)
    given = click.get_current_context().params
    keep_at_home(issued, given["home"], given["config"])
    return issued


@tokens.command("revoke")
@click.argument("token", metavar="ID")
@prints(TOKENS)
def revoke_token(client: Client, *, token: str) -> TokenInfo:
    """Revoke a token at once and for good; executors that use it are disconnected."""
    return client.tokens.revoke(token)


def keep_at_home(issued: IssuedToken, home: str | None, config: str | None) -> None:
    """Write the new secret to the home directory if it replaces a token that is kept there."""
    place = load(ClientSettings, {"home": home}, config=config).home
    for name in (TOKEN_API, TOKEN_EXECUTOR):
        if read_token(place, name).startswith(f"ms_{issued.token.id}_"):
            note(f"the new secret is kept in {keep_token(place, name, issued.text)}")
