"""Workflows in a YAML or JSON file."""

from pathlib import Path
from typing import Any

import yaml

from mainspring.cli.commands.triggers.files import SIZE_MAX, Loader
from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.errors import ConfigError


def read_workflows(path: Path) -> dict[str, dict[str, Any]]:
    """The definitions by name: those under `workflows`, or the only one of a file; raises ConfigError with the file's name."""
    try:
        raw = path.read_bytes()
        content = yaml.load(raw, Loader) if len(raw) <= SIZE_MAX else None  # noqa: S506 plain values only
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: is not YAML: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: holds no workflows, or more than {SIZE_MAX} bytes")
    many = content.get("workflows", [content])
    if not isinstance(many, list) or not all(isinstance(one, dict) for one in many):
        raise ConfigError(f"{path}: workflows is not a list of definitions")
    return dict(named(path, position, one) for position, one in enumerate(many))


def named(path: Path, position: int, fields: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    given = dict(fields)
    name = given.pop("name", None)
    if not isinstance(name, str) or not name:
        raise ConfigError(f"{path}: workflows[{position}] has no name")
    if isinstance(length := given.get("deadline"), str):
        seconds = read_length(length)
        if seconds is None:
            raise ConfigError(f"{path}: {name}: deadline: {length!r} is not a length of time, such as {EXAMPLES}")
        given["deadline"] = seconds
    return name, given
