"""A scene on each database, and once more on a PostgreSQL that keeps everything it claims in bundles."""

from typing import Any

import pytest

from mainspring.domain.runs.attempt import Claim, GatedClaims
from mainspring.store.interface import Store
from mainspring.store.postgres.hot import runs
from tests.conftest import DATABASES
from tests.store.scene import Scene, set_scene

BUNDLED = "bundled"
WITHOUT_CLAIMS = {
    "access",
    "audit",
    "backfills",
    "calendars",
    "webhooks",
    "facts",
    "job_versions",
    "jobs",
    "namespaces",
    "triggers",
    "users",
}
"""What these test has nothing to do with attempts."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "database" in metafunc.fixturenames and "database" not in chosen:
        about = metafunc.module.__name__.rpartition("test_")[2]
        bundled = [] if about in WITHOUT_CLAIMS else [pytest.param(BUNDLED, marks=pytest.mark.postgres)]
        metafunc.parametrize("database", [*DATABASES, *bundled], indirect=True)


@pytest.fixture
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
    plain, gated = runs.PostgresRuns.claim, runs.PostgresRuns.claim_gated

    async def claim(self: runs.PostgresRuns, *wanted: Any, **more: Any) -> list[Claim]:
        return await plain(self, *wanted, **{**more, "bundled": True})

    async def claim_gated(self: runs.PostgresRuns, *wanted: Any, **more: Any) -> GatedClaims:
        return await gated(self, *wanted, **{**more, "bundled": True})

    monkeypatch.setattr(runs.PostgresRuns, "claim", claim)
    monkeypatch.setattr(runs.PostgresRuns, "claim_gated", claim_gated)
    monkeypatch.setattr(runs, "SIZE", size)
