"""`mainspring top`: queues and executors, live."""

import importlib
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from mainspring.cli.commands.top import screen
from mainspring.cli.durations import read_seconds
from mainspring.cli.verbs import calls
from mainspring.client.client import Client
from mainspring.errors import UnavailableError

QUIT = ("q", "Q")
SHORTEST, LONGEST = 0.1, 3600.0


def read_interval(context: click.Context, option: click.Parameter, value: str) -> float:
    seconds = read_seconds(context, option, value) or 0.0
    if not SHORTEST <= seconds <= LONGEST:
        raise click.BadParameter(f"{value!r} is not between 0.1s and 1h.")
    return seconds


@click.command()
@click.option("--once", is_flag=True, help="Print one frame and exit, as into a pipe.")
@click.option(
    "--interval",
    callback=read_interval,
    default="2s",
    show_default=True,
    metavar="DURATION",
    help="Time between two screen.",
)
@calls
def top(client: Client, *, once: bool, interval: float) -> None:
    """Watch the load of queues and executors, and what is wrong, live. `q` or Ctrl-C ends it."""
    if once or not sys.stdout.isatty():
        print_frame(screen.look(client))
        return
    with suppress(KeyboardInterrupt):
        watch(client, interval)


def print_frame(frame: screen.ScreenFrame) -> None:
    click.echo(screen.headline(frame))
    if frame.findings:
        click.echo()
        screen.FINDING_SHEET.print_table(frame.findings)
    click.echo()
    screen.QUEUE_SHEET.print_table(frame.queues)
    click.echo()
    screen.EXECUTOR_SHEET.print_table(frame.executors)


def watch(client: Client, interval: float) -> None:
    """Draw frame after frame; while the server is unavailable, show the last one with the error."""
    console: Any = importlib.import_module("rich.console").Console()
    live: Any = importlib.import_module("rich.live").Live
    title = f"mainspring top, namespace {client.namespace}, every {interval:g} s; q quits"
    frame, trouble = screen.look(client), ""
    with keys() as pressed, live(console=console, screen=True, auto_refresh=False) as display:
        while True:
            drawn = screen.draw(frame, title=title, trouble=trouble, height=console.size.height)
            display.update(drawn, refresh=True)
            if pressed(interval) in QUIT:
                return
            try:
                frame, trouble = screen.look(client), ""
            except UnavailableError as error:
                trouble = f"{error}; trying again"


@contextmanager
def keys() -> Iterator[Any]:
    """Yield a function that waits for a key for at most `seconds`; without a keyboard it only waits."""
    if not sys.stdin.isatty():
        yield lambda seconds: threading.Event().wait(seconds) or ""
        return
    termios: Any = importlib.import_module("termios")
    before = termios.tcgetattr(sys.stdin)
    importlib.import_module("tty").setcbreak(sys.stdin)
    try:
        yield read_key
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def read_key(seconds: float) -> str:
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return sys.stdin.read(1) if ready else ""
