"""A scene on each database, and once more on a PostgreSQL that keeps everything it claims in bundles."""

from typing import Any

import pytest

from mainspring.domain.attempt import Claim
from mainspring.store.interface import Store
from mainspring.store.postgres import runs
from tests.conftest import DATABASES
from tests.store.scene import Scene, set_scene

BUNDLED = "bundled"


@pytest.fixture(params=[*DATABASES, pytest.param(BUNDLED, marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == BUNDLED:
        bundle_everything(monkeypatch)
    name: str = request.param
    return name


@pytest.fixture
async def scene(store: Store) -> Scene:
    return await set_scene(store)


def bundle_everything(monkeypatch: pytest.MonkeyPatch, *, size: int = 2) -> None:
    """Have every claim make bundles, however small."""
    plain = runs.PostgresRuns.claim

    async def claim(self: runs.PostgresRuns, *wanted: Any, **more: Any) -> list[Claim]:
        return await plain(self, *wanted, **{**more, "bundled": True})

    monkeypatch.setattr(runs.PostgresRuns, "claim", claim)
    monkeypatch.setattr(runs, "SIZE", size)
