"""Prints the admin token of a new database, and the link for its first user, at a terminal; elsewhere, only their paths."""

import sys
from pathlib import Path

import click

from mainspring.console.pages import START
from mainspring.settings import TOKEN_API, ServerSettings, keep_token

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


FIRST_LINK = "first-admin.url"
LINK_SHOWN = """Nobody can sign in to the console by name yet. Make the first admin, once and within an hour:

  {link}
"""
LINK_KEPT = """Nobody can sign in to the console by name yet. The link to make the first admin, good once and for an hour, is in
{path}, readable only by its owner.
"""


def show_first_link(settings: ServerSettings, code: str) -> None:
    """Print the link if stdout is a terminal, else the path of its file."""
    link = f"{settings.url}{START}#{code}"
    if sys.stdout.isatty():
        click.echo(LINK_SHOWN.format(link=link))
    else:
        click.echo(LINK_KEPT.format(path=keep_token(settings.home, FIRST_LINK, link).absolute()))
