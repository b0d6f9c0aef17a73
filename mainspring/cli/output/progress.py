"""Progress bars and spinners on stderr, if that is a terminal and --quiet is not given."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mainspring.cli.options import is_quiet

Advance = Callable[[int, str], None]
"""Takes the progress since the last call, and the words beside the bar."""


def is_shown() -> bool:
    return sys.stderr.isatty() and not is_quiet()


@contextmanager
def progress(title: str, total: int | None, *, shown: bool = True) -> Iterator[Advance]:
    """Show a bar that grows to the total, or moves back and forth if that is unknown; print nothing meanwhile."""
    if not (shown and is_shown()):
        yield lambda _done, _words: None
        return
    with open_bar() as bar:
        bar_id = bar.add_task(title, total=total, words="")
        yield lambda done, words: bar.update(bar_id, advance=done, words=words)


@contextmanager
def spinner(title: str) -> Iterator[None]:
    """Show a spinner."""
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
    # Otherwise rich would send lines for stdout to stderr.
    return made.Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
