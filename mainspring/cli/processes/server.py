"""`mainspring server`."""

import asyncio
from typing import Any

import click

from mainspring.cli.options import server_options
from mainspring.cli.processes.first_token import show_first_link, show_first_token
from mainspring.cli.processes.logs import log_to_stderr
from mainspring.cli.processes.notify import READY, STOPPING, feed_watchdog, notify
from mainspring.cli.processes.signals import run, stop_on_signals
from mainspring.clock import SystemClock
from mainspring.domain.cluster.server import HOME
from mainspring.server import named, serve
from mainspring.settings import ServerSettings, load
from mainspring.settings.concealing import conceal
from mainspring.telemetry.start import start_tracing


@click.command()
@server_options
@click.option(
    "--migrate", is_flag=True, default=None, help="Apply missing migrations at the start (SQLite always does)."
)
def server(*, config: str | None, **flags: Any) -> None:
    """Run a server: the API and the scheduler."""
    settings = load(ServerSettings, flags, config=config)
    log_to_stderr(settings.log_level, settings.log_format, server=named(settings).scheduler.name, shard=HOME)
    conceal()
    start_tracing("mainspring-server")
    run(serve_until_signal(settings))


async def serve_until_signal(settings: ServerSettings) -> None:
    stop = asyncio.Event()
    stop_on_signals(stop)
    clock = SystemClock()
    feeding = asyncio.create_task(feed_watchdog(clock), name="watchdog")
    stopping = asyncio.create_task(tell_end(stop), name="stopping")
    try:
        await serve(settings, stop, listening=lambda _: tell_ready(), founded=show_first_token, peopled=show_first_link)
    finally:
        feeding.cancel()
        stopping.cancel()


def tell_ready() -> None:
    notify(READY)


async def tell_end(stop: asyncio.Event) -> None:
    await stop.wait()
    notify(STOPPING)
