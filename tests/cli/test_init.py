"""`mainspring init`: a project that runs, and nothing lost on the way."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mainspring.cli.setup.init import FILES, project_name
from tests.cli.scene import Shell
from tests.support.processes import Fleet


def test_a_project_is_written_and_the_next_steps_are_said(shell: Shell, tmp_path: Path) -> None:
    place = tmp_path / "My Shop"
    code, out, _ = shell("init", str(place))

    assert code == 0
    assert sorted(path.name for path in place.iterdir()) == sorted(FILES)
    assert "mainspring up jobs:app --reload" in out
    assert "mainspring enqueue greet name=Anna --wait" in out
    assert 'App("my-shop")' in (place / "jobs.py").read_text()
    assert not [path for path in place.iterdir() if "{{" in path.read_text()]


def test_its_files_are_formatted_typed_and_tested(shell: Shell, tmp_path: Path) -> None:
    shell("init", str(tmp_path))
    ruff = str(Path(sys.executable).with_name("ruff"))
    for command in (
        [ruff, "check", "--isolated", "--line-length=120", "--select=E,F,I,UP,B", "."],
        [ruff, "format", "--isolated", "--line-length=120", "--check", "."],
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
    ):
        # Without the plug-ins of this project's own tests, which take longer to load than the tests to run.
        env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

        assert done.returncode == 0, done.stdout + done.stderr


def test_its_settings_are_good(shell: Shell, tmp_path: Path) -> None:
    shell("init", str(tmp_path))

    assert shell("config", "check", str(tmp_path / "mainspring.toml"))[0] == 0


def test_nothing_is_replaced_without_force(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text("mine")
    refused = shell("init", str(tmp_path))
    kept = [path.name for path in tmp_path.iterdir()], (tmp_path / "jobs.py").read_text()
    forced = shell("init", str(tmp_path), "--force")

    assert refused[0] == 2
    assert "jobs.py in" in refused[2]
    assert "--force" in refused[2]
    assert kept == (["jobs.py"], "mine")
    assert forced[0] == 0
    assert "greet" in (tmp_path / "jobs.py").read_text()


def test_a_file_in_the_place_of_the_folder_is_said(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert shell("init", str(tmp_path / "file"))[::2] == (
        2,
        f"mainspring: {tmp_path / 'file'} is a file; name a folder\n",
    )
    assert "cannot be written: Not a directory" in shell("init", str(tmp_path / "file" / "below"))[2]


@pytest.mark.parametrize(
    ("folder", "name"), [("shop", "shop"), ("My Shop!", "my-shop"), ("日本", "app"), ("a__b", "a-b")]
)
def test_the_app_is_named_after_the_folder(folder: str, name: str) -> None:
    assert project_name(Path("/somewhere") / folder) == name


@pytest.mark.slow
async def test_the_project_runs(shell: Shell, tmp_path: Path) -> None:
    place = tmp_path / "shop"
    shell("init", str(place))
    fleet = Fleet(tmp_path, code=place)
    try:
        up = await fleet.up("jobs:app", api_token="", executor_token="").ready(executors=1)
        asked = fleet.command("enqueue", "call_the_bank", "cents=4200", "--wait", *target(tmp_path, up.url))
        code = await asked.wait()
    finally:
        fleet.close()

    assert (code, asked.said.strip()) == (0, '"42.00 moved at attempt 3"')


def target(folder: Path, url: str) -> tuple[str, ...]:
    return "--home", str(folder / "home"), "--url", url
