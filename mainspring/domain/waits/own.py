"""The graphs of workflow runs that have a definition of their own."""

from functools import lru_cache

from mainspring.domain.batches.batch import MARK, graph_of_batch
from mainspring.domain.waits.handler import graph_of_waits
from mainspring.domain.workflows.graph import Graph


@lru_cache(maxsize=1_000)
def own_graph(raw: bytes) -> Graph:
    return graph_of_batch(raw) if raw.startswith(MARK) else graph_of_waits(raw)
