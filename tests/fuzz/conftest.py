"""Spoiled frames meet both databases; a pooler in between would only make it slower."""

import pytest


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name
