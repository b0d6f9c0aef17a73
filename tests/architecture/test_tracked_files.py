"""What is published speaks of the project alone, and works on any machine."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, tracked_files

MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root)/\w|(?<![\w.])/opt/(?:wheels|pypi)")
REGISTRY = re.compile(r"\b(?:pypi|pythonhosted|npmjs|npmmirror|yarnpkg)\.(?:org|com|io|net)\b")
ISSUE_NUMBER = re.compile(r"(?:^|[\s(])#\d+\b")
PROSE = {".py", ".sql", ".md"}


@cache
def readable() -> dict[Path, str]:
    contents = {path: path.read_bytes() for path in tracked_files()}
    return {path: content.decode(errors="replace") for path, content in contents.items() if b"\0" not in content}


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["a machine's paths", "a registry's host"])
def test_no_file_names_what_is_true_of_one_machine_only(pattern: re.Pattern[str]) -> None:
    assert matches(pattern, readable()) == []


def test_no_file_points_at_a_tracker_s_numbers() -> None:
    assert matches(ISSUE_NUMBER, {path: text for path, text in readable().items() if path.suffix in PROSE}) == []


def test_constraints_pin_each_package_once_and_nothing_else() -> None:
    lines = constraints()
    names = [line.partition("==")[0].lower().replace("_", "-") for line in lines]

    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.!+]+", line)] == []
    assert len(set(names)) == len(names)


def test_constraints_pin_every_requirement() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[^\w.-]", requirement)[0].lower() for requirement in wanted}
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in constraints()}

    assert names - pinned == set()


def constraints() -> list[str]:
    return (ROOT / "constraints.txt").read_text().splitlines()


def matches(pattern: re.Pattern[str], texts: dict[Path, str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:80]}"
        for path, text in texts.items()
        # Most files have none, which is quickly seen of a text as a whole.
        if pattern.search(text)
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
