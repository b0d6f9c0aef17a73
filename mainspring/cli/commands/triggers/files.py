"""Triggers, calendars and workflows in a YAML file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from mainspring.cli.commands.workflows.files import read_workflow
from mainspring.cli.definition_files import FileEntry, line_of, read_parts, read_whole
from mainspring.domain.calendars.checks import check_calendar
from mainspring.domain.calendars.spec import CalendarSpec
from mainspring.domain.triggers.checks import check_form
from mainspring.domain.triggers.shorthand import shorthand, written
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.errors import ConfigError, InvalidInputError


class TriggerFile(msgspec.Struct, frozen=True):
    owner: str
    triggers: Sequence[TriggerSpec]
    calendars: Sequence[CalendarSpec] = ()
    workflows: Sequence[dict[str, Any]] = ()


def read_file(path: Path) -> TriggerFile:
    """Raises ConfigError, with the file's name and the line."""
    return read_text(read_whole(path), str(path))


def read_text(text: str, name: str) -> TriggerFile:
    parts = read_parts(text, name)
    owner = parts.get("owner")
    if not isinstance(owner, str) or not owner:
        raise ConfigError(
            f"{name}: owner is missing: name whose triggers these are, such as `owner: billing`; applying the file"
            " removes what that owner has besides"
        )
    return TriggerFile(
        owner,
        [read_entry(entry, name) for entry in parts["triggers"]],
        [read_calendar(entry, name) for entry in parts["calendars"]],
        [read_workflow(entry, name) for entry in parts["workflows"]],
    )


def read_entry(found: FileEntry, name: str) -> TriggerSpec:
    try:
        spec = written(found.fields)
        check_form(spec)
    except InvalidInputError as error:
        line = line_of(found, error.field)
        named = found.fields.get("name")
        whose = f"trigger {named!r}: " if isinstance(named, str) and error.field != "name" else ""
        raise ConfigError(f"{name}:{line}: {whose}{error}") from None
    return spec


def read_calendar(found: FileEntry, name: str) -> CalendarSpec:
    try:
        spec = msgspec.convert(found.fields, CalendarSpec)
        check_calendar(spec)
    except InvalidInputError as error:
        place = f"{name}:{line_of(found, error.field)}"
        raise ConfigError(f"{place}: calendar {found.fields.get('name')!r}: {error}") from None
    except msgspec.ValidationError as error:
        raise ConfigError(f"{name}:{found.line}: calendar {found.fields.get('name')!r}: {error}") from None
    return spec


def write_file(owner: str, triggers: Sequence[TriggerSpec]) -> str:
    """The text of a file that reads as these triggers."""
    content = {"owner": owner, "triggers": [shorthand(spec) for spec in triggers]}
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
