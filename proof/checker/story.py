"""A trial in an order that checks can walk along."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from proof.checker.verdict import WITNESS_MAX, Violation, told
from proof.records import Execution, Fault, Operation, Record, Records, SessionChange, StepRow, Transition

FINAL = frozenset({"succeeded", "failed", "cancelled", "skipped"})
UNANSWERED = "info"
HARMLESS = frozenset({"machine_jump", "machine_drift"})
"""What an operator does to the clock of a machine that only runs ours: that excuses nothing."""


class Story:
    """Indexes over the channels, each made on first use."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.setup = records.setup

    @cached_property
    def chains(self) -> dict[str, list[Transition]]:
        """What the store remembers of each run; one that was withdrawn before it began has never been."""
        apart = frozenset(self.setup.flows)
        known = grouped(line for line in self.records.transitions if not line.lost and line.job not in apart)
        return {
            run: chain
            for run, chain in known.items()
            if (len(chain) > 1 or run not in self.withdrawn) and run not in self.refused
        }

    @cached_property
    def refused(self) -> frozenset[str]:
        """Runs of steps whose arguments could not be put together: they are over when they begin."""
        born = {line.run: line for line in self.records.transitions if not line.before and not line.lost}
        return frozenset(run for run, line in born.items() if line.job in self.setup.steps and line.state in FINAL)

    @cached_property
    def steps_of(self) -> dict[str, list[StepRow]]:
        """By workflow run."""
        found: dict[str, list[StepRow]] = defaultdict(list)
        for row in self.records.step_rows:
            found[row.workflow].append(row)
        return found

    @cached_property
    def groups(self) -> dict[str, str]:
        """The key of each run's limit."""
        return {row.run: row.group for row in self.records.run_rows if row.group}

    @cached_property
    def withdrawn(self) -> frozenset[str]:
        """Runs of triggers that were prepared, and taken back."""
        return frozenset(line.run for line in self.records.fires if not line.on and not line.lost)

    @cached_property
    def all_chains(self) -> dict[str, list[Transition]]:
        """With what a fail-over forgot."""
        return grouped(self.records.transitions)

    @cached_property
    def claims(self) -> dict[tuple[str, str], Transition]:
        """By run and token: the change that gave the run to an executor, forgotten ones too."""
        found: dict[tuple[str, str], Transition] = {}
        for line in self.records.transitions:
            if line.state == "running" and line.token:
                found.setdefault((line.run, line.token), line)
        return found

    @cached_property
    def executions(self) -> dict[str, list[Execution]]:
        found: dict[str, list[Execution]] = defaultdict(list)
        for line in self.records.executions:
            found[line.run].append(line)
        return found

    @cached_property
    def sessions(self) -> dict[str, list[SessionChange]]:
        found: dict[str, list[SessionChange]] = defaultdict(list)
        for line in self.records.sessions:
            if not line.lost:
                found[line.session].append(line)
        return found

    @cached_property
    def executor_of(self) -> dict[str, str]:
        return {line.session: line.executor for line in self.records.sessions}

    @cached_property
    def answers(self) -> dict[int, Operation]:
        """How each operation ended; one that was never answered counts as `info`."""
        return {line.id: line for line in self.records.operations if line.phase != "invoke"}

    @cached_property
    def invocations(self) -> list[Operation]:
        return [line for line in self.records.operations if line.phase == "invoke"]

    @cached_property
    def steered(self) -> dict[str, list[Operation]]:
        """What was asked of each run, but for what was refused."""
        found: dict[str, list[Operation]] = defaultdict(list)
        for line in self.invocations:
            if line.run and self.phase(line) != "fail":
                found[line.run].append(line)
        return found

    def phase(self, operation: Operation) -> str:
        answer = self.answers.get(operation.id)
        return UNANSWERED if answer is None else answer.phase

    def answered(self, *acts: str) -> list[tuple[Operation, Operation]]:
        """Invocations of these acts that were answered with `ok`, with their answers."""
        pairs = [(line, self.answers.get(line.id)) for line in self.invocations if line.act in acts]
        return [(line, answer) for line, answer in pairs if answer is not None and answer.phase == "ok"]

    def state_of(self, session: str, seq: int) -> str:
        """The state of a session as of the commit before that one; empty if it was unknown then."""
        states = [line.state for line in self.sessions.get(session, []) if line.seq < seq]
        return states[-1] if states else ""

    def forgotten(self, since: float, until: float | None = None) -> bool:
        """Whether a fail-over may have forgotten what was committed then, or at some time between the two."""
        last = since if until is None else until
        return any(begun <= last and since <= over for begun, over in self.setup.failovers)

    def disturbed(self, since: float, until: float, *, but: object = None) -> bool:
        """Whether any fault that matters, but for this one, was on during that time."""
        return any(one is not but and one.at <= until and one.until >= since for one in self.harmful)

    @cached_property
    def harmful(self) -> list[Fault]:
        return [one for one in self.records.faults if one.fault not in HARMLESS]

    def blame(self, invariant: str, message: str, run: str = "", lines: Iterable[Record] = ()) -> Violation:
        """A violation with its witness: the lines given, or else all that is known of the run."""
        shown = list(lines) or sorted([*self.all_chains.get(run, []), *self.executions.get(run, [])], key=_at)
        return Violation(invariant=invariant, message=message, run=run, witness=tuple(map(told, shown[-WITNESS_MAX:])))


def _at(line: Record) -> float:
    return line.at


def grouped(lines: Iterable[Transition]) -> dict[str, list[Transition]]:
    found: dict[str, list[Transition]] = defaultdict(list)
    for line in lines:
        found[line.run].append(line)
    return found
