"""`mainspring executor`."""

import asyncio
import importlib
import os
import platform
import sys
import threading
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.durations import read_seconds
from mainspring.cli.options import config_option, home_option, log_option
from mainspring.cli.processes.logs import log_to_stderr
from mainspring.cli.processes.notify import READY, feed_watchdog, notify
from mainspring.clock import SystemClock
from mainspring.errors import ConfigError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.link.lease import Lease
from mainspring.executor.link.session import Greeted
from mainspring.executor.process.executor import Executor
from mainspring.executor.process.loading import load_handlers
from mainspring.executor.process.signs import Sign
from mainspring.settings import TOKEN_EXECUTOR, ClientSettings, ExecutorSettings, load, read_token
from mainspring.settings.concealing import conceal
from mainspring.settings.sources import NO_CONTEXT
from mainspring.telemetry.start import start_tracing

STDIN = 0


@click.command()
@click.argument("apps", metavar="MODULE:APP...", nargs=-1, required=True)
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="URL",
    help="Server to connect to; it names the others. Repeatable. [default: MAINSPRING_URL]",
)
@click.option("--zone", help="Zone, such as eu-1a: servers of the same zone are preferred.")
@click.option("--name", help="Name of the executor, kept across restarts. [default: the host's name]")
@click.option("--namespace", help="Namespace. [default: default]")
@click.option(
    "--queue", "queues", multiple=True, help="Queue to take runs from. Repeatable. [default: those its jobs name]"
)
@click.option("--label", "labels", multiple=True, metavar="NAME=VALUE", help="Label, such as zone=eu. Repeatable.")
@click.option(
    "--resource",
    "resources",
    multiple=True,
    metavar="NAME=AMOUNT",
    help="Resource that attempts book, such as gpu=2 or memory=16GiB. Repeatable.",
)
@click.option(
    "--pool",
    "pools",
    multiple=True,
    metavar="POOL=CORE:MAX:QUEUE",
    help="Size of a pool, such as threads=4:32:64. Repeatable.",
)
@click.option(
    "--processes",
    metavar="N",
    help="Executor processes to run together; auto: one per core, 1:8: as many as its queues want. [default: 1]",
)
@click.option("--runs", type=click.IntRange(1), help="End after this many runs, and run no more than that at a time.")
@click.option("--idle", callback=read_seconds, metavar="DURATION", help="End after so long without anything to do.")
@click.option("--grace", callback=read_seconds, metavar="DURATION", help="Longest drain. [default: 30s]")
@click.option(
    "--stop-grace",
    callback=read_seconds,
    metavar="DURATION",
    help="Time for cancelled attempts to clean up. [default: 5s]",
)
@click.option(
    "--allow", multiple=True, metavar="HANDLER", help="Run the built-in handler shell or http, too. Repeatable."
)
@click.option("--code-version", help="Version of your code, shown to operators.")
@config_option
@home_option
@log_option
@click.option("--with-parent", is_flag=True, hidden=True, help="Drain when stdin ends.")
@click.option("--apply", "applying", is_flag=True, hidden=True, help="Apply the triggers of the code once connected.")
def executor(
    *,
    apps: tuple[str, ...],
    config: str | None,
    home: str | None,
    with_parent: bool,
    applying: bool,
    **flags: Any,
) -> None:
    """Run an executor for the jobs of one or several MODULE:APP."""
    app = " ".join(apps)
    given = {name: value for name, value in flags.items() if value != ()}
    settings = with_token(load(ExecutorSettings, given, config=config), home=home, config=config)
    # As the executor calls itself: lines and spans name it the same.
    name = settings.name or platform.node()
    log_to_stderr(settings.log_level, settings.log_format, executor=name, namespace=settings.namespace)
    secrets = conceal()
    if settings.processes != "1":
        # Only a supervisor pays for importing its parts.
        supervising: Any = importlib.import_module("mainspring.cli.processes.supervisor")
        given |= {"config": config, "home": home}
        supervised = supervising.run_supervised
        sys.exit(supervised(app, settings, given, secrets, with_parent=with_parent, applying=applying))
    import_from_here()
    place = {"executor": name, "namespace": settings.namespace}
    start_tracing("mainspring-executor", join=settings.trace_join, **place)
    greeted = apply_once(app, settings, home, config) if applying else None
    running = Executor(served(app, settings), settings, app=app, greeted=greeted, signs=systemd_signs())
    if with_parent:
        threading.Thread(target=stop_with_parent, args=(running,), daemon=True).start()
    sys.exit(running.run())


def systemd_signs() -> list[Sign]:
    """Ready once the link's loop turns, alive while it does; nothing outside of systemd."""
    if "NOTIFY_SOCKET" not in os.environ:
        return []

    async def notifying(_lease: Lease) -> None:
        notify(READY)
        await feed_watchdog(SystemClock())
        await asyncio.Event().wait()

    return [notifying]


def apply_once(app: str, settings: ExecutorSettings, home: str | None, config: str | None) -> Greeted:
    # Only an executor beside its server pays for importing a client.
    applying: Any = importlib.import_module("mainspring.cli.processes.apply_on_start")
    greeted: Greeted = applying.ApplyOnce(app, settings, home=home, config=config)
    return greeted


def served(app: str, settings: ExecutorSettings) -> Handlers:
    """Return the app's handlers and the allowed built-in ones."""
    handlers = load_handlers(app)
    if not settings.allow:
        return handlers
    # Only an executor that makes requests pays for importing what they take.
    builtin: Any = importlib.import_module("mainspring.executor.builtin")
    return Handlers(handlers, builtin.builtin_handlers(settings))


def with_token(settings: ExecutorSettings, *, home: str | None, config: str | None) -> ExecutorSettings:
    here = load(ClientSettings, {"home": home}, config=config, context=NO_CONTEXT)
    settings = msgspec.structs.replace(settings, ca_file=settings.ca_file or here.ca_file)
    if settings.token:
        return settings
    place = here.home
    token = read_token(place, TOKEN_EXECUTOR)
    if not token:
        raise ConfigError(f"no token: set MAINSPRING_EXECUTOR_TOKEN, or --home to the server's home (not {place})")
    return msgspec.structs.replace(settings, token=token)


def import_from_here() -> None:
    """Add the current folder to the import path, as `python -m` does."""
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)


def stop_with_parent(running: Executor) -> None:
    # Not through sys.stdin: a thread waiting inside it would hold its lock when the interpreter ends.
    while os.read(STDIN, 1024):
        pass
    running.stop()
