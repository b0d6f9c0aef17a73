"""Metrics: names, caps, buckets and the text format."""

import pytest

from mainspring.domain.metrics import declared
from mainspring.domain.metrics.caps import EXECUTORS_MAX, KEPT, NAMESPACES_MAX, QUEUES_MAX, Caps
from mainspring.domain.metrics.exposition import write
from mainspring.domain.metrics.family import Kind, Metric, Series
from mainspring.domain.metrics.numbers import Histogram, Totals
from mainspring.domain.queues.rollup import EDGES, Spread
from mainspring.scheduler.insights.metrics.count_facts import coarse

METRICS = [value for value in vars(declared).values() if isinstance(value, Metric)]
UNBOUNDED = {"run", "executor", "host", "message", "path", "server", "session"}

ASKED_FOR = ("mainspring_executor_",)
"""Shown only if a setting asks for them."""


def text(series: Series) -> str:
    return "".join(write(series))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_name_follows_the_rules_of_prometheus(metric: Metric) -> None:
    assert metric.name.startswith(("mainspring_", "process_"))
    assert metric.name.endswith("_total") == (metric.kind is Kind.COUNTER)
    assert metric.name.endswith(("_seconds", "_runs")) or metric.kind is not Kind.HISTOGRAM
    assert not UNBOUNDED & set(metric.labels) or metric.name.startswith(ASKED_FOR)
    assert "version" not in metric.labels or metric.name.endswith("_info")


def test_names_are_declared_once() -> None:
    assert len({metric.name for metric in METRICS}) == len(METRICS)


def test_a_counter_is_written_with_escaped_labels() -> None:
    totals = Totals(Metric("mainspring_x_total", Kind.COUNTER, 'of "x"\nand \\', ("queue",)))
    totals.add(('a "b"\n\\c',), 3)
    totals.add(('a "b"\n\\c',), 0.5)

    assert text(totals.series()) == (
        '# HELP mainspring_x_total of "x"\\nand \\\\\n'
        "# TYPE mainspring_x_total counter\n"
        'mainspring_x_total{queue="a \\"b\\"\\n\\\\c"} 3.5\n'
    )


def test_a_histogram_is_written_by_cumulated_buckets() -> None:
    histogram = Histogram(Metric("mainspring_x_seconds", Kind.HISTOGRAM, "x", (), (0.1, 1.0)))
    for value in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(value)

    assert text(histogram.series()).splitlines()[2:] == [
        'mainspring_x_seconds_bucket{le="0.1"} 2',
        'mainspring_x_seconds_bucket{le="1"} 3',
        'mainspring_x_seconds_bucket{le="+Inf"} 4',
        "mainspring_x_seconds_sum 7.65",
        "mainspring_x_seconds_count 4",
    ]


@pytest.mark.parametrize("bucket", range(len(EDGES) + 1))
def test_a_bucket_of_a_rollup_falls_below_the_same_edge_in_a_histogram(bucket: int) -> None:
    counts = coarse(Spread(1, 1, (0,) * bucket + (1,)))
    edges = [*declared.RUN_EDGES, float("inf")]
    upper = EDGES[bucket] / 1_000_000 if bucket < len(EDGES) else float("inf")
    [found] = [edge for edge, count in zip(edges, counts, strict=True) if count]

    assert found == min(edge for edge in edges if edge >= upper)


def test_queues_beyond_the_cap_share_one_series() -> None:
    caps = Caps(jobs=0)
    labels = {caps.queue("shop", f"q{number}", 0.0) for number in range(QUEUES_MAX + 7)}

    assert len(labels) == QUEUES_MAX + 1
    assert ("shop", "_other") in labels
    assert caps.folded() == [(("namespace",), 0.0), (("queue",), 7.0), (("job",), 0.0), (("executor",), 0.0)]


def test_namespaces_beyond_the_cap_share_one_series() -> None:
    caps = Caps(jobs=0)
    labels = {caps.queue(f"n{number}", "q", 0.0) for number in range(NAMESPACES_MAX + 3)}

    assert len(labels) == NAMESPACES_MAX + 1
    assert ("_other", "_other") in labels


def test_executors_beyond_the_cap_share_one_series() -> None:
    caps = Caps(jobs=0)
    labels = {caps.executor("shop", f"pod-{number}", 0.0) for number in range(EXECUTORS_MAX + 4)}

    assert len(labels) == EXECUTORS_MAX + 1
    assert ("shop", "_other") in labels
    assert (("executor",), 4.0) in caps.folded()


def test_a_subject_without_a_sign_of_life_for_an_hour_loses_its_series_and_makes_room() -> None:
    caps = Caps(jobs=1)
    caps.job("shop", "old", 0.0)
    folded = caps.job("shop", "new", 1.0)
    caps.queue("shop", "busy", KEPT)
    gone_job = caps.expire(KEPT + 1).job

    assert folded == ("shop", "_other")
    assert gone_job(("shop", "old", "succeeded"))
    assert not gone_job(("shop", "busy"))
    assert caps.job("shop", "new", KEPT + 2) == ("shop", "new")


def test_a_namespace_without_a_sign_of_life_for_an_hour_loses_its_series_of_every_kind() -> None:
    caps = Caps(jobs=1)
    for namespace, at in (("gone", 0.0), ("here", KEPT)):
        caps.queue(namespace, "mail", at)
        caps.job(namespace, "nightly", at)
    gone = caps.expire(KEPT + 1)

    for of_kind, labels in ((gone.namespace, ("missed",)), (gone.queue, ("mail", "failed")), (gone.job, ("nightly",))):
        assert of_kind(("gone", *labels))
        assert not of_kind(("here", *labels))


def test_series_of_one_namespace_show_no_other() -> None:
    totals = Totals(declared.ACCEPTED)
    totals.add(("shop", "mail"))
    totals.add(("bank", "mail"))

    assert totals.series().within("shop") == Series(declared.ACCEPTED, [(("shop", "mail"), 1)])
    assert Totals(declared.STALE).series().within("shop") is None
