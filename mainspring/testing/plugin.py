"""The pytest plug-in: a kit for every test that asks for one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from mainspring.app import App
    from mainspring.testing.kit import Kit


@pytest.fixture
def mainspring_app() -> "App":
    """The app under test: override this fixture in your conftest.py."""
    raise pytest.UsageError("write a fixture mainspring_app in conftest.py that returns your app")


@pytest.fixture
def mainspring_kit(mainspring_app: "App") -> Iterator["Kit"]:
    """A kit that keeps the app's enqueued runs in this process, runs them and moves the clock."""
    from mainspring.testing.kit import Kit  # noqa: PLC0415 only a test that asks for it pays for it

    with Kit(mainspring_app) as kit:
        yield kit
