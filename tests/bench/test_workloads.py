"""The benchmark's workloads spread, fail and measure as they say."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bench.peers.workload import NO_OP, Workload, workload_from_environment
from bench.usage import ProcessorMeter
from bench.workloads import WORKLOADS


def test_runs_are_spread_evenly_over_lanes_and_priorities() -> None:
    mixed = WORKLOADS["mixed"][0]
    spread = Counter((mixed.lane_of(number), mixed.priority_of(number)) for number in range(1000))

    assert len(spread) == 100
    assert set(spread.values()) == {10}


def test_the_failing_share_is_known_beforehand() -> None:
    workload = Workload(failing=3)

    assert workload.successes(1000) == 970
    assert workload.fails(2)
    assert not workload.fails(3)


def test_a_workload_travels_as_text_and_inputs_have_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    large = WORKLOADS["payload"][1]
    monkeypatch.setenv("BENCH_WORKLOAD", large.encode())

    assert workload_from_environment() == large
    assert len(str(large.input(1)["body"])) == 32_000
    assert NO_OP.input(1) == {"payload": 1}


def test_processor_time_is_counted_from_the_first_start(tmp_path: Path) -> None:
    (tmp_path / "1.count").write_text("400 0.0\n")
    idle = "import sys; sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", idle], stdin=subprocess.PIPE) as process:
        meter = ProcessorMeter(tmp_path, [process])

        assert meter.per_thousand(1400) < 1000
        assert process.stdin is not None
        process.stdin.close()
