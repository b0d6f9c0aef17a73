"""A good call of every route that writes saved views."""

from tests.api.conftest import Server


async def save_view(_server: Server) -> tuple[str, object]:
    return "/api/v1/views/sample", {"q": "state:failed"}


async def share_view(_server: Server) -> tuple[str, object]:
    return "/api/v1/shared-views/sample", {"q": "state:failed"}


async def delete_view(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/views/gone", json={"q": "state:failed"})
    return "/api/v1/views/gone", None


async def delete_shared_view(server: Server) -> tuple[str, object]:
    await server.http.put("/api/v1/shared-views/gone", json={"q": "state:failed"})
    return "/api/v1/shared-views/gone", None


async def set_preferences(_server: Server) -> tuple[str, object]:
    return "/api/v1/me/preferences", {"theme": "dark"}


VIEW_SAMPLES = {
    "PUT /api/v1/me/preferences": set_preferences,
    "PUT /api/v1/views/{name}": save_view,
    "PUT /api/v1/shared-views/{name}": share_view,
    "DELETE /api/v1/views/{name}": delete_view,
    "DELETE /api/v1/shared-views/{name}": delete_shared_view,
}
