"""`mainspring version`."""

import sys
from contextlib import suppress
from typing import Any

import click
import msgspec

from mainspring.cli.doctor.probe import ask_version, target_of
from mainspring.cli.options import client_options, report_option
from mainspring.cli.output.tables import print_content, print_facts
from mainspring.client.transport.servers import find_token
from mainspring.errors import AccessDeniedError, ConfigError
from mainspring.settings import ClientSettings
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL


@click.command()
@click.option("--server", is_flag=True, help="Show the server's versions, too.")
@client_options
@report_option
def version(*, server: bool, output: str, **target: Any) -> None:
    """Show the versions of this command and, with --server, of the server."""
    found: dict[str, Any] = {"version": __version__, "python": sys.version.split()[0], "protocol": PROTOCOL}
    if server:
        found["server"] = ask_server(target_of(**target))
    if output != "table":
        print_content(found, output)
        return
    theirs = found.pop("server", {})
    print_facts([*found.items(), *((f"server {name}", value) for name, value in theirs.items())])


def ask_server(target: ClientSettings) -> dict[str, Any]:
    """Read the server's versions; raises AccessDeniedError without a valid token."""
    with suppress(ConfigError):
        target = msgspec.structs.replace(target, token=find_token(target))
    found = ask_version(target)
    if found.version is None:
        raise AccessDeniedError("the server shows its version only to callers with a valid token", code="token_missing")
    return {"version": found.version, "protocol": found.protocol, "python": found.python}
