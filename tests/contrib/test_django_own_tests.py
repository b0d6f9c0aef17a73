"""The backend under the tests that Django has of its own backends, and under the names of the coming `django-tasks`."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.contrib.live import TOKEN, Live, live_server
from tests.contrib.sources import source_of
from tests.support.processes import clean_environment

DJANGO = "6.1.3"
"""The framework is Django's own since 6.0; the package `django-tasks` has no tests in its source distribution."""
PROGRAM = Path(__file__).with_name("django_own_tests.py")
RENAMED = """
import django_tasks.backends.dummy, django_tasks.backends.immediate
from django_tasks import exceptions

for name in ("InvalidTask", "InvalidTaskBackend"):
    setattr(exceptions, name, getattr(exceptions, f"{name}Error"))
    delattr(exceptions, f"{name}Error")

from mainspring.contrib.django import framework

print(framework.InvalidTaskError is exceptions.InvalidTask, framework.InvalidTaskBackendError is exceptions.InvalidTaskBackend)
"""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live_server(tmp_path_factory.mktemp("home")) as started:
        yield started


def own_tests(live: Live, which: str) -> tuple[int, str]:
    source = source_of("django", DJANGO)
    env = clean_environment(MAINSPRING_URL=live.url, MAINSPRING_TOKEN=TOKEN, PYTHONPATH=str(ROOT))
    command = [sys.executable, str(PROGRAM), str(source), which]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=env, cwd=ROOT)
    return ended.returncode, ended.stderr + ended.stdout


def test_every_test_of_django_that_asks_for_no_certain_backend_passes(live: Live) -> None:
    with live.client() as client:
        for name in ("django", "django.async"):
            client.jobs.create(name, handler=name)
    ended, said = own_tests(live, "enqueue")

    assert ended == 0, said
    assert "ran 39 on Django 6, 0 skipped" in said, said


def test_what_django_s_backend_executes_at_once_has_the_same_results_from_an_executor(live: Live) -> None:
    ended, said = own_tests(live, "execute")

    assert ended == 0, said
    assert "ran 13 on Django 6, 0 skipped" in said, said


def test_the_backend_imports_with_the_exceptions_names_of_the_coming_release() -> None:
    env = clean_environment(DJANGO_SETTINGS_MODULE="tests.contrib.django_settings", PYTHONPATH=str(ROOT))
    ended = subprocess.run([sys.executable, "-c", RENAMED], check=False, capture_output=True, text=True, env=env)

    assert ended.stdout.split() == ["True", "True"], ended.stderr
