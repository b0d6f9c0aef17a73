"""What a trial leaves behind: four independent channels, written as JSON lines, read by one checker.

C, client operations: what a client asked for and was answered (`Operation`).
T, the handlers' ledger: what was physically executed, written by the handlers themselves (`Execution`).
A, the audit: each change of a run, a session, a rule, a trigger or the ledger of its instants, in the order of their commits
(`Transition`, `SessionChange`, `RuleChange`, `TriggerChange`, `FireChange`, `SkipChange`). Seen from outside the product: by
triggers of the database, never by the product's own word.
D, the final dump: the tables as they were found when everything was over (`RunRow` and the other rows).

Beside them the harness writes what it did (`Fault`), what crossed the connections (`Frame`), and what it had set up
(`Setup`), which no check takes for evidence but some need to excuse or to measure.

Times are seconds since the trial began, by one clock: the virtual one, or CLOCK_MONOTONIC of the one machine. Instants that
the database holds are converted to that scale by its clock at the beginning. Runs are named as in the API (UUID text), tokens
and sessions in hex.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from proof.lines.changes import FireChange, RuleChange, SessionChange, SkipChange, Transition, TriggerChange
from proof.lines.clients import Operation, Phase
from proof.lines.ledger import Execution
from proof.lines.record import Record
from proof.lines.rows import AttemptRow, FlowRow, KeyRow, LogRow, RunRow, SessionRow, StepRow, SweepRow
from proof.lines.trial import Fault, Frame, JobRule, Setup

__all__ = [
    "CHANNELS",
    "AttemptRow",
    "Execution",
    "Fault",
    "FireChange",
    "FlowRow",
    "Frame",
    "JobRule",
    "KeyRow",
    "Line",
    "LogRow",
    "Operation",
    "Phase",
    "Record",
    "Records",
    "RuleChange",
    "RunRow",
    "SessionChange",
    "SessionRow",
    "Setup",
    "SkipChange",
    "StepRow",
    "SweepRow",
    "Transition",
    "TriggerChange",
    "encode",
    "gather",
    "read",
    "read_lines",
    "write",
]

Line = (
    Operation
    | Execution
    | Transition
    | SessionChange
    | RuleChange
    | TriggerChange
    | FireChange
    | SkipChange
    | RunRow
    | AttemptRow
    | SessionRow
    | KeyRow
    | LogRow
    | SweepRow
    | FlowRow
    | StepRow
    | Fault
    | Frame
    | Setup
)


class Records(msgspec.Struct, kw_only=True):
    """A whole trial. An empty list is a channel that is missing, unless the trial says that nothing was to happen."""

    setup: Setup
    operations: list[Operation] = []
    executions: list[Execution] = []
    transitions: list[Transition] = []
    sessions: list[SessionChange] = []
    rules: list[RuleChange] = []
    triggers: list[TriggerChange] = []
    fires: list[FireChange] = []
    skips: list[SkipChange] = []
    run_rows: list[RunRow] = []
    attempt_rows: list[AttemptRow] = []
    session_rows: list[SessionRow] = []
    key_rows: list[KeyRow] = []
    log_rows: list[LogRow] = []
    sweep_rows: list[SweepRow] = []
    flow_rows: list[FlowRow] = []
    step_rows: list[StepRow] = []
    faults: list[Fault] = []
    frames: list[Frame] = []

    def lines(self) -> Iterator[Line]:
        yield self.setup
        for kind in CHANNELS.values():
            yield from getattr(self, kind)


CHANNELS: dict[type[Record], str] = {
    Operation: "operations",
    Execution: "executions",
    Transition: "transitions",
    SessionChange: "sessions",
    RuleChange: "rules",
    TriggerChange: "triggers",
    FireChange: "fires",
    SkipChange: "skips",
    RunRow: "run_rows",
    AttemptRow: "attempt_rows",
    SessionRow: "session_rows",
    KeyRow: "key_rows",
    LogRow: "log_rows",
    SweepRow: "sweep_rows",
    FlowRow: "flow_rows",
    StepRow: "step_rows",
    Fault: "faults",
    Frame: "frames",
}

IN_ORDER_OF_COMMITS = frozenset({"transitions", "sessions", "rules", "triggers", "fires", "skips"})
_decoder = msgspec.json.Decoder(Line)


def gather(lines: Iterable[Line]) -> Records:
    """Sort lines of any number of writers into their channels, each in the order of time."""
    found: dict[str, list[Any]] = {name: [] for name in CHANNELS.values()}
    setup: Setup | None = None
    for line in lines:
        if isinstance(line, Setup):
            setup = line
        else:
            found[CHANNELS[type(line)]].append(line)
    if setup is None:
        raise ValueError("no line says what was set up")
    for name, kept in found.items():
        kept.sort(key=_place if name in IN_ORDER_OF_COMMITS else _time)
    return Records(setup=setup, **found)


def _time(line: Line) -> float:
    return line.at


def _place(line: Line) -> int:
    return getattr(line, "seq", 0)


def encode(line: Line) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def write(path: Path, lines: Iterable[Line]) -> None:
    path.write_bytes(b"".join(map(encode, lines)))


def read(*paths: Path) -> Records:
    """All lines of these files; a last line that was cut short by a kill is left out."""
    return gather(line for path in paths for line in read_lines(path.read_bytes()))


def read_lines(raw: bytes) -> Iterator[Line]:
    *whole, _rest = raw.split(b"\n")
    for line in whole:
        yield _decoder.decode(line)
