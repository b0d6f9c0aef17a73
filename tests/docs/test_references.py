"""The reference pages are what the code says."""

import re

import pytest

import mainspring
from mainspring.settings.sections import Section
from mainspring.settings.sources import SECTIONS
from scripts import (
    write_api_reference,
    write_cli_reference,
    write_console_types,
    write_python_reference,
    write_settings_reference,
)
from tests.architecture.source import ROOT

REFERENCE = ROOT / "docs" / "reference"


def test_the_types_of_the_console_are_the_api_s() -> None:
    assert write_console_types.FILE.read_text() == write_console_types.page(), "run: make docs-api"


def test_the_page_of_the_command_line_is_its_commands() -> None:
    assert (REFERENCE / "cli.md").read_text() == write_cli_reference.page(), "run: make docs-cli"


def test_the_page_of_the_settings_is_their_code() -> None:
    assert (REFERENCE / "settings.md").read_text() == write_settings_reference.page(), "run: make docs-settings"


def test_the_page_of_the_python_api_is_its_docstrings() -> None:
    assert (REFERENCE / "python.md").read_text() == write_python_reference.page(), "run: make docs-python"


def test_every_exported_name_is_on_that_page_once() -> None:
    named = [name for names in write_python_reference.GROUPS.values() for name in names]

    assert sorted(named) == sorted(set(mainspring.__all__) - {"__version__"})


def test_no_page_tells_its_readers_not_to_edit_it() -> None:
    shown = {
        page.name: re.sub(r"<!--.*?-->", "", page.read_text(), flags=re.DOTALL)
        for page in (ROOT / "docs").rglob("*.md")
    }

    assert [name for name, text in shown.items() if "do not edit" in text.lower()] == []


def test_the_page_of_the_api_is_its_routes() -> None:
    assert (REFERENCE / "api.md").read_text() == write_api_reference.page(), "run: make docs-api"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.table)
def test_every_setting_says_what_it_means(section: type[Section]) -> None:
    meanings = write_settings_reference.descriptions()[section.__name__]

    assert [field.name for field in write_settings_reference.listed(section) if field.name not in meanings] == []


def test_every_option_says_what_it_does() -> None:
    assert [line for line in write_cli_reference.page().splitlines() if line.endswith("|  |")] == []


def test_words_that_an_option_takes_are_those_of_the_api() -> None:
    """Given an enum, the library of the command line takes the names of its members, in capitals, instead of their values."""
    assert re.findall(r"^\| `--[a-z-]+ \[[A-Z].*", write_cli_reference.page(), re.MULTILINE) == []
