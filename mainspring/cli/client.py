"""Opens the client of a command."""

import click

from mainspring.client.client import Client
from mainspring.client.transport.servers import find_server

TARGET = "mainspring.target"
"""Key of the called server in a command's context."""


def open_client(
    *, config: str | None, home: str | None, url: str | None, namespace: str | None, context: str | None = None
) -> Client:
    found = find_server((url, None, namespace), home=home, config=config, context=context)
    if (command := click.get_current_context(silent=True)) is not None:
        command.meta[TARGET] = found
    return Client(found.url, token=found.token, namespace=found.namespace, ca_file=found.ca_file)
