"""The figure that each measurement of real work has to reach, printed beside it."""

from bench.measurement import Measurement

ASYNC, THREADS, SQLITE = "mainspring-postgres-async", "mainspring-postgres-threads", "mainspring-sqlite-async"
TWO, DEFAULTS = "mainspring-postgres-two-processes", "mainspring-postgres-defaults"
FORGETFUL, CHILDREN = "mainspring-postgres-forgetful", "mainspring-postgres-processes"
GRAPHILE, PGQUEUER = "ratio to graphile-worker", "ratio to pgqueuer"

TARGETS: dict[tuple[str, str, str], str] = {
    ("drain", ASYNC, "ratio to best peer"): "≥ 1.8",
    ("drain", THREADS, "ratio to best peer"): "≥ 1.8",
    ("mail", TWO, GRAPHILE): "≥ 1.25",
    ("mail", TWO, PGQUEUER): "≥ 1.5",
    ("mail", DEFAULTS, GRAPHILE): "≥ 1.1",
    ("mixed", TWO, GRAPHILE): "≥ 1.8",
    ("payload", ASYNC, f"4 kB {GRAPHILE}"): "≥ 1.2",
    ("payload", ASYNC, f"32 kB {GRAPHILE}"): "≥ 0.9",
    ("payload", FORGETFUL, f"4 kB {GRAPHILE}"): "≥ 1.5",
    ("payload", FORGETFUL, f"32 kB {GRAPHILE}"): "≥ 1.2",
    ("pools", CHILDREN, f"no-op ratio to {ASYNC}"): "≥ 0.5",
    ("pools", CHILDREN, f"mail ratio to {ASYNC}"): "≥ 0.9",
    ("enqueue", ASYNC, "together"): "≥ 15,000",
    ("enqueue", ASYNC, "bulk ratio to best peer"): "≥ 1.8",
    ("client", ASYNC, "AsyncClient.enqueue, processor"): "≤ 0.25",
    ("steady", ASYNC, "p50"): "≤ 3",
    ("steady", ASYNC, "p99"): "≤ 15",
    ("history", ASYNC, "3,000,000 rows, cost over empty"): "≤ 1.05",
    ("history", ASYNC, "10,000,000 rows, cost over empty"): "≤ 1.05",
}
"""By bench, system and metric."""


def target_of(measurement: Measurement) -> str:
    return TARGETS.get((measurement.bench, measurement.system, measurement.metric), "")
