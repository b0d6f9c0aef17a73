"""The sync side of the client is what the generator writes of the async side."""

from scripts.generate_sync_client import CLIENT, generated


def test_the_sync_side_is_generated_from_the_async_side() -> None:
    written = {path.name: path.read_text() for path in (CLIENT / "sync").glob("*.py") if path.name != "__init__.py"}

    assert written == generated(), "run: make client-sync"
