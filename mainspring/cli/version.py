"""`mainspring version`."""

import sys
from typing import Any

import click
import msgspec

from mainspring.cli.options import client_options, report_option
from mainspring.cli.output import print_content, print_facts
from mainspring.cli.probe import ask_version, target_of
from mainspring.version import __version__
from mainspring.wire.messages import PROTOCOL


@click.command()
@click.option("--server", is_flag=True, help="Ask the server as well.")
@client_options
@report_option
def version(*, server: bool, output: str, **target: Any) -> None:
    """Show the versions of this command and, with --server, of the server."""
    found: dict[str, Any] = {"version": __version__, "python": sys.version.split()[0], "protocol": PROTOCOL}
    if server:
        found["server"] = msgspec.to_builtins(ask_version(target_of(**target)))
    if output != "table":
        print_content(found, output)
        return
    theirs = found.pop("server", {})
    print_facts([*found.items(), *((f"server {name}", value) for name, value in theirs.items())])
