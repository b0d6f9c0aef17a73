"""`mainspring context`."""

import re
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.groups import NounGroup
from mainspring.cli.options import output_option
from mainspring.cli.output.tables import note, print_content, print_facts, print_table
from mainspring.client.transport.servers import check_urls
from mainspring.errors import ConfigError
from mainspring.settings.contexts import (
    KEPT_ELSEWHERE,
    NAME,
    Contexts,
    Table,
    check_table,
    contexts_path,
    read_contexts,
    table_of,
    write_contexts,
)
from mainspring.settings.files import read_secret
from mainspring.settings.origins import HIDDEN
from mainspring.settings.text import split

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@click.group(cls=NounGroup)
def context() -> None:
    """Name servers, and switch between them.

    A context is an address, a namespace and a token. Commands use the current one unless a flag or a variable names
    another server; --context NAME chooses another for one command.
    """


@context.command("add")
@click.argument("name")
@click.option("--url", required=True, help="Server, such as https://mainspring.example.com, or several: URL,URL.")
@click.option("--namespace", help="Namespace. [default: default]")
@click.option("--home", metavar="DIR", help="Home directory of a server on this machine, which holds its token.")
@click.option("--token-file", metavar="FILE", help="File with the token, readable only by you.")
@click.option("--token-env", metavar="VARIABLE", help="Environment variable with the token.")
@click.option("--ca-file", metavar="FILE", help="PEM file of the authority that signed the server's certificate.")
@click.option(
    "--store-token", is_flag=True, help="Ask for the token, or read it from stdin, and keep it in the contexts file."
)
@click.option("--use", "in_use", is_flag=True, help="Switch to it; the first context is used anyway.")
@click.option("--force", is_flag=True, help="Replace a context of that name.")
def add_context(*, name: str, store_token: bool, in_use: bool, force: bool, **given: str | None) -> None:
    """Add a server under a NAME."""
    contexts = read_contexts(contexts_path())
    check_name(contexts, name, force=force)
    table = {setting: value for setting, value in given.items() if value is not None}
    check_values(table)
    if store_token:
        table["token"] = ask_for_token()
    check_table(f"context {name}", table)
    current = name if in_use or not contexts.tables else contexts.current
    write_contexts(Contexts(contexts.path, current, {**contexts.tables, name: table}))
    note(f"added {name}" + (", in use now" if current == name else f"; to use it: mainspring context use {name}"))


@context.command("list")
@output_option
def list_contexts(*, output: str) -> None:
    """List the contexts; a star marks the current one."""
    contexts = read_contexts(contexts_path())
    found = [shown(contexts, name) for name in sorted(contexts.tables)]
    if output != "table":
        print_content(found, output)
        return
    columns = ("current", "name", "url", "namespace", "token")
    rows = [["*" if each["current"] else "", *(each[column] for column in columns[1:])] for each in found]
    print_table(columns, rows)
    if not found:
        note("none yet; add one: mainspring context add NAME --url URL")


@context.command("use")
@click.argument("name", required=False)
@click.option("--none", is_flag=True, help="Use no context.")
def use_context(*, name: str | None, none: bool) -> None:
    """Switch to the context NAME."""
    if none == (name is not None):
        raise click.UsageError("Give the name of a context, or --none.")
    contexts = read_contexts(contexts_path())
    if name is not None:
        table_of(contexts, name)
    write_contexts(msgspec.structs.replace(contexts, current=name or ""))
    note(f"in use: {name or 'none'}")


@context.command("show")
@click.argument("name", required=False)
@output_option
def show_context(*, name: str | None, output: str) -> None:
    """Show a context, without its token. [default: the current one]"""
    contexts = read_contexts(contexts_path())
    asked = name or contexts.current
    if not asked:
        raise ConfigError("no context is in use: name one, or choose one by 'mainspring context use NAME'")
    found = shown(contexts, asked)
    if output != "table":
        print_content(found, output)
    else:
        print_facts([*found.items(), ("file", contexts.path)])


@context.command("remove")
@click.argument("name")
def remove_context(*, name: str) -> None:
    """Remove a context."""
    contexts = read_contexts(contexts_path())
    table_of(contexts, name)
    tables = {each: table for each, table in contexts.tables.items() if each != name}
    current = "" if contexts.current == name else contexts.current
    write_contexts(Contexts(contexts.path, current, tables))
    note(f"removed {name}" + (", which was in use: now none is" if contexts.current == name else ""))


def ask_for_token() -> str:
    """Read the token from the terminal or stdin."""
    # Not a flag: other users of the machine see those, and the shell keeps them.
    if sys.stdin.isatty():
        return str(click.prompt("Token", hide_input=True, err=True)).strip()
    token = sys.stdin.readline().strip()
    if not token:
        raise click.UsageError("--store-token: there is no token on stdin.")
    return token


def check_name(contexts: Contexts, name: str, *, force: bool) -> None:
    if not NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} is not a name: 1 to 63 letters, digits, '.', '-' or '_'.")
    if name in contexts.tables and not force:
        raise click.UsageError(f"There is a context {name!r} already; --force replaces it.")


def check_values(table: Table) -> None:
    """Raise an error for values that cannot work, and make paths absolute."""
    check_urls(split(table["url"]))
    if "token_env" in table and not VARIABLE.fullmatch(table["token_env"]):
        raise click.UsageError(f"--token-env: {table['token_env']!r} is not the name of a variable.")
    if "token_file" in table:
        table["token_file"] = str(Path(table["token_file"]).expanduser().absolute())
        read_secret(table["token_file"], "--token-file")
    for name in ("home", "ca_file"):
        if name in table:
            table[name] = str(Path(table[name]).expanduser().absolute())


def shown(contexts: Contexts, name: str) -> dict[str, Any]:
    table = table_of(contexts, name)
    elsewhere = next((f"{way.removeprefix('token_')} {table[way]}" for way in KEPT_ELSEWHERE if way in table), None)
    rest = {
        setting: value for setting, value in table.items() if setting not in ("token", "namespace", *KEPT_ELSEWHERE)
    }
    return {
        "name": name,
        "current": name == contexts.current,
        "namespace": table.get("namespace", "default"),
        "token": HIDDEN if "token" in table else elsewhere,
        **rest,
    }
