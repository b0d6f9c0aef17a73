"""The admin token of a new database, printed once."""

from pathlib import Path

import click

from mainspring.settings import TOKEN_API, ServerSettings


def show_first_token(settings: ServerSettings, token: str) -> None:
    click.echo(f"""
This database is new. Its first admin token, shown only now:

  {token}

Commands on this machine find it in {Path(settings.home).absolute() / TOKEN_API}.
Make tokens for others with: mainspring tokens create NAME --role viewer|operator|editor|admin
""")
