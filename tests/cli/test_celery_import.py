"""Celery's own app, asked for its schedule: routes, zone, signals and arguments as the running program has them."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mainspring.cli.importers.beat import read_beat
from mainspring.cli.importers.celery_app import load_app, read_app
from mainspring.domain.imports.found import Imported
from mainspring.errors import ConfigError
from tests.architecture.source import ROOT
from tests.cli.scene import Shell
from tests.support.processes import clean_environment

NOW = datetime(2030, 1, 1, tzinfo=UTC)
SHOP = "tests.cli.celery_shop:app"
ENTRY = '{"x": {"task": "a.b", "schedule": crontab(hour=3, minute=0)}, "y": {"task": "a.c", "schedule": 5.0}}'


@pytest.fixture(scope="module")
def shop() -> Imported:
    return read_app(load_app(SHOP), now=NOW, known=lambda _: None)


def read(text: str, zone: str | None = None) -> Imported:
    return read_beat(text, "conf.py", now=NOW, arguments=lambda _, args, kwargs: {"args": args, **kwargs}, zone=zone)


def test_an_entry_before_the_line_that_sets_the_whole_schedule_anew_is_not_imported() -> None:
    before = 'app.conf.beat_schedule["a"] = {"task": "t.a", "schedule": 10}\n'
    anew = 'app.conf.beat_schedule = {"c": {"task": "t.c", "schedule": 30}}\n'
    more = 'app.conf.beat_schedule = {**app.conf.beat_schedule, "c": {"task": "t.c", "schedule": 30}}\n'
    replaced, kept = read(before + anew), read(before + more)

    assert [each.spec.name for each in replaced.taken] == ["c"]
    assert [(each.line, each.reason) for each in replaced.refused] == [(1, "is replaced in line 2")]
    assert [each.spec.name for each in kept.taken] == ["a", "c"]


def test_the_running_app_is_asked_for_everything_that_source_cannot_say(shop: Imported) -> None:
    taken = {each.spec.name: each.spec for each in shop.taken}
    rules = {name: getattr(spec.when, "expressions", None) for name, spec in taken.items()}

    assert rules == {
        "clean-15": ("0 15 * * *",),
        "clean-3": ("0 3 * * *",),
        "letters": None,
        "monday": ("* 7 * * 1",),
        "unknown": None,
    }
    assert getattr(taken["clean-3"].when, "zone", "") == "Europe/Rome"
    assert msgspec.json.decode(taken["letters"].input) == {"to": "ops", "subject": "hi"}
    assert msgspec.json.decode(taken["monday"].input) == {"to": "anna"}
    assert {name: spec.queue for name, spec in taken.items() if spec.queue} == {
        "letters": "mail",
        "monday": "mail",
        "unknown": "own",
    }


def test_what_a_trigger_cannot_have_of_a_running_app_is_told(shop: Imported) -> None:
    notes = {each.spec.name: list(each.notes) for each in shop.taken if each.notes}
    reasons = {each.text: each.reason for each in shop.refused}

    assert notes["letters"] == ["rate_limit of the task is left out: 10/m"]
    assert notes["unknown"] == ["shop.nothing is no task of this app", "countdown is left out"]
    assert set(reasons) == {"odd", "object"}
    assert "Odd is not known here" in reasons["odd"]
    assert "no plain value" in reasons["object"]


def test_the_command_loads_an_app_and_its_output_is_only_triggers() -> None:
    command = [sys.executable, "-m", "mainspring", "import", "celery", "--load", SHOP, "-o", "yaml"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, env=clean_environment(), cwd=ROOT)

    assert ended.returncode == 8, ended.stderr
    assert ended.stdout.startswith(f"owner: celery:{SHOP}\ntriggers:\n")
    assert f"{SHOP}: not imported: Odd is not known here" in ended.stderr
    assert "this app talks" in ended.stderr


@pytest.mark.parametrize("named", ["no_such_module:app", "tests.cli.celery_shop:nothing", "json:loads"])
def test_an_app_that_cannot_be_loaded_is_one_line(named: str) -> None:
    with pytest.raises(ConfigError, match="cannot be loaded as a Celery app"):
        load_app(named)


def test_either_a_file_is_read_or_an_app_is_loaded(shell: Shell) -> None:
    assert shell("import", "celery")[0] == 2
    assert shell("import", "celery", "x.py", "--load", SHOP)[0] == 2


@pytest.mark.parametrize(
    "setting",
    [
        "timezone = settings.TIME_ZONE",
        'TIME_ZONE = "Europe/Rome"',
        "enable_utc = False",
        'app.config_from_object("django.conf:settings", namespace="CELERY")',
        'timezone = "Europe/Rome"\napp.conf.update(timezone="Asia/Tokyo")',
        'if X:\n    timezone = "Europe/Rome"',
        'timezone = os.environ.get("TZ", "UTC")',
    ],
)
def test_a_zone_that_the_file_leaves_open_is_asked_for(setting: str) -> None:
    text = f"{setting}\nbeat_schedule = {ENTRY}\n"
    seen, said = read(text), read(text, "Asia/Tokyo")

    assert [each.spec.name for each in seen.taken] == ["y"]
    assert "say --zone, or use --load" in seen.refused[0].reason
    assert getattr(said.taken[0].spec.when, "zone", "") == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("OFFSET = 0\nbeat_schedule = {'x': {'task': 'a.b', 'schedule': 10 + OFFSET}}", 10),
        ("EVERY = 5\ndef f():\n    EVERY = 9\nbeat_schedule = {'x': {'task': 'a.b', 'schedule': EVERY}}", 5),
        ("beat_schedule = {'x': {'task': 'a.b', 'schedule': 7 * 0 + 3}}", 3),
    ],
)
def test_sums_and_scopes_are_those_of_python(text: str, seconds: int) -> None:
    assert [getattr(each.spec.when, "every", None) for each in read(text).taken] == [seconds]


@pytest.mark.parametrize(
    "setting",
    [
        "EVERY = 5\nEVERY = 6",
        "if X:\n    EVERY = 5",
        "for EVERY in (5, 6): pass",
        "EVERY = 5 // 0",
        "from x import EVERY",
    ],
)
def test_a_name_that_may_have_another_value_is_refused(setting: str) -> None:
    seen = read(f"{setting}\nbeat_schedule = {{'x': {{'task': 'a.b', 'schedule': EVERY}}}}")

    assert seen.taken == ()
    assert len(seen.refused) == 1


@pytest.mark.parametrize("text", ["", "x = 1\n", "app.conf.beat_schedule = {}\n"])
def test_a_file_without_a_schedule_is_told(text: str) -> None:
    assert [each.line for each in read(text).refused] == [1]


def test_every_form_of_the_file_is_what_celery_itself_makes_of_it(tmp_path: Path, monkeypatch: Any) -> None:
    lines = Path(__file__).with_name("imports").joinpath("beat", "forms.txt").read_text().split("for name in (")[0]
    plain = lines.replace("app.conf.beat_schedule.update(COPIED)\n", "")
    (tmp_path / "celery_forms.py").write_text(plain)
    monkeypatch.syspath_prepend(tmp_path)
    run = read_app(load_app("celery_forms:app"), now=NOW, known=lambda _: None)
    seen = read(plain)

    assert {each.spec.name: each.spec.when for each in seen.taken} == {
        each.spec.name: each.spec.when for each in run.taken
    }
