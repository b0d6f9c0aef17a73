"""Spans of a caller and of executors with all three pools, as a real OTLP receiver gets them."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from mainspring.contract.runs import RunInfo
from tests.acceptance.scene import PATIENT, ROOT, Scene, enqueue, settled
from tests.support.otlp import GotSpan, Otlp
from tests.support.processes import ServerProcess, clean_environment, eventually
from tests.support.services import Haproxy

pytestmark = [pytest.mark.slow, pytest.mark.postgres]

APP = "tests.acceptance.traced:app"
LOCAL = {"allow": "http", "http_networks": "127.0.0.0/8"}
EXPECTED = {
    "checkout": "",
    "enqueue on_loop": "checkout",
    "run on_loop": "enqueue on_loop",
    "step reserve": "run on_loop",
    "enqueue on_thread": "run on_loop",
    "run on_thread": "enqueue on_thread",
    "effect charge": "run on_thread",
    "enqueue in_process": "checkout",
    "run in_process": "enqueue in_process",
    "step pack": "run in_process",
    "enqueue http": "checkout",
    "run http": "enqueue http",
    "http POST": "run http",
    "enqueue fails": "checkout",
    "run fails": "enqueue fails",
    "enqueue later": "checkout",
    "enqueue transacted": "checkout",
    "run transacted": "enqueue transacted",
}
"""By span, its parent; all in the trace of the caller."""
OUTSIDE = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01"


@pytest.fixture
def otlp() -> Iterator[Otlp]:
    with Otlp() as receiver:
        yield receiver


@pytest.fixture
def lossy(otlp: Otlp, tmp_path: Path) -> Iterator[Haproxy]:
    folder = tmp_path / "haproxy"
    folder.mkdir()
    proxy = Haproxy(folder)
    yield proxy
    proxy.stop()


def variables(collector: str) -> dict[str, str]:
    return {
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
        "OTEL_EXPORTER_OTLP_TIMEOUT": "30",
    }


async def fleet(scene: Scene, collector: str, database_url: str) -> ServerProcess:
    scene.fleet._env = {**scene.fleet._env, **variables(collector)}
    server = await scene.server(database_url, **PATIENT)
    started = [
        scene.fleet.executor(APP, server, name="a", queues="default", **LOCAL),
        scene.fleet.executor(APP, server, name="b", queues="linked", trace_join="link"),
    ]
    for executor in started:
        await executor.connected()
    return server


async def test_the_tree_of_spans_is_the_expected_one(scene: Scene, otlp: Otlp, database_url: str) -> None:
    server = await fleet(scene, otlp.url, database_url)
    runs = await call(server, otlp, otlp.url, database_url)
    await eventually(lambda: otlp.has([*EXPECTED, "run later"]), "every span")
    checkout = found(otlp, "checkout")

    assert tree(otlp, checkout) == EXPECTED
    assert {run.trace for run in runs.values()} == {checkout.trace}
    assert {run.result for run in runs.values() if run.job == "in_process"} == {checkout.trace}
    check_attributes(otlp)
    check_link(otlp, checkout)
    check_retry(otlp, checkout)
    assert otlp.headers == [f"00-{checkout.trace}-{found(otlp, 'http POST').id}-01"]


async def test_a_collector_behind_a_proxy_that_drops_half_gets_the_same_tree(
    scene: Scene, otlp: Otlp, lossy: Haproxy, database_url: str
) -> None:
    await lossy.drop_every_second(otlp.port)
    server = await fleet(scene, lossy.url, database_url)
    runs = await call(server, otlp, lossy.url, database_url)
    await eventually(lambda: otlp.has([*EXPECTED, "run later"]), "every span")

    assert tree(otlp, found(otlp, "checkout")) == EXPECTED
    assert Counter(run.state for run in runs.values()) == {"succeeded": 7, "failed": 1}
    assert lossy.dropped > 0


async def test_a_collector_that_is_away_costs_no_run(scene: Scene, lossy: Haproxy, database_url: str) -> None:
    # Nothing listens at that address.
    scene.fleet._env = {**scene.fleet._env, **variables(lossy.url)}
    server = await scene.server(database_url, **PATIENT)
    executor = await scene.fleet.executor(APP, server, name="a").connected()
    # More than the queue of the exporter holds.
    await enqueue(server, "transacted", 3_000)
    runs = await settled(server, 3_000)

    assert {run.state for run in runs.values()} == {"succeeded"}
    assert await executor.terminate() == 0


async def call(server: ServerProcess, otlp: Otlp, collector: str, database_url: str) -> dict[str, RunInfo]:
    caller = [sys.executable, "-m", "tests.acceptance.traced", server.url, otlp.url, database_url]
    env = clean_environment(**variables(collector))
    await asyncio.to_thread(subprocess.run, caller, cwd=ROOT, env=env, check=True)
    return await settled(server)


def tree(otlp: Otlp, root: GotSpan) -> dict[str, str]:
    """By span of that trace, its parent."""
    names = {span.id: span.name for span in otlp.spans}
    return {span.name: names.get(span.parent, "") for span in otlp.spans if span.trace == root.trace}


def check_attributes(otlp: Otlp) -> None:
    kinds = {span.name: span.kind for span in otlp.spans}
    failed = found(otlp, "run fails")

    assert (kinds["enqueue fails"], kinds["run fails"], kinds["step pack"]) == ("PRODUCER", "CONSUMER", "INTERNAL")
    assert kinds["http POST"] == "CLIENT"
    assert failed.failed
    assert (failed.attributes["mainspring.outcome"], failed.attributes["error.type"]) == ("failed", "ValueError")
    assert "secret words" not in str(otlp.spans)
    assert found(otlp, "run in_process").attributes["mainspring.pool"] == "processes"
    assert found(otlp, "run in_process").attributes["messaging.destination.name"] == "default"
    assert found(otlp, "run later").attributes["messaging.destination.name"] == "linked"
    assert found(otlp, "run later").attributes["mainspring.key"] == "order-7"
    assert found(otlp, "enqueue in_process").attributes["messaging.batch.message_count"] == 2
    assert found(otlp, "http POST").attributes["http.response.status_code"] == 200


def check_link(otlp: Otlp, checkout: GotSpan) -> None:
    later, enqueue = found(otlp, "run later"), found(otlp, "enqueue later")

    assert later.trace != checkout.trace
    assert later.parent == ""
    assert later.links == ((checkout.trace, enqueue.id),)


def check_retry(otlp: Otlp, checkout: GotSpan) -> None:
    """A retry stands beside the first attempt, and is linked to it."""
    first, second = sorted(
        (span for span in otlp.spans if span.name == "run fails"),
        key=lambda span: span.attributes["mainspring.attempt"],
    )

    assert (first.trace, first.parent) == (second.trace, second.parent) == (checkout.trace, first.parent)
    assert (first.links, second.links) == ((), ((checkout.trace, first.id),))
    assert second.attributes["mainspring.executor"] == "a"
    assert second.attributes["mainspring.namespace"] == "default"


async def test_a_fire_begins_a_trace_that_its_run_joins(scene: Scene, otlp: Otlp, database_url: str) -> None:
    server = await fleet(scene, otlp.url, database_url)
    often = {"job": "fired", "when": {"kind": "interval", "every": 1}, "overlap": "skip"}
    async with server.http() as http:
        made = await http.put("/api/v1/triggers/often", json=often)
        assert made.status_code in (200, 201), made.text
    await eventually(lambda: otlp.has(["fire often", "run fired"]), "the spans of a fire")
    fire = found(otlp, "fire often")
    await eventually(lambda: any(span.parent == fire.id for span in otlp.spans), "the run of that fire")
    run = next(span for span in otlp.spans if span.parent == fire.id)

    assert (fire.kind, fire.parent, fire.service) == ("PRODUCER", "", "mainspring-server")
    assert fire.attributes["mainspring.trigger"] == "often"
    assert fire.attributes["mainspring.fire_at"].endswith("+00:00")
    assert (run.name, run.trace) == ("run fired", fire.trace)


async def test_a_header_of_a_plain_call_or_a_webhook_is_carried(scene: Scene, otlp: Otlp, database_url: str) -> None:
    server = await fleet(scene, otlp.url, database_url)
    hook = {"job": "on_thread", "when": {"kind": "webhook", "auth": "bearer"}}
    async with server.http() as http:
        made = await http.put("/api/v1/triggers/hook", json=hook)
        assert made.status_code in (200, 201), made.text
        secret = await http.post("/api/v1/triggers/hook/secret", json={})
        shown = {"authorization": f"Bearer {secret.json()['secret']}", "traceparent": OUTSIDE}
        plain = await http.post("/api/v1/runs", json={"job": "on_thread"}, headers={"traceparent": OUTSIDE})
        hooked = await http.post(secret.json()["hook"]["path"], json={}, headers=shown)
        assert (plain.status_code, hooked.status_code // 100) == (201, 2), hooked.text
        await refused_and_ignored(http)
    await settled(server)
    await eventually(lambda: len([1 for span in otlp.spans if span.name == "run on_thread"]) == 3, "three spans")
    parents = sorted((span.trace, span.parent) for span in otlp.spans if span.name == "run on_thread")

    assert parents.count(("ab" * 16, "cd" * 8)) == 2


async def refused_and_ignored(http: httpx2.AsyncClient) -> None:
    """A bad field is refused; a bad header is ignored, as the W3C asks."""
    refused = await http.post("/api/v1/runs", json={"job": "on_thread", "traceparent": "zz"})
    ignored = await http.post("/api/v1/runs", json={"job": "on_thread"}, headers={"traceparent": "zz"})

    assert (refused.status_code, refused.json()["field"]) == (422, "traceparent")
    assert ignored.status_code == 201


def found(otlp: Otlp, name: str) -> GotSpan:
    span = otlp.named(name)
    assert span is not None
    return span
