"""Prints the admin token of a new database at a terminal; elsewhere, only its path."""

import sys
from pathlib import Path

import click

from mainspring.settings import TOKEN_API, ServerSettings

SHOWN = """
This database is new. Its first admin token, shown only now:

  {token}

Commands on this machine find it in {path}."""
KEPT = """
This database is new. Its first admin token is in {path}, readable only by its owner.
Commands on this machine find it there."""
OTHERS = """Create tokens for others with: mainspring tokens create NAME --role viewer|operator|editor|admin
"""


def show_first_token(settings: ServerSettings, token: str) -> None:
    """Print the token if stdout is a terminal, else the path of its file."""
    # Other outputs are kept, in a container's log or a file, where no token belongs.
    words = SHOWN if sys.stdout.isatty() else KEPT
    click.echo(words.format(token=token, path=Path(settings.home).absolute() / TOKEN_API))
    click.echo(OTHERS)
