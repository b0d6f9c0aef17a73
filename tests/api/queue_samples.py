"""A valid request for each write to a queue."""

from tests.api.conftest import Server


async def queue_at(server: Server, verb: str) -> str:
    await server.post({"job": "open", "queue": "sample"})
    return f"/api/v1/queues/sample/{verb}"


async def pause_queue(server: Server) -> tuple[str, object]:
    return await queue_at(server, "pause"), {"reason": "sample"}


async def resume_queue(server: Server) -> tuple[str, object]:
    await server.http.post(await queue_at(server, "pause"))
    return await queue_at(server, "resume"), None


async def change_queue(server: Server) -> tuple[str, object]:
    path = await queue_at(server, "")
    return path.rstrip("/"), {"ageing": 600}


async def change_namespace(_server: Server) -> tuple[str, object]:
    return "/api/v1/namespaces/default/policy", {"blackout": ""}


async def set_budget(server: Server) -> tuple[str, object]:
    return await queue_at(server, "budget"), {"max_queued": None}


QUEUE_SAMPLES = {
    "POST /api/v1/queues/{name}/pause": pause_queue,
    "POST /api/v1/queues/{name}/resume": resume_queue,
    "PATCH /api/v1/queues/{name}": change_queue,
    "PATCH /api/v1/namespaces/{name}/policy": change_namespace,
    "PUT /api/v1/queues/{name}/budget": set_budget,
}
