"""Prints measurements as a table and keeps them in a file, one line of JSON each."""

import json
import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.environment import HOME
from bench.measurement import Measurement
from bench.targets import target_of

RESULTS = Path(__file__).resolve().parent / "results.json"
QUICK_RESULTS = HOME / "quick.json"
HEADER = ("bench", "system", "metric", "value", "target", "unit", "min to max", "cpu ms/1,000", "durable", "remarks")


def machine() -> dict[str, object]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 1024**3, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def write(measurements: Iterable[Measurement], versions: Mapping[str, str], path: Path) -> None:
    """Add the measurements to the file; one of the same bench, system and metric is replaced."""
    context = {"date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "machine": {**machine(), **versions}}
    kept = {key(record): record for record in read(path)}
    for measurement in measurements:
        record = as_record(measurement) | context
        kept[key(record)] = record
    path.write_text("".join(f"{json.dumps(record)}\n" for record in kept.values()))


def read(path: Path) -> list[dict[str, object]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def key(record: Mapping[str, object]) -> tuple[object, ...]:
    return record["bench"], record["system"], record["metric"]


def as_record(measurement: Measurement) -> dict[str, object]:
    """A flat record: the details stand beside the value."""
    record = asdict(measurement)
    details = record.pop("details")
    if record["failure"] is None:
        del record["failure"]
    return {**record, **details}


def table(measurements: Sequence[Measurement]) -> str:
    rows = [HEADER, *(row(measurement) for measurement in measurements)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in rows]
    return "\n".join([lines[0], "-" * max(map(len, lines[:1])), *lines[1:]])


def row(measurement: Measurement) -> tuple[str, ...]:
    details = measurement.details
    ends = f"{number(details['min'])} to {number(details['max'])}" if "min" in details else ""
    durable = {True: "yes", False: "no"}.get(bool(details["durable"]), "") if "durable" in details else ""
    value = "FAILED" if measurement.value is None else number(measurement.value)
    head = (measurement.bench, measurement.system, measurement.metric, value, target_of(measurement), measurement.unit)
    spent = number(details["processor"]) if "processor" in details else ""
    return (*head, ends, spent, durable, remarks(measurement))


def remarks(measurement: Measurement) -> str:
    if measurement.failure is not None:
        return f"!!! {measurement.failure[-200:]}"
    shown = ("steps", "triggers", "lost", "early", "twice", "failures", "best_peer")
    found = {name: measurement.details[name] for name in shown if measurement.details.get(name)}
    return ", ".join(f"{name}: {value}" for name, value in found.items())


def number(value: object) -> str:
    if not isinstance(value, int | float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"
