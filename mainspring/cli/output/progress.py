"""How far long work has come: a bar or a spinner on stderr, if that is a terminal and nobody asked for quiet."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mainspring.cli.options import is_quiet

Advance = Callable[[int, str], None]
"""How much was done since the last call, and what to say beside the bar."""


def is_shown() -> bool:
    return sys.stderr.isatty() and not is_quiet()


@contextmanager
def progress(title: str, total: int | None, *, shown: bool = True) -> Iterator[Advance]:
    """A bar that grows to the total, or moves to and fro when that is not known; nothing is to be printed beside it."""
    if not (shown and is_shown()):
        yield lambda _done, _words: None
        return
    with open_bar() as bar:
        bar_id = bar.add_task(title, total=total, words="")
        yield lambda done, words: bar.update(bar_id, advance=done, words=words)


@contextmanager
def spinner(title: str) -> Iterator[None]:
    """Something that turns while one waits."""
    with progress(title, None):
        yield


def open_bar() -> Any:
    # Only a terminal pays for importing it.
    made = importlib.import_module("rich.progress")
    console = importlib.import_module("rich.console").Console(stderr=True)
    columns = (
        made.SpinnerColumn(),
        "{task.description}",
        made.BarColumn(),
        "{task.fields[words]}",
        made.TimeElapsedColumn(),
    )
    # Redirected, what is meant for stdout would come out on stderr.
    return made.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
