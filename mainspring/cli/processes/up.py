"""`mainspring up`: a server and an executor on one machine."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import click

from mainspring.cli.options import server_options
from mainspring.cli.processes.child import ExecutorChild
from mainspring.cli.processes.first_token import show_first_link, show_first_token
from mainspring.cli.processes.logs import log_to_stderr, usual_form
from mainspring.cli.processes.reload import CodeWatch
from mainspring.cli.processes.signals import run, stop_on_signals
from mainspring.clock import SystemClock
from mainspring.server import serve
from mainspring.settings import TOKEN_API, ServerSettings, load
from mainspring.settings.concealing import conceal
from mainspring.settings.contexts import contexts_path, read_contexts
from mainspring.version import __version__

GRACE_RELOAD = "1"
APP_DEFAULT = "mainspring.examples.shop:app mainspring.examples.back_office:app mainspring.examples.night:app"
EXAMPLE = ("welcome_mail", "email=anna@example.com name=Anna", '{"email": "anna@example.com", "name": "Anna"}')


@click.command()
@click.argument("apps", metavar="[MODULE:APP]...", nargs=-1)
@click.option(
    "--pool", "pools", multiple=True, metavar="POOL=CORE:MAX:QUEUE", help="Size of an executor pool. Repeatable."
)
@click.option("--reload", "watched", is_flag=True, help="Restart the executor when code in this folder changes.")
@server_options
def up(
    *,
    apps: tuple[str, ...],
    pools: tuple[str, ...],
    watched: bool,
    config: str | None,
    **flags: Any,
) -> None:
    """Start a server and an executor on this machine, for one or several MODULE:APP (or the shipped examples).

    --home holds the SQLite file and the tokens. Ctrl-C drains and ends both.
    """
    settings = load(ServerSettings, {**flags, "migrate": True}, config=config)
    form = settings.log_format or usual_form()
    log_to_stderr(settings.log_level, form)
    conceal()
    sizes = [part for pool in pools for part in ("--pool", pool)]
    file = ["--config", config] if config else []
    options = [*file, "--log-level", settings.log_level, "--log-format", form, *sizes]
    run(run_both(settings, " ".join(apps) or APP_DEFAULT, options, watched=watched))


async def run_both(settings: ServerSettings, app: str, options: list[str], *, watched: bool) -> None:
    """Run both until a signal; stop the executor first, so that its last outcomes reach the server."""
    stop, server_stop = asyncio.Event(), asyncio.Event()
    stop_on_signals(stop)
    listening: asyncio.Queue[ServerSettings] = asyncio.Queue()
    serving = serve(
        settings,
        server_stop,
        listening=listening.put_nowait,
        founded=show_first_token,
        peopled=show_first_link,
        with_executor=True,
    )
    server = asyncio.create_task(serving, name="server")
    server.add_done_callback(lambda _: stop.set())
    try:
        if (settled := await first(listening, stop)) is not None:
            announce(settled, app, watched=watched)
            await executor_child(settled, app, options, watched=watched).keep(stop)
    finally:
        server_stop.set()
        await server


async def first(listening: asyncio.Queue[ServerSettings], stop: asyncio.Event) -> ServerSettings | None:
    """Return the server's settings once it listens; None if it stops before that."""
    getting, stopping = asyncio.create_task(listening.get()), asyncio.create_task(stop.wait())
    await asyncio.wait((getting, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if getting.done():
        return getting.result()
    getting.cancel()
    return None


def executor_child(settings: ServerSettings, app: str, options: list[str], *, watched: bool) -> ExecutorChild:
    arguments = [app, "--server", settings.url, "--apply", *options]
    clock = SystemClock()
    if not watched:
        return ExecutorChild(arguments, env=child_environment(settings), clock=clock)
    # A developer who changes code does not want to wait for the attempts of the old one.
    arguments += ["--grace", GRACE_RELOAD]
    return ExecutorChild(arguments, env=child_environment(settings), clock=clock, watch=CodeWatch(Path.cwd(), clock))


def child_environment(settings: ServerSettings) -> dict[str, str]:
    """Return the environment that connects the executor and its handlers to this server."""
    return {
        "MAINSPRING_EXECUTOR_TOKEN": settings.executor_token,
        "MAINSPRING_HOME": settings.home,
        "MAINSPRING_URL": settings.url,
    }


def calling() -> str:
    """Return the words that start this command in the user's shell: its name only if the PATH finds this one."""
    script = Path(sys.executable).with_name("mainspring")
    if not script.exists():
        return f"{sys.executable} -m mainspring"
    if (found := shutil.which("mainspring")) is not None and Path(found).resolve() == script.resolve():
        return "mainspring"
    return str(script.relative_to(Path.cwd()) if script.is_relative_to(Path.cwd()) else script)


def is_led_elsewhere() -> bool:
    """Return whether this user's commands call another server by default."""
    named = os.environ.get("MAINSPRING_URL") or os.environ.get("MAINSPRING_CONTEXT")
    return bool(named or read_contexts(contexts_path()).current)


def announce(settings: ServerSettings, app: str, *, watched: bool = False) -> None:
    job, words, text = EXAMPLE if app == APP_DEFAULT else ("JOB", "name=value", '{"name": "value"}')
    token, command = Path(settings.home) / TOKEN_API, calling()
    place = "" if settings.home == ServerSettings().home else f" --home {settings.home}"
    target = "" if settings.port == ServerSettings().port and not is_led_elsewhere() else f" --url {settings.url}"
    bearer = f"$(cat {token})" if token.exists() else "$MAINSPRING_TOKEN"
    click.echo(f"""
Mainspring {__version__} is up.

  console   {settings.url}/console/   (sign in with {"the token in " + str(token) if token.exists() else "a token"})
  server    {settings.url}   (health: /readyz)
  executor  {app}{"   (starts again when code changes)" if watched else ""}
  home      {Path(settings.home).absolute()}

Ask for a run, in this folder:

  {command} enqueue {job} {words} --wait{place}{target}

  curl {settings.url}/api/v1/runs -H "Authorization: Bearer {bearer}" \\
    -H 'Content-Type: application/json' -d '{{"job": "{job}", "input": {text}}}'

See what happened:  {command} runs list{place}{target}
Watch it happen:    {command} top{place}{target}
""")
