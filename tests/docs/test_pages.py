"""Every block of the README and the docs does what the page says; each page is played on a server of its own."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml

from mainspring.domain.access.provider import Provider
from mainspring.settings import ClientSettings, ExecutorSettings, SchedulerSettings, ServerSettings
from tests.contrib.test_guides import stands_in_example
from tests.docs.blocks import Block, Page, pages
from tests.docs.player import Player, parse_only
from tests.docs.preludes import PRELUDES, nothing
from tests.docs.stage import Stage

pytestmark = [pytest.mark.slow]

PAGES = pages()
BLOCKS = [block for page in PAGES for block in page.blocks]
PLAYED = ("python", "console")
ELSEWHERE = ("sql",)
"""Run by tests/contrib, on PostgreSQL."""
PROSE = ("text", "mermaid")
CHECKED = ("sh", "toml", "json", "yaml")
RECORDED = "docs/walk-through.md"
"""Played by test_walk_through.py, with processes of its own."""
SAMPLE = "tests.docs.sample:app"
TESTED = "test_"
WITHOUT = [part for name in ("cacheprovider", "schemathesis", "hypothesispytest") for part in ("-p", f"no:{name}")]
"""Plug-ins that a reader does not have."""
SECTIONS = {
    "server": ServerSettings,
    "executor": ExecutorSettings,
    "scheduler": SchedulerSettings,
    "client": ClientSettings,
}


PLAYABLE = [page for page in PAGES if page.name != RECORDED and any(page.of(*PLAYED))]


def blocks_of(kind: str) -> list[Block]:
    return [block for block in BLOCKS if block.kind == kind]


@pytest.fixture
def stage(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    page: Page = request.getfixturevalue("page")
    made = Stage(tmp_path, page.app or SAMPLE, page.files)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAINSPRING_URL", made.url)
    monkeypatch.setenv("MAINSPRING_TOKEN", made.token)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    monkeypatch.setenv("EDITOR", "true")
    yield made
    made.close()


@pytest.mark.parametrize("page", PLAYABLE, ids=lambda page: page.name)
async def test_a_page_does_what_it_says(page: Page, stage: Stage) -> None:
    prelude = PRELUDES.get(page.name, nothing)(stage)
    player = Player(stage, prelude)
    wrong = {"first": await player.run_python(prelude.first)}
    for block in page.of(*PLAYED):
        if block.file not in page.files:
            wrong[block.place] = await player.play(block)
    await player.close()

    assert {place: what for place, what in wrong.items() if what} == {}


@pytest.mark.parametrize("page", [page for page in PLAYABLE if page.files], ids=lambda page: page.name)
def test_the_files_of_a_page_are_used_by_it(page: Page, tmp_path: Path) -> None:
    typed = " ".join(command.text for block in page.of("console") for command in block.commands())
    used = {name for name in page.files if name in typed or name.removesuffix(".py") + ":app" == page.app}
    tests = {name for name in page.files if name.startswith(TESTED)}

    assert set(page.files) - used - tests <= ({"conftest.py"} if tests else set())


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(name.startswith(TESTED) for name in page.files)], ids=lambda page: page.name
)
def test_the_tests_that_a_page_shows_pass(page: Page, tmp_path: Path) -> None:
    for name, code in page.files.items():
        (tmp_path / name).write_text(code)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        *WITHOUT,
        "-o",
        "asyncio_mode=auto",
        "-o",
        "asyncio_default_fixture_loop_scope=function",
    ]
    done = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert f"{sum(code.count('def test_') for code in page.files.values())} passed" in done.stdout


@pytest.mark.parametrize("block", blocks_of("sh"), ids=lambda block: block.place)
def test_shell_is_spelt_well_and_its_commands_exist(block: Block) -> None:
    checked = subprocess.run(["bash", "-n"], check=False, input=block.code, capture_output=True, text=True)

    assert (checked.returncode, checked.stderr) == (0, "")
    assert [parse_only(line) for line in block.code.splitlines() if line.startswith("mainspring ")] == [
        "" for line in block.code.splitlines() if line.startswith("mainspring ")
    ]


@pytest.mark.parametrize("block", blocks_of("toml"), ids=lambda block: block.place)
def test_settings_in_a_page_exist(block: Block) -> None:
    found = tomllib.loads(block.code)
    if "issuer" in found:
        assert msgspec.convert({"name": "corp", **found}, Provider).issuer
        return
    for table, content in found.items():
        assert set(content) <= set(SECTIONS[table].__struct_fields__)


@pytest.mark.parametrize("block", [*blocks_of("json"), *blocks_of("yaml")], ids=lambda block: block.place)
def test_data_in_a_page_can_be_read(block: Block) -> None:
    assert json.loads(block.code) if block.kind == "json" else yaml.safe_load(block.code)


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.is_from_example], ids=lambda block: block.place)
def test_a_block_from_an_example_stands_there(block: Block) -> None:
    assert stands_in_example(block.code)


def test_every_block_is_of_a_kind_that_is_tested() -> None:
    kinds = {*PLAYED, *CHECKED, *PROSE, *ELSEWHERE}

    assert [block.place for block in BLOCKS if block.kind not in kinds] == []
    assert {block.page for block in blocks_of("sql")} == {"docs/guides/transactional-enqueue.md"}
    assert [block.place for block in blocks_of("console") if not block.commands()] == []
    assert len(BLOCKS) > 80
