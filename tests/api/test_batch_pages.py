"""Cursors of the runs of batches and workflows, and keys of runs that join: refused by their field where they are wrong."""

import pytest

from tests.api.batch_samples import LATER, new_batch
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def made(server: Server) -> str:
    identifier: str = (await server.http.post("/api/v1/batches", json=new_batch())).json()["id"]
    return identifier


@pytest.mark.parametrize("cursor", ["", "null", "0.5", "-1", "²", "1" * 7, "1" * 30])
async def test_a_cursor_that_is_none_is_refused(server: Server, cursor: str) -> None:
    answer = await server.http.get(f"/api/v1/batches/{await made(server)}/runs", params={"cursor": cursor})

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


@pytest.mark.parametrize("cursor", ["", "x", "0", "².0", "0.²", "0.-2", "1." + "1" * 30])
async def test_a_cursor_of_steps_that_is_none_is_refused(server: Server, cursor: str) -> None:
    answer = await server.http.get(f"/api/v1/workflow-runs/{await made(server)}/steps", params={"cursor": cursor})

    assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


async def test_a_run_with_a_key_joins_no_batch(server: Server) -> None:
    batch = await made(server)
    answer = await server.http.post(f"/api/v1/batches/{batch}/runs", json={"runs": [LATER, {**LATER, "key": "k"}]})
    after = (await server.http.get(f"/api/v1/batches/{batch}")).json()

    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "bad_key", "runs[1].key")
    assert answer.json()["detail"] == "runs of a batch have no keys"
    assert after["size"] == 1
