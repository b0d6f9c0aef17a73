"""The page about sizing says what was measured last, and what the settings are."""

import re

import msgspec
import pytest

from mainspring.domain.jobs.job import Pool
from mainspring.settings import SchedulerSettings, ServerSettings
from mainspring.settings.sections import POOLS_DEFAULT
from tests.architecture.source import ROOT

PAGE = (ROOT / "docs" / "sizing.md").read_text()
POSTGRES, SQLITE = "mainspring-postgres-async", "mainspring-sqlite-async"
NEAR = 0.05
FIGURES = {
    "no-op runs drained, PostgreSQL": [(POSTGRES, "drain", "rate", "value")],
    "the same, SQLite": [(SQLITE, "drain", "rate", "value")],
    "enqueued in bulk": [(POSTGRES, "enqueue", "bulk", "value"), (SQLITE, "enqueue", "bulk", "value")],
    "enqueued one by one": [(POSTGRES, "enqueue", "http50", "value"), (SQLITE, "enqueue", "http50", "value")],
    "enqueued one after the other": [(POSTGRES, "enqueue", "single", "value"), (SQLITE, "enqueue", "single", "value")],
    "memory of an idle": [(POSTGRES, "memory", "server rss", "value"), (POSTGRES, "memory", "executor rss", "value")],
    "processor time": [
        (POSTGRES, "memory", "server idle cpu", "value"),
        (POSTGRES, "memory", "executor idle cpu", "value"),
    ],
}


def measured(system: str, bench: str, metric: str, field: str) -> float:
    rows = map(msgspec.json.decode, (ROOT / "bench" / "results.json").read_bytes().splitlines())
    wanted = {"system": system, "bench": bench, "metric": metric}
    found = [row for row in rows if wanted.items() <= row.items()]
    return float(max(found, key=lambda row: row["date"])[field])


@pytest.mark.parametrize("words", FIGURES)
def test_every_figure_is_the_latest_that_was_measured(words: str) -> None:
    [line] = [line for line in PAGE.splitlines() if line.startswith(f"| {words}")]
    said = [float(text.replace(",", "")) for text in re.findall(r"\d[\d,.]*", line.split("|")[2])]

    assert said == [pytest.approx(measured(*one), rel=NEAR) for one in FIGURES[words]]


def test_a_waiting_attempt_takes_what_was_measured() -> None:
    [line] = [line for line in PAGE.splitlines() if line.startswith("| memory of a waiting async attempt")]
    executor, server = (float(text) for text in re.findall(r"[\d.]+", line.split("|")[2]))

    assert executor * 1000 == pytest.approx(
        measured(POSTGRES, "concurrent", "executor growth", "bytes_per_run"), rel=NEAR
    )
    assert server * 1000 == pytest.approx(measured(POSTGRES, "concurrent", "server growth", "bytes_per_run"), abs=50)


def test_the_defaults_are_those_of_the_settings() -> None:
    pools = {size.pool: size.max for size in POOLS_DEFAULT}
    text = " ".join(PAGE.split())

    assert f"`pool_size` ({ServerSettings().pool_size}) connections" in text
    assert f"`retention_days` ({SchedulerSettings().retention_days})" in text
    assert f"the loop pool ({pools[Pool.LOOP]} slots unless you say otherwise)" in text
    assert f"Threads ({pools[Pool.THREADS]})" in text
    assert f"Processes ({pools[Pool.PROCESSES]})" in text
