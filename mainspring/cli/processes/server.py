"""`mainspring server`."""

import asyncio
from typing import Any

import click

from mainspring.cli.options import server_options
from mainspring.cli.processes.first_token import show_first_link, show_first_token
from mainspring.cli.processes.logs import log_to_stderr
from mainspring.cli.processes.signals import run, stop_on_signals
from mainspring.server import serve
from mainspring.settings import ServerSettings, load
from mainspring.settings.concealing import conceal


@click.command()
@server_options
@click.option(
    "--migrate", is_flag=True, default=None, help="Apply missing migrations at the start (SQLite always does)."
)
def server(*, config: str | None, log_level: str, log_format: str, **flags: Any) -> None:
    """Run a server: the API and the scheduler."""
    settings = load(ServerSettings, flags, config=config)
    log_to_stderr(log_level, log_format)
    conceal()
    run(serve_until_signal(settings))


async def serve_until_signal(settings: ServerSettings) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop)
    await serve(settings, stop, founded=show_first_token, peopled=show_first_link)
