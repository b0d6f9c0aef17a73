"""The same scene as in the acceptance tests, here to break parts of it."""

from tests.acceptance.conftest import database_url, scene

__all__ = ["database_url", "scene"]
