"""The admin token of a new database: shown once at a terminal, and else only where it is kept."""

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
OTHERS = """Make tokens for others with: mainspring tokens create NAME --role viewer|operator|editor|admin
"""


def show_first_token(settings: ServerSettings, token: str) -> None:
    """What is no terminal is kept: by a supervisor, a container's log, a file. A token has no place there."""
    words = SHOWN if sys.stdout.isatty() else KEPT
    click.echo(words.format(token=token, path=Path(settings.home).absolute() / TOKEN_API))
    click.echo(OTHERS)
