"""Django's Tasks framework on Mainspring: every part of its contract, through a real server and a real executor."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connections, transaction
from django.test import override_settings
from django.utils import timezone

from mainspring.cli.output import exits
from mainspring.client.transport.requests import Enqueue
from mainspring.clock import SystemClock
from mainspring.contrib.django import call
from mainspring.contrib.django.serving import make_app
from mainspring.errors import ConfigError
from tests.architecture.source import ROOT
from tests.contrib import django_project as project
from tests.contrib.live import TOKEN, Live, live_executor, live_server
from tests.contrib.plain_ways import point_django_at
from tests.support.processes import clean_environment

from django_tasks import TaskResult, TaskResultStatus, default_task_backend, task_backends  # isort: skip
from django_tasks.exceptions import InvalidTaskError, TaskResultDoesNotExist, TaskResultMismatch  # isort: skip
from django_tasks.signals import task_enqueued, task_finished, task_started  # isort: skip
from tests.support.limits import HANG

pytestmark = pytest.mark.postgres

BACKEND = "mainspring.contrib.django.MainspringBackend"


def settings_for(url: str, **options: Any) -> dict[str, Any]:
    given = {"URL": url, "TOKEN": TOKEN, "RETRY": {"attempts": 2, "backoff": 0.001}, **options}
    return {"default": {"BACKEND": BACKEND, "QUEUES": ["default", "mail"], "OPTIONS": given}}


@pytest.fixture(scope="module")
def live(shop_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server on the database that Django uses too, and an executor for the project."""
    point_django_at(shop_url)
    with (
        live_server(tmp_path_factory.mktemp("home"), shop_url) as started,
        override_settings(TASKS=settings_for(started.url)),
        live_executor(started, make_app().handlers),
    ):
        ready(started)
        yield started
    connections.close_all()


def ready(live: Live) -> None:
    """Wait until the executor has said what it can do: before that, the job is not known."""
    client, clock = live.client(), SystemClock()
    deadline = clock.monotonic() + HANG
    while "django" not in {job.name for job in client.jobs.list().jobs}:
        assert clock.monotonic() < deadline
    client.close()


@pytest.fixture(autouse=True)
def configured(live: Live) -> Iterator[None]:
    with override_settings(TASKS=settings_for(live.url)):
        yield


def finished(result: TaskResult[Any]) -> TaskResult[Any]:
    """The result once it is over, as the framework lets one ask."""
    backend = default_task_backend
    backend.client.wait(result.id, timeout=HANG)  # type: ignore[attr-defined]
    result.refresh()
    return result


def test_a_function_runs_with_its_arguments_and_its_result_comes_back() -> None:
    result = project.add.enqueue(2, right=3)
    before = result.status
    finished(result)

    assert (before, result.status, result.return_value) == (TaskResultStatus.READY, TaskResultStatus.SUCCESSFUL, 5)
    assert (result.args, result.kwargs, result.backend) == ([2], {"right": 3}, "default")
    assert (result.attempts, result.errors) == (1, [])
    assert result.enqueued_at is not None
    assert result.started_at is not None
    assert result.finished_at is not None
    assert result.enqueued_at <= result.started_at <= result.finished_at


def test_async_functions_run_too() -> None:
    assert finished(project.shout.enqueue("hi")).return_value == "HI"


async def test_async_code_enqueues_and_asks() -> None:
    result = await project.add.aenqueue(1)
    await asyncio.to_thread(default_task_backend.client.wait, result.id, timeout=HANG)  # type: ignore[attr-defined]
    await result.arefresh()
    again = await project.add.aget_result(result.id)

    assert (result.return_value, again.return_value) == (1, 1)


def test_a_function_may_see_its_own_result() -> None:
    result = finished(project.describe.enqueue("note"))

    assert result.return_value == [1, result.id, "RUNNING", "describe", "note"]


def test_what_a_function_raises_is_kept_with_its_class() -> None:
    result = finished(project.jam.enqueue())

    assert result.status == TaskResultStatus.FAILED
    assert [error.exception_class for error in result.errors] == [project.OutOfPaperError] * 2
    assert "tray 2" in result.errors[0].traceback
    assert result.attempts == 2
    with pytest.raises(ValueError, match="failed"):
        assert result.return_value


def test_what_an_async_function_raises_is_kept_too() -> None:
    result = finished(project.jam_async.enqueue())

    assert [error.exception_class for error in result.errors] == [LookupError, LookupError]


def test_a_failed_function_is_tried_again_as_the_options_say() -> None:
    result = finished(project.jam_once.enqueue())

    assert (result.status, result.return_value, result.attempts) == (TaskResultStatus.SUCCESSFUL, 2, 2)
    assert [error.exception_class for error in result.errors] == [ValueError]


def test_queue_priority_and_time_reach_the_run() -> None:
    later = timezone.now() + timedelta(hours=1)
    mailed = finished(project.mail.enqueue("anna"))
    waiting = project.add.using(priority=-100, run_after=later).enqueue(1)
    client = default_task_backend.client  # type: ignore[attr-defined]
    first, second = client.get(mailed.id), client.get(waiting.id)
    asked = project.add.get_result(waiting.id)

    assert (first.queue, first.priority, first.labels) == ("mail", 9, {"django": "tests.contrib.django_project.mail"})
    assert (second.queue, second.priority, second.due_at) == ("default", 0, later)
    assert (mailed.task.queue_name, mailed.task.priority) == ("mail", 100)
    assert (asked.task.run_after, asked.task.priority, asked.status) == (later, -100, TaskResultStatus.READY)


@pytest.mark.parametrize(("given", "ours"), [(-100, 0), (-50, 3), (-1, 5), (0, 5), (1, 5), (50, 7), (100, 9)])
def test_priorities_keep_their_order(given: int, ours: int) -> None:
    assert call.urgency(given) == ours
    assert call.urgency(given) <= call.urgency(min(given + 1, 100))


def test_what_is_not_json_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(TypeError):
        project.shout.enqueue(datetime.now(UTC))  # type: ignore[arg-type] # noqa: TID251
    result = finished(project.give_set.enqueue())

    assert [error.exception_class for error in result.errors] == [TypeError] * 2


def test_only_what_is_decorated_can_be_enqueued_or_run() -> None:
    client = default_task_backend.client  # type: ignore[attr-defined]
    forged = [
        client.send(forge("tests.contrib.django_project.plain")),
        client.send(forge("os.getcwd")),
        client.send(forge("tests.contrib.django_project.nothing")),
    ]
    ended = [client.wait(run.id, timeout=HANG) for run in forged]
    with pytest.raises(InvalidTaskError, match="not decorated with @task, or it is under another name"):
        project.renamed.enqueue()

    assert {run.state for run in ended} == {"failed"}
    assert {run.error.error for run in ended} == {"InvalidTaskError"}
    assert "os is not a module of the project or of an installed app" in ended[1].error.message


def forge(path: str) -> Enqueue:
    return Enqueue(job="django", input={"path": path, "args": [], "kwargs": {}, "backend": "default", "priority": 0})


def test_a_result_that_is_not_there_or_not_the_framework_s_does_not_exist(live: Live) -> None:
    missing = "01900000-0000-7000-8000-000000000000"
    client = default_task_backend.client  # type: ignore[attr-defined]
    foreign = client.send(Enqueue(job="pack", input={"order": 1})).id
    mine = project.add.enqueue(1)

    for unknown in (missing, "not an id", foreign, 123, None, b"123", ["123"]):
        with pytest.raises(TaskResultDoesNotExist):
            default_task_backend.get_result(unknown)  # type: ignore[arg-type]
    with pytest.raises(TaskResultMismatch):
        project.shout.get_result(mine.id)


def test_signals_are_sent_where_things_happen() -> None:
    seen: list[tuple[str, str, str]] = []

    def hear(name: str) -> Callable[..., None]:
        return lambda task_result, **_: seen.append((name, task_result.id, str(task_result.status)))

    receivers = {task_enqueued: hear("enqueued"), task_started: hear("started"), task_finished: hear("finished")}
    for signal, receiver in receivers.items():
        signal.connect(receiver)
    done, broken = finished(project.shout.enqueue("x")), finished(project.jam_async.enqueue())
    said = {run: [(name, state) for name, of, state in seen if of == run] for run in (done.id, broken.id)}

    # An executor may be quicker than the one who enqueued is with saying so.
    assert sorted(said[done.id]) == [("enqueued", "READY"), ("finished", "SUCCESSFUL"), ("started", "RUNNING")]
    assert said[broken.id].count(("finished", "FAILED")) == 2


def test_connections_to_the_database_are_not_left_behind(shop_url: str) -> None:
    threads = {finished(project.query.enqueue()).return_value for _ in range(3)}
    loops = {finished(project.query_async.enqueue()).return_value for _ in range(3)}

    assert len(loops) == 3
    assert threads.isdisjoint(loops)


@pytest.mark.parametrize("options", [{"URLL": "x"}, {"RETRY": {"attempts": "many"}}, {"URL": 5}])
def test_options_that_make_no_sense_are_named(options: dict[str, Any]) -> None:
    tasks = {"default": {"BACKEND": BACKEND, "OPTIONS": options}}
    refused = r"TASKS\['default'\]\['OPTIONS'\]: .*(URLL|RETRY|URL)"
    with override_settings(TASKS=tasks), pytest.raises(ImproperlyConfigured, match=refused):
        assert task_backends["default"]


def test_checks_say_what_is_missing(live: Live, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> None:
    def found(**options: Any) -> list[str]:
        with override_settings(TASKS=settings_for(live.url, **options)):
            return [error.id for error in run_checks() if error.id]

    monkeypatch.setenv("MAINSPRING_HOME", str(tmp_path_factory.mktemp("empty")))

    assert found() == []
    assert found(TOKEN=None) == ["mainspring.E001"]
    assert found(DATABASE="nope") == ["mainspring.E002"]
    assert found(DATABASE="default") == []


def test_an_executor_needs_a_backend_of_ours() -> None:
    tasks = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}
    with override_settings(TASKS=tasks), pytest.raises(ConfigError, match=r"has no .*MainspringBackend"):
        make_app()


def test_each_backend_of_ours_has_jobs_of_its_own() -> None:
    other = {**settings_for("http://127.0.0.1:9"), "bulk": {"BACKEND": BACKEND, "QUEUES": ["bulk"]}}
    with override_settings(TASKS=other):
        handlers = make_app().handlers

    assert {handler.name for handler in handlers} == {"django", "django.async", "django.bulk", "django.bulk.async"}
    assert handlers.queues == {"default", "mail", "bulk"}


def test_with_a_database_what_is_enqueued_commits_with_all_else(live: Live) -> None:
    with override_settings(TASKS=settings_for(live.url, DATABASE="default")):
        with transaction.atomic():
            kept = project.add.enqueue(1)
            early = exists(kept)
        with transaction.atomic():
            lost = project.add.enqueue(2)
            transaction.set_rollback(True)
        at_once = project.add.enqueue(3)

        assert (early, exists(kept), exists(lost), exists(at_once)) == (False, True, False, True)
        assert finished(kept).return_value == 1


def exists(result: TaskResult[Any]) -> bool:
    try:
        default_task_backend.get_result(result.id)
    except TaskResultDoesNotExist:
        return False
    return True


def test_a_project_without_time_zones_sees_its_own_time() -> None:
    after = datetime.now() + timedelta(hours=1)  # noqa: DTZ005, TID251 as such projects write it
    with override_settings(USE_TZ=False):
        result = project.add.using(run_after=after).enqueue(1)
        asked = project.add.get_result(result.id)

    assert asked.task.run_after == after
    assert result.enqueued_at is not None
    assert result.enqueued_at.tzinfo is None


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("", "Django cannot be set up: Requested setting"),
        ("no_such.settings", "DJANGO_SETTINGS_MODULE: there is no 'no_such.settings'; is the working directory right?"),
    ],
)
def test_an_executor_without_settings_says_so_in_a_line(module: str, reason: str) -> None:
    command = [sys.executable, "-m", "mainspring", "executor", "mainspring.contrib.django:app"]
    env = clean_environment(MAINSPRING_EXECUTOR_TOKEN="any", DJANGO_SETTINGS_MODULE=module)
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=env, cwd=ROOT)

    assert ended.returncode == exits.USAGE
    assert ended.stderr.startswith(f"mainspring: {reason}")
    assert "Traceback" not in ended.stderr
