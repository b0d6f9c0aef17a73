"""What a trial says in the end."""

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from proof.chaos.figures import Figure
from proof.chaos.limits import seconds_over_limits
from proof.chaos.plan import Plan
from proof.chaos.plot import per_second, text_plot
from proof.checker import Verdict
from proof.records import Execution, Records

BUSY = 3.0
"""Load for each core beyond which other programs must be at work too."""
DEADLY = frozenset({"poison", "hog"})
"""Jobs that kill the process that runs them."""


class Repeats(msgspec.Struct, frozen=True):
    """How often handlers ran beyond what was meant."""

    runs: int
    executions: int
    extra: int
    """Executions beyond the first that neither a failure, nor a suspension, nor the handler's own deadliness explains."""
    overlaps: int
    """Pairs of executions of one run that were under way at the same time, both to their end."""
    overlap_seconds: float

    @property
    def rate(self) -> float:
        return self.extra / self.runs if self.runs else 0.0


def count_repeats(records: Records) -> Repeats:
    meant = Counter({row.run: row.failures for row in records.run_rows})
    meant.update(row.run for row in records.attempt_rows if row.outcome == "suspended")
    deadly = {row.run for row in records.run_rows if row.job in DEADLY}
    by_run: dict[str, list[Execution]] = defaultdict(list)
    for line in records.executions:
        by_run[line.run].append(line)
    starts = {run: sum(line.event == "start" for line in lines) for run, lines in by_run.items()}
    spans = [span for lines in by_run.values() for span in overlaps(lines)]
    return Repeats(
        runs=len(starts),
        executions=sum(starts.values()),
        extra=sum(max(0, count - 1 - meant[run]) for run, count in starts.items() if run not in deadly),
        overlaps=len(spans),
        overlap_seconds=sum(spans),
    )


def overlaps(lines: Sequence[Execution]) -> list[float]:
    """How long each execution of a run went on beside the next."""
    begun = {line.attempt: line.at for line in lines if line.event == "start"}
    ended = {line.attempt: line.at for line in lines if line.event in {"end", "killed"}}
    spans = sorted((at, ended[attempt]) for attempt, at in begun.items() if attempt in ended)
    return [until - after for (_, until), (after, _) in pairwise(spans) if until > after]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known when a trial is over."""

    plan: Plan
    minutes: float
    records: Records
    figures: list[Figure]
    verdict: Verdict
    broken: list[str]
    """Faults that could not be inflicted or healed as meant, with the reason."""
    load: float
    """The highest load average of the machine."""

    times_decide: bool = True
    """Whether a time over its target fails the trial; counts always do."""

    @property
    def good(self) -> bool:
        return self.verdict.valid and not self.broken and all(map(self.passes, self.figures))

    def passes(self, figure: Figure) -> bool:
        return figure.held or (figure.is_time and not self.times_decide)


def render(report: Report) -> str:
    records = report.records
    until = max((line.at for line in records.executions), default=0.0)
    parts = [
        f"chaos, seed {report.plan.seed}: {report.minutes:.1f} minutes, {len(records.faults)} faults",
        text_plot(per_second(records.executions, until), records.faults),
        "\n".join(["measured", *map(told, report.figures)]),
        "\n".join(["counted", *counted(records)]),
        f"checked\n  {report.verdict}",
    ]
    if report.load > BUSY * (os.cpu_count() or 1):
        parts.append(
            f"the machine had a load of {report.load:.0f} on {os.cpu_count()} cores:"
            " it may have been too busy for the times that were measured"
        )
    if report.plan.left_out:
        left = [f"  {name}: needs {needs}" for name, needs in report.plan.left_out.items()]
        parts.append("\n".join(["left out, since this machine does not permit it", *left]))
    if report.broken:
        parts.append("\n".join(["could not be carried out", *(f"  {reason}" for reason in report.broken)]))
    parts.append(ending(report))
    return "\n\n".join(parts) + "\n"


def ending(report: Report) -> str:
    if not report.good:
        return "NOT ALL HELD"
    missed = sum(not figure.held for figure in report.figures)
    return "all held" if not missed else f"all held but {missed} times, which do not decide here"


def told(figure: Figure) -> str:
    return f"  {'ok  ' if figure.held else 'MISS'} {figure.fault:18} {figure.what}: {figure}"


def counted(records: Records) -> list[str]:
    repeats = count_repeats(records)
    answers = [line.phase for line in records.operations if line.phase != "invoke"]
    states: dict[str, int] = defaultdict(int)
    for row in records.run_rows:
        states[row.state] += 1
    return [
        f"  requests: {answers.count('ok')} confirmed, {answers.count('fail')} refused, {answers.count('info')} unknown",
        f"  runs: {', '.join(f'{count} {state}' for state, count in sorted(states.items()))}",
        f"  executions: {repeats.executions} of {repeats.runs} runs",
        f"  executions that no failure explains: {repeats.extra} ({100 * repeats.rate:.2f} % of runs)",
        f"  two executions of one run at once: {repeats.overlaps}, {repeats.overlap_seconds:.1f} s in all",
        f"  more handlers under way than a limit allows: {seconds_over_limits(records):.1f} s in all",
        f"  changes: {len(records.transitions)} of runs, {len(records.sessions)} of sessions",
    ]
