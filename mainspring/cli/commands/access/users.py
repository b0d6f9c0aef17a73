"""`mainspring users`."""

from typing import Any

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import note
from mainspring.cli.verbs import calls, deletes_one, lists, prints
from mainspring.client.client import Client
from mainspring.contract.access import InvitedUser, SignInInfo, UserInfo, UserPage
from mainspring.settings import ClientSettings, load

ROLES = ("viewer", "operator", "editor", "admin")
EVERYWHERE = "*"
START = "/console/start"


def print_invited(invited: InvitedUser) -> None:
    given = click.get_current_context().params
    server = load(ClientSettings, {"url": given["url"]}, config=given["config"]).url
    click.echo(f"{server[0].rstrip('/')}{START}#{invited.code}")
    note(f"{invited.user.name} chooses a password at this address, once, until {invited.expires_at}")


def show_roles(user: UserInfo) -> str:
    return ", ".join(f"{role} of {'all' if space == EVERYWHERE else space}" for space, role in user.roles.items())


USERS = Sheet(
    "user",
    columns=(
        *("name", ("full name", "display_name"), ("roles", show_roles)),
        *(("password since", "password_at"), ("disabled", "disabled_at")),
    ),
    facts=(
        *("name", ("full name", "display_name"), ("roles", show_roles), ("password since", "password_at")),
        *(("created", "created_at"), ("by", "created_by"), ("disabled", "disabled_at")),
    ),
)
SIGN_INS = Sheet(
    "sign-in", columns=("id", "state", "address", "browser", ("since", "created_at"), ("last seen", "seen_at"))
)


def read_roles(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Read `ROLE` as a role in all namespaces, `ROLE:NAMESPACE` as one in that namespace."""
    roles: dict[str, str] = {}
    for text in given:
        role, _, namespace = text.partition(":")
        if role not in ROLES:
            raise click.BadParameter(f"{role!r} is none of {', '.join(ROLES)}")
        roles[namespace or EVERYWHERE] = role
    return roles


role_option = click.option(
    "--role",
    "roles",
    multiple=True,
    callback=read_roles,
    metavar="ROLE[:NAMESPACE]",
    help="Role, in one namespace or in all. Repeatable.",
)


@click.group(cls=NounGroup)
def users() -> None:
    """Create, invite and change the people who use the console."""


@users.command("list")
@lists(USERS)
def list_users(client: Client, **page: Any) -> UserPage:
    """List users by name."""
    return client.users.list(**page)


@users.command("create")
@click.argument("name")
@role_option
@click.option("--full-name", default="", help="Name for people.")
@prints(print_invited)
def create_user(client: Client, *, name: str, roles: dict[str, str], full_name: str) -> InvitedUser:
    """Create a user and print the link to choose a password with, this once."""
    return client.users.create(name, roles, display_name=full_name)


@users.command("show")
@click.argument("name")
@prints(USERS)
def show_user(client: Client, *, name: str) -> UserInfo:
    """Show one user."""
    return client.users.get(name)


@users.command("change")
@click.argument("name")
@role_option
@click.option("--full-name", help="Name for people.")
@prints(USERS)
def change_user(client: Client, *, name: str, roles: dict[str, str], full_name: str | None) -> UserInfo:
    """Change the name for people, or replace all roles of a user."""
    return client.users.change(name, roles=roles or None, display_name=full_name)


@users.command("invite")
@click.argument("name")
@prints(print_invited)
def invite_user(client: Client, *, name: str) -> InvitedUser:
    """Print a new link with which a user chooses a password; the link before ends."""
    return client.users.invite(name)


@users.command("disable")
@click.argument("name")
@prints(USERS)
def disable_user(client: Client, *, name: str) -> UserInfo:
    """Let a user sign in no more; sign-ins under way end."""
    return client.users.change(name, disabled=True)


@users.command("enable")
@click.argument("name")
@prints(USERS)
def enable_user(client: Client, *, name: str) -> UserInfo:
    """Let a disabled user sign in again."""
    return client.users.change(name, disabled=False)


@users.command("sign-ins")
@click.argument("name")
@prints(SIGN_INS)
def list_sign_ins(client: Client, *, name: str) -> list[SignInInfo]:
    """List the latest sign-ins of a user."""
    return list(client.users.sign_ins(name))


@users.command("sign-out")
@click.argument("name")
@calls
def end_sign_ins(client: Client, *, name: str) -> None:
    """End the sign-ins of a user on all servers."""
    client.users.end_sign_ins(name)
    note(f"{name} is signed out everywhere")


@users.command("delete")
@deletes_one("user")
def delete_user(client: Client, name: str) -> None:
    """Delete a user, and end the user's sign-ins."""
    client.users.delete(name)
