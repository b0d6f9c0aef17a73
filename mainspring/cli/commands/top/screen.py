"""One frame of `mainspring top`: its content and its layout."""

import importlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from mainspring.cli.commands.executors import EXECUTORS, show_taken
from mainspring.cli.commands.queues import QUEUES
from mainspring.cli.output.columns import size_of
from mainspring.cli.output.sheets import Sheet
from mainspring.cli.output.tables import cell
from mainspring.client.client import Client
from mainspring.contract.alerts.views import FindingInfo
from mainspring.contract.executors import ExecutorInfo
from mainspring.contract.queues import QueueInfo

BARS = "▁▂▃▄▅▆▇█"
PAGE = 500
AROUND = 8
"""Lines of a frame that are no rows of the two tables."""
STYLES = {"paused": "yellow", "cordoned": "yellow", "draining": "magenta", "live": "green", "open": "green"}


class ScreenFrame(msgspec.Struct, frozen=True, kw_only=True):
    """The queues and executors of one moment."""

    queues: list[QueueInfo]
    executors: list[ExecutorInfo]
    findings: list[FindingInfo]
    """What is wrong, the worst first."""
    more: bool
    """Whether the server has more queues or executors than were read."""


def look(client: Client) -> ScreenFrame:
    queues, executors = client.queues.list(limit=PAGE), client.executors.list(limit=PAGE)
    return ScreenFrame(
        queues=sorted(queues.queues, key=urgency),
        executors=executors.executors,
        findings=client.alerts.findings().findings,
        more=queues.next is not None or executors.next is not None,
    )


def urgency(queue: QueueInfo) -> tuple[int, str]:
    """Sort key: the busiest queue first."""
    return -(queue.backlog + queue.running), queue.name


def headline(frame: ScreenFrame) -> str:
    """Return the totals of all queues and executors."""
    queued = sum(queue.queued for queue in frame.queues)
    running = sum(queue.running for queue in frame.queues)
    rate = sum(queue.rates.finished for queue in frame.queues if queue.rates is not None)
    failed = sum(queue.rates.failed for queue in frame.queues if queue.rates is not None)
    words = f"{queued} queued, {running} running, {rate:g} a minute finished, {failed:g} of them failed"
    count = len(frame.executors)
    return f"{words}; {count} executor{'' if count == 1 else 's'}{', and more' if frame.more else ''}"


def taken_at(frame: ScreenFrame) -> datetime | None:
    return next((queue.taken_at for queue in frame.queues), None)


def sparkline(counts: Sequence[int]) -> str:
    """Return a bar for each number, scaled to the largest."""
    most = max(counts, default=0)
    return "".join(BARS[-(-count * (len(BARS) - 1) // most)] if most else BARS[0] for count in counts)


QUEUE_SHEET = Sheet(
    "queue",
    columns=(
        ("queue", "name"),
        *QUEUES.columns[1:8],
        ("last minutes", lambda queue: "" if queue.rates is None else sparkline(queue.rates.recent)),
        ("on", lambda queue: f"{queue.executors}x"),
        QUEUES.columns[-1],
    ),
)
EXECUTOR_SHEET = Sheet(
    "executor",
    columns=(
        *(("executor", "name"), EXECUTORS.columns[2]),
        ("taken", lambda one: show_taken(one) or f"-/{sum(pool.room for pool in one.pools)}"),
        *(*EXECUTORS.columns[4:7], "state"),
    ),
)


FINDING_SHEET = Sheet(
    "finding",
    columns=(
        *(("wrong", "subject"), ("found", "words"), ("since", "since_at")),
        ("what to do", "remedy"),
    ),
)
WORST = 3
"""Findings that a frame shows."""


def draw(frame: ScreenFrame, *, title: str, trouble: str, height: int) -> Any:
    """Lay out a frame for a terminal of `height` lines."""
    group: Any = importlib.import_module("rich.console").Group
    text: Any = importlib.import_module("rich.text").Text
    findings = frame.findings[:WORST]
    room = max(4, height - AROUND - len(findings) - 2 * bool(findings))
    executors = frame.executors[: max(2, room // 3)]
    queues = frame.queues[: max(2, room - len(executors))]
    state = text(trouble, style="bold red") if trouble else text(f"as of {cell(taken_at(frame))}", style="dim")
    return group(
        text(title, style="bold"),
        text(headline(frame)),
        state,
        *(("", table(FINDING_SHEET, findings, hidden=len(frame.findings) - len(findings))) if findings else ()),
        "",
        table(QUEUE_SHEET, queues, hidden=len(frame.queues) - len(queues)),
        "",
        table(EXECUTOR_SHEET, executors, hidden=len(frame.executors) - len(executors)),
    )


def table(sheet: Sheet, things: Sequence[Any], *, hidden: int) -> Any:
    columns, *rows = sheet.rows(things)
    text: Any = importlib.import_module("rich.text").Text
    made: Any = importlib.import_module("rich.table").Table(box=None, pad_edge=False, expand=True)
    for place, column in enumerate(columns):
        # Names are never cut: operators type them again.
        whole = max(size_of(cell(row[place])) for row in (columns, *rows)) if place == 0 else None
        made.add_column(column, overflow="ellipsis", no_wrap=True, justify="left", width=whole)
    for row in rows:
        made.add_row(*(text(cell(value), STYLES.get(cell(value), "")) for value in row))
    if hidden:
        made.add_row(text(f"and {hidden} more", "dim"))
    return made
