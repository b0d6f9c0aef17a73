"""One good call of each write of batches."""

import uuid
from collections.abc import Awaitable, Callable

from tests.api.conftest import Server

BatchSample = Callable[[Server], Awaitable[tuple[str, object]]]
LATER = {"job": "open", "delay": 600}


async def create_batch(_server: Server) -> tuple[str, object]:
    return "/api/v1/batches", new_batch()


def new_batch() -> dict[str, object]:
    # The name of a batch is its own for good, and samples are made many times.
    return {"name": f"sample {uuid.uuid4()}", "runs": [LATER]}


def change_batch(verb: str, body: object, *, before: str = "") -> BatchSample:
    async def sample(server: Server) -> tuple[str, object]:
        path = "/api/v1/batches"
        made = (await server.http.post(path, json=new_batch())).json()
        if before:
            await server.http.post(f"{path}/{made['id']}/{before}")
            while (await server.http.get(f"{path}/{made['id']}")).json()["finished_at"] is None:
                pass
        return f"{path}/{made['id']}/{verb}", body

    return sample


BATCHES: dict[str, BatchSample] = {
    "POST /api/v1/batches": create_batch,
    "POST /api/v1/batches/{id}/runs": change_batch("runs", {"runs": [LATER]}),
    "POST /api/v1/batches/{id}/close": change_batch("close", None),
    "POST /api/v1/batches/{id}/cancel": change_batch("cancel", {"reason": "sample"}),
    "POST /api/v1/batches/{id}/retry": change_batch("retry", {"reason": "sample"}, before="cancel"),
}
