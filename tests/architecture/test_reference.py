"""The reference pages are what the code says."""

import pytest

from mainspring.settings.sections import Section
from mainspring.settings.sources import SECTIONS
from scripts import write_api_reference, write_cli_reference, write_settings_reference
from tests.architecture.source import ROOT

REFERENCE = ROOT / "docs" / "reference"


def test_the_page_of_the_command_line_is_its_commands() -> None:
    assert (REFERENCE / "cli.md").read_text() == write_cli_reference.page(), "run: make docs-cli"


def test_the_page_of_the_settings_is_their_code() -> None:
    assert (REFERENCE / "settings.md").read_text() == write_settings_reference.page(), "run: make docs-settings"


def test_the_page_of_the_api_is_its_routes() -> None:
    assert (REFERENCE / "api.md").read_text() == write_api_reference.page(), "run: make docs-api"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.table)
def test_every_setting_says_what_it_means(section: type[Section]) -> None:
    meanings = write_settings_reference.descriptions()[section.__name__]

    assert [field.name for field in write_settings_reference.listed(section) if field.name not in meanings] == []


def test_every_option_says_what_it_does() -> None:
    assert [line for line in write_cli_reference.page().splitlines() if line.endswith("|  |")] == []
