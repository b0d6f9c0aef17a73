"""`mainspring tokens`."""

from datetime import timedelta
from typing import Any

import click

from mainspring.cli.client import open_client
from mainspring.cli.durations import read_duration
from mainspring.cli.groups import NounGroup
from mainspring.cli.options import client_options, output_option
from mainspring.cli.output.tables import note, print_content, print_facts, print_table
from mainspring.client.nouns.tokens import IssuedToken, TokenInfo
from mainspring.settings import TOKEN_API, TOKEN_EXECUTOR, ClientSettings, keep_token, load, read_token

COLUMNS = ("id", "name", "role", "namespace", "state", "last used", "expires")
ROLES = ("viewer", "operator", "editor", "admin", "executor")
EVERYWHERE = "*"


@click.group(cls=NounGroup)
def tokens() -> None:
    """Make, rotate and revoke access tokens."""


@tokens.command("list")
@click.option("--role", type=click.Choice(ROLES), help="Only those with this role.")
@click.option("-a", "--all", "dead_too", is_flag=True, help="Also those that are revoked or have expired.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@click.option("--cursor", help="Where the page before ended.")
@client_options
@output_option
def list_tokens(
    *, role: str | None, dead_too: bool, limit: int, cursor: str | None, output: str, **target: Any
) -> None:
    """List tokens, newest first; their secrets are not known any more."""
    with open_client(**target) as client:
        page = client.tokens.list(role=role, active=not dead_too, limit=limit, cursor=cursor)
    if output != "table":
        print_content(page, output)
        return
    print_table(COLUMNS, [row(token) for token in page.tokens])
    if page.next:
        note(f"more: --cursor {page.next}")


@tokens.command("create")
@click.argument("name")
@click.option("--role", type=click.Choice(ROLES), required=True, help="What it may do; each more than the one before.")
@click.option("--all-namespaces", "everywhere", is_flag=True, help="Not for one namespace alone.")
@click.option("--queue", "queues", multiple=True, help="Of an executor; may be repeated. [default: all]")
@click.option("--expires-in", callback=read_duration, metavar="DURATION", help="Such as 90d. [default: never]")
@click.option("--database-url", metavar="URL", help="Work on the database itself: for those who have no token left.")
@client_options
@output_option
def create_token(
    *,
    name: str,
    role: str,
    everywhere: bool,
    queues: tuple[str, ...],
    expires_in: timedelta | None,
    database_url: str | None,
    output: str,
    **target: Any,
) -> None:
    """Make a token and print it: it is shown only now."""
    namespace = EVERYWHERE if everywhere else None
    if database_url is not None:
        from mainspring.cli.commands.access.recovery import create_directly  # noqa: PLC0415 nobody else needs a database

        place = namespace or target["namespace"] or "default"
        issued = create_directly(database_url, name, role, namespace=place, queues=queues, expires_in=expires_in)
    else:
        with open_client(**target) as client:
            issued = client.tokens.create(name, role, namespace=namespace, queues=queues, expires_in=expires_in)
    print_issued(issued, output)


@tokens.command("show")
@click.argument("token", metavar="ID")
@client_options
@output_option
def show_token(*, token: str, output: str, **target: Any) -> None:
    """Show what is known of one token."""
    with open_client(**target) as client:
        print_token(client.tokens.get(token), output)


@tokens.command("rotate")
@click.argument("token", metavar="ID")
@click.option(
    "--overlap", callback=read_duration, default="0", metavar="DURATION", help="How long the old secret stays good."
)
@client_options
@output_option
def rotate_token(*, token: str, overlap: timedelta, output: str, **target: Any) -> None:
    """Give a token a new secret and print it; the old one ends now, or after the overlap."""
    with open_client(**target) as client:
        issued = client.tokens.rotate(token, overlap=overlap)
    keep_at_home(issued, target["home"], target["config"])
    print_issued(issued, output)


@tokens.command("revoke")
@click.argument("token", metavar="ID")
@client_options
@output_option
def revoke_token(*, token: str, output: str, **target: Any) -> None:
    """End a token at once and for good; executors that use it are disconnected."""
    with open_client(**target) as client:
        print_token(client.tokens.revoke(token), output)


def keep_at_home(issued: IssuedToken, home: str | None, config: str | None) -> None:
    """If this machine's own token was rotated, its commands have to find the new one."""
    place = load(ClientSettings, {"home": home}, config=config).home
    for name in (TOKEN_API, TOKEN_EXECUTOR):
        if read_token(place, name).startswith(f"ms_{issued.token.id}_"):
            note(f"the new secret is kept in {keep_token(place, name, issued.text)}")


def print_issued(issued: IssuedToken, output: str) -> None:
    if output != "table":
        print_content(issued, output)
        return
    click.echo(issued.text)
    token = issued.token
    reach = "all namespaces" if token.namespace == EVERYWHERE else f"namespace {token.namespace}"
    note(f"token {token.id} ({token.name}): {token.role} of {reach}; its text is shown only now")


def print_token(token: TokenInfo, output: str) -> None:
    if output != "table":
        print_content(token, output)
        return
    print_facts(
        [
            ("token", token.id),
            ("name", token.name),
            ("role", token.role),
            ("namespace", token.namespace),
            ("queues", ", ".join(token.queues) or None),
            ("state", token.state),
            ("created", token.created_at),
            ("by", token.created_by),
            ("expires", token.expires_at),
            ("last used", token.last_used_at),
            ("rotated", token.rotated_at),
            ("old secret until", token.overlap_until),
            ("revoked", token.revoked_at),
        ]
    )


def row(token: TokenInfo) -> tuple[object, ...]:
    return (token.id, token.name, token.role, token.namespace, token.state, token.last_used_at, token.expires_at)
