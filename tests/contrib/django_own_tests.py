"""Django's own tests of its Tasks framework, with our backend in the place of Django's: a program with a Django of its own.

Arguments: the folder of Django's source distribution, and `enqueue` or `execute`. The server is named by the environment.
"""

import inspect
import os
import sys
import unittest
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from asgiref.sync import markcoroutinefunction

SOURCE, WHICH = sys.argv[1:]
OURS = "django_own_tests.Ours"

sys.modules["django_own_tests"] = sys.modules["__main__"]
sys.path[:0] = [SOURCE, f"{SOURCE}/tests"]
if not hasattr(inspect, "markcoroutinefunction"):
    # All that this Django asks of Python 3.12 here.
    inspect.markcoroutinefunction = markcoroutinefunction  # type: ignore[attr-defined]

import django  # noqa: E402
from django.conf import settings  # noqa: E402

settings.configure(INSTALLED_APPS=["tasks"], TASKS={"default": {"BACKEND": OURS, "QUEUES": []}}, USE_TZ=True)

from mainspring.contrib.django.backend import MainspringBackend  # noqa: E402


class Ours(MainspringBackend):
    """Remembers what was enqueued, and waits for its end, where the tests of Django's own backends look at that."""

    waiting = WHICH == "execute"

    def __init__(self, alias: str, params: dict[str, Any]) -> None:
        super().__init__(alias, params)
        self.results: list[Any] = []

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        result = super().enqueue(task, args, kwargs)
        self.results.append(result)
        if self.waiting:
            self.client.wait(result.id, timeout=HANG)
            result.refresh()
        return result

    def clear(self) -> None:
        self.results.clear()


django.setup()

from django.tasks import task_backends  # noqa: E402
from django.test import override_settings  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from tasks import test_immediate_backend, test_tasks  # type: ignore[import-not-found] # noqa: E402

from mainspring.clock import SystemClock  # noqa: E402
from mainspring.contrib.django.serving import make_app  # noqa: E402
from tests.contrib.live import Live, live_executor  # noqa: E402
from tests.support.limits import HANG  # noqa: E402

test_tasks.DummyBackend = test_immediate_backend.ImmediateBackend = Ours
IMMEDIATE = {"BACKEND": "django.tasks.backends.immediate.ImmediateBackend", "QUEUES": []}
ENQUEUE = {
    "default": {"BACKEND": OURS, "QUEUES": ["default", "queue_1"]},
    "immediate": IMMEDIATE,
    "missing": {"BACKEND": "does.not.exist"},
}


@override_settings(TASKS=ENQUEUE, USE_TZ=True)
class Enqueue(test_tasks.TaskTestCase):  # type: ignore[misc]
    """All of them."""


@override_settings(TASKS={"default": {"BACKEND": OURS, "QUEUES": []}})
class Execute(test_immediate_backend.ImmediateBackendTestCase):  # type: ignore[misc]
    """Those that are not about having no results, no `run_after`, and everything in the caller's own thread."""

    test_throws_keyboard_interrupt = None
    test_cannot_get_result = None
    test_cannot_refresh_result = None
    test_cannot_pass_run_after = None
    # An executor may log that it started before the caller logs that it enqueued.
    test_enqueue_logs = None
    test_failed_logs = None


@contextmanager
def executing() -> Iterator[None]:
    client, clock = task_backends["default"].client, SystemClock()
    with live_executor(Live(os.environ["MAINSPRING_URL"]), make_app().handlers):
        deadline = clock.monotonic() + HANG
        while "django" not in {job.name for job in client.jobs.list().jobs}:
            assert clock.monotonic() < deadline
        yield


def main() -> int:
    setup_test_environment()
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Enqueue if WHICH == "enqueue" else Execute)
    with executing() if WHICH == "execute" else nullcontext():
        ended = unittest.TextTestRunner(verbosity=2).run(suite)
    print(f"ran {ended.testsRun} on Django {django.VERSION[0]}, {len(ended.skipped)} skipped")
    return 0 if ended.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
