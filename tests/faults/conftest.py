"""The same scene as in the acceptance tests, here to break parts of it."""

from tests.acceptance.conftest import database_url, scene
from tests.faults.outage import cluster, private_cluster

__all__ = ["cluster", "database_url", "private_cluster", "scene"]
