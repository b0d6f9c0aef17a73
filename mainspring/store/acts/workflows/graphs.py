"""The graphs that workflow runs go by, kept once they are read: a version never changes."""

from mainspring.domain.waits.own import own_graph
from mainspring.domain.workflows.graph import Graph
from mainspring.store.acts.workflows.rows import read_graph
from mainspring.store.tx import Row, Tx


class KnownGraphs:
    """By job and version."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Graph] = {}

    async def of(self, tx: Tx, row: Row) -> Graph:
        """That of a workflow run: its own, or that of its job's version."""
        if row["definition"] is not None:
            return own_graph(row["definition"])
        return await self.version(tx, row["job"], row["version"])

    async def version(self, tx: Tx, job: int, version: int) -> Graph:
        graph = self._known.get((job, version))
        if graph is None:
            found = await tx.one("spec_of_version", job=job, version=version)
            graph = self._known[job, version] = read_graph(None if found is None else found["spec"])
        return graph
