"""Fixtures for the command line: real servers, and a user who has no contexts yet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.scene import Place, Shell


@pytest.fixture(autouse=True)
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this user keeps settings; those of the person who runs the tests stay out."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    return tmp_path / "user"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("home"))
    yield made
    made.close()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture
def call(place: Place, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("MAINSPRING_URL", place.url)
    monkeypatch.setenv("MAINSPRING_HOME", str(place.home))
    code = 5
    while code != 0:
        # Until the executor has registered its jobs.
        code, _, _ = shell("enqueue", "greet", "name=x")
    return shell
