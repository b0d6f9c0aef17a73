"""Good calls of the routes that write about kinds of failures."""

from tests.api.conftest import Server
from tests.api.test_dead import dead, group_of


async def kind_of_failure(server: Server) -> str:
    await dead(server, "of a kind")
    fingerprint: str = (await group_of(server, "of a kind"))["fingerprint"]
    return fingerprint


async def note_failure(server: Server) -> tuple[str, object]:
    return f"/api/v1/dead-letters/{await kind_of_failure(server)}/note", {"note": "the gateway"}


async def assign_failure(server: Server) -> tuple[str, object]:
    return f"/api/v1/dead-letters/{await kind_of_failure(server)}/owner", {"owner": "payments"}


async def mute_failure(server: Server) -> tuple[str, object]:
    return f"/api/v1/dead-letters/{await kind_of_failure(server)}/mute", {"reason": "known"}


async def unmute_failure(server: Server) -> tuple[str, object]:
    fingerprint = await kind_of_failure(server)
    await server.http.post(f"/api/v1/dead-letters/{fingerprint}/mute", json={})
    return f"/api/v1/dead-letters/{fingerprint}/unmute", None


FAILURE_SAMPLES = {
    "PUT /api/v1/dead-letters/{fingerprint}/note": note_failure,
    "PUT /api/v1/dead-letters/{fingerprint}/owner": assign_failure,
    "POST /api/v1/dead-letters/{fingerprint}/mute": mute_failure,
    "POST /api/v1/dead-letters/{fingerprint}/unmute": unmute_failure,
}
