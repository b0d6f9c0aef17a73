"""What the chaos harness makes of runs under limits and of its downstream."""

import asyncio
from pathlib import Path

import pytest

from mainspring.testing.clock import FakeClock
from proof.chaos import limits
from proof.records import Execution, Records, RunRow, Setup


def row(run: str, job: str, group: str = "") -> RunRow:
    return RunRow(at=9.0, run=run, state="succeeded", attempt=1, failures=0, losses=0, due_at=0.0, job=job, group=group)


def ran(run: str, begin: float, end: float) -> list[Execution]:
    def line(at: float, event: str) -> Execution:
        return Execution(at=at, event=event, run=run, attempt=1, executor="e1", token="aa")  # type: ignore[arg-type]

    return [line(begin, "start"), line(end, "end")]


def records(*rows: RunRow, executions: list[Execution]) -> Records:
    return Records(setup=Setup(at=0.0, lease=3.0, grace=0.5), run_rows=list(rows), executions=executions)


def test_handlers_beyond_a_limit_are_counted_by_the_second() -> None:
    rows = [row("a", "keyed", "g1"), row("b", "keyed", "g1"), row("c", "keyed", "g2"), row("d", "quick")]
    found = [*ran("a", 1.0, 3.0), *ran("b", 2.5, 4.0), *ran("c", 1.0, 4.0), *ran("d", 1.0, 4.0)]

    assert limits.seconds_over_limits(records(*rows, executions=found)) == pytest.approx(0.5)


def test_one_after_the_other_is_nothing_beyond_a_limit() -> None:
    rows = [row("a", "keyed", "g1"), row("b", "keyed", "g1")]

    assert limits.seconds_over_limits(records(*rows, executions=[*ran("a", 1, 2), *ran("b", 2, 3)])) == 0


def test_every_job_under_a_limit_has_its_rule() -> None:
    assert limits.OPTIONS.keys() == limits.RULES.keys()


async def test_the_downstream_is_well_again_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    down, clock = tmp_path / "down", FakeClock()
    monkeypatch.setenv(limits.DOWN, str(down))
    async with limits.breaking_down(down, clock):
        for _ in range(3):
            await asyncio.sleep(0)
        clock.advance(limits.UP_FOR)
        for _ in range(3):
            await asyncio.sleep(0)
        assert limits.is_down()

    assert not limits.is_down()
