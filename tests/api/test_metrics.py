"""`GET /metrics`: for whom, what, and as Prometheus reads it."""

from datetime import UTC, datetime
from pathlib import Path

import httpx2
import msgspec
import pytest

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.queues.line import Line
from mainspring.domain.queues.queue import Depth, Survey
from mainspring.domain.queues.rollup import Rolled, Rollup, Spread
from mainspring.domain.runs.run import RunState
from mainspring.errors import ConfigError
from mainspring.scheduler.facts import QueuesSurveyed, RunsRolledUp
from mainspring.settings import ServerSettings
from mainspring.settings.security import check_security
from tests.api.conftest import API_TOKEN, EXECUTOR_TOKEN, Server, serving
from tests.support.services import promtool

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT = datetime(2026, 1, 1, tzinfo=UTC)


async def scrape(server: Server, token: str = API_TOKEN) -> httpx2.Response:
    return await server.http.get("/metrics", headers={"authorization": f"Bearer {token}"})


async def viewer_of(server: Server, namespace: str) -> str:
    body = {"name": f"prometheus-{namespace}", "role": "viewer", "namespace": namespace}
    return str((await server.http.post("/api/v1/tokens", json=body)).json()["text"])


async def test_promtool_finds_nothing_to_complain_about(server: Server) -> None:
    await server.post({"job": "open"})
    answer = await scrape(server)

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert promtool("check", "metrics", text=answer.text) == ""


async def test_accepted_runs_and_requests_are_counted(tmp_path: Path) -> None:
    async with serving(tmp_path, [JobSpec(name="open", handler="open", queue="mail")]) as server:
        for _ in range(3):
            await server.post({"job": "open"})
        await server.post({"job": "nobody"})
        text = (await scrape(server)).text

    assert 'mainspring_runs_accepted_total{namespace="default",queue="mail"} 3\n' in text
    assert 'mainspring_server_requests_total{route="/api/v1/runs",method="POST",code="201"} 3\n' in text
    assert 'mainspring_server_requests_total{route="/api/v1/runs",method="POST",code="404"} 1\n' in text
    assert 'mainspring_server_store_seconds_count{act="create"}' in text
    assert 'mainspring_server_duty_age_seconds{duty="refresh_catalog"}' in text


async def test_a_key_that_is_used_again_is_not_counted_again(tmp_path: Path) -> None:
    async with serving(tmp_path, [JobSpec(name="open", handler="open", queue="mail")]) as server:
        for _ in range(2):
            await server.post({"job": "open", "key": "same"})
        text = (await scrape(server)).text

    assert 'mainspring_runs_accepted_total{namespace="default",queue="mail"} 1\n' in text


async def test_a_token_of_a_namespace_sees_only_the_series_of_that_namespace(server: Server) -> None:
    await server.post({"job": "open"})
    mine = (await scrape(server, await viewer_of(server, "default"))).text
    theirs = (await scrape(server, await viewer_of(server, "other"))).text

    assert 'namespace="default"' in mine
    assert 'namespace="default"' not in theirs
    assert "mainspring_server_" not in mine
    assert "process_" not in mine


async def test_executors_and_strangers_get_no_metrics(server: Server) -> None:
    executor = await scrape(server, EXECUTOR_TOKEN)
    stranger = await scrape(server, "wrong")

    assert (executor.status_code, stranger.status_code) == (403, 401)


async def test_a_scrape_of_many_queues_is_small(tmp_path: Path) -> None:
    jobs = [JobSpec(name=f"j{number}", handler="open", queue=f"queue-{number:03}") for number in range(500)]
    async with serving(tmp_path, jobs) as server:
        await server.scheduler.catalog.make_lines(Line("default", job.queue, job.handler) for job in jobs)
        lines = list(server.scheduler.catalog.lines)
        spread = Spread(5_000_000, 900_000, (1,) * 20)
        one = Rollup(at=AT, line=0, job=1, state=RunState.SUCCEEDED, runs=20, wait=spread, duration=spread)
        minutes = [msgspec.structs.replace(one, line=line) for line in lines]
        server.scheduler.facts.publish(RunsRolledUp(Rolled(AT, minutes)))
        server.scheduler.facts.publish(
            QueuesSurveyed(Survey(taken_at=AT, depths={line: Depth(queued=3) for line in lines}))
        )
        answer = await scrape(server)

    assert len(lines) == 500
    assert answer.text.count("mainspring_run_wait_seconds_count") == 500
    assert len(answer.content) < 2_000_000


@pytest.mark.parametrize("address", ["0.0.0.0:9484", "[::]:9484"])
async def test_an_open_listener_for_other_machines_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="metrics_listen"):
        check_security(ServerSettings(metrics_listen=address))
    check_security(ServerSettings(metrics_listen=address, insecure=True))


@pytest.mark.parametrize("address", ["9484", "localhost:", "localhost:http", "localhost:99999"])
async def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="is not an address"):
        check_security(ServerSettings(metrics_listen=address))


async def test_a_server_whose_setting_is_off_answers_that_there_are_none() -> None:
    app = create_app(EngineGate(), ServerSettings(metrics=False, api_token=API_TOKEN))
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://server") as http:
        answer = await http.get("/metrics", headers={"authorization": f"Bearer {API_TOKEN}"})

    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_page")
    assert "setting `metrics`" in answer.json()["detail"]
