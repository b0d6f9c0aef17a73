"""Workflows in a YAML or JSON file."""

from pathlib import Path
from typing import Any

from mainspring.cli.definition_files import FileEntry, line_of, read_parts, read_whole
from mainspring.domain.workflows.checks import check_workflow
from mainspring.domain.workflows.definitions.fields import steps_of, with_seconds
from mainspring.errors import ConfigError, InvalidInputError


def read_workflows(path: Path) -> list[dict[str, Any]]:
    """The definitions under `workflows`; raises ConfigError with the file's name and the line."""
    entries = read_parts(read_whole(path), str(path))["workflows"]
    if not entries:
        raise ConfigError(f"{path}: holds no workflows: they are a list under `workflows`")
    return [read_workflow(entry, str(path)) for entry in entries]


def read_workflow(found: FileEntry, path: str) -> dict[str, Any]:
    """One definition as the API takes it; raises ConfigError with the line."""
    name = found.fields.get("name")
    if not isinstance(name, str) or not name:
        raise ConfigError(f"{path}:{found.line}: a workflow needs a name")
    try:
        fields = with_seconds(found.fields)
        check_workflow(steps_of(fields))
    except InvalidInputError as error:
        raise ConfigError(f"{path}:{line_in(found, error.field)}: workflow {name!r}: {error}") from None
    return fields


def line_in(found: FileEntry, field: str) -> int:
    """Where a field stands: of a step, where the step does."""
    first, _, rest = field.partition(".")
    step = rest.partition(".")[0]
    return found.lines[step] if first == "steps" and step in found.lines else line_of(found, first)
