"""A PostgreSQL of the tests' own, which may go away and come back."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.postgres import Cluster, Postgres, find_binaries


class PrivateCluster(Cluster):
    """Its data stay when it goes away; durable, because what it has confirmed must survive that."""

    def __init__(self) -> None:
        super().__init__(find_binaries(), durable=True)
        self._databases = Postgres(self.url)

    async def go_away(self, how: str = "immediate") -> None:
        await asyncio.to_thread(self._run, "pg_ctl", "-D", self._root / "data", "-m", how, "-w", "stop")

    async def come_back(self) -> None:
        options = " ".join([*(f"-c {name}='{value}'" for name, value in self._settings.items()), f"-k {self._root}"])
        data, log = self._root / "data", self._root / "log"
        await asyncio.to_thread(self._run, "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start")

    @property
    def away(self) -> bool:
        return not (self._root / "data" / "postmaster.pid").exists()

    async def migrated(self) -> str:
        return await self._databases.create_migrated()


@pytest.fixture(scope="module")
def private_cluster() -> Iterator[PrivateCluster]:
    private = PrivateCluster()
    private.start()
    yield private
    private.stop()


@pytest.fixture
async def cluster(private_cluster: PrivateCluster) -> AsyncIterator[PrivateCluster]:
    """Back again when the test is over, whatever became of it."""
    yield private_cluster
    if private_cluster.away:
        await private_cluster.come_back()
