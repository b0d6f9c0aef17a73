"""Definitions in a YAML or JSON file: read with nothing but plain values, and every complaint with its line."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from mainspring.contract.base import plain_yaml
from mainspring.contract.base.plain_yaml import Loader
from mainspring.errors import ConfigError

SIZE_MAX = 16 * 1024 * 1024
SUFFIXES = (".yaml", ".yml", ".json")
FIELDS = ("owner", "defaults", "calendars", "workflows", "triggers")
LISTS = ("calendars", "workflows", "triggers")
OF_CLOCKS = frozenset({"zone"})
"""Among the defaults, for those triggers that go by a wall clock."""


class FileEntry(msgspec.Struct, frozen=True):
    """One trigger, calendar or workflow of a file, and where its fields stand."""

    line: int
    fields: Mapping[str, Any]
    lines: Mapping[str, int]


def read_parts(text: str, name: str) -> dict[str, Any]:
    """The content of a file, its lists as entries; raises ConfigError, with the line."""
    try:
        refuse_excess(text, name)
        return top(Loader(text), name)
    except yaml.YAMLError as error:
        raise malformed(error, name) from None


def read_whole(path: Path) -> str:
    """The text of a file; raises ConfigError."""
    try:
        if path.stat().st_size > SIZE_MAX:
            raise ConfigError(f"{path}: is over the limit of {SIZE_MAX // 1024 // 1024} MB")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 at byte {error.start}") from None


def refuse_excess(text: str, name: str) -> None:
    """Raises ConfigError, with the line, and yaml.YAMLError for what is no YAML."""
    try:
        plain_yaml.refuse_excess(text)
    except plain_yaml.ExcessError as error:
        raise ConfigError(f"{name}:{error.mark.line + 1}: {error.reason}") from None


def top(loader: Any, name: str) -> dict[str, Any]:
    """The content of the file, its triggers, calendars and workflows as entries."""
    parts = dict(pairs(loader, loader.get_single_node(), name))
    if unknown := next((key for key in parts if key not in FIELDS), None):
        raise ConfigError(f"{name}: {unknown} is not known; a file has {', '.join(FIELDS)}")
    found: dict[str, Any] = {key: value(loader, at, name) for key, at in parts.items() if key not in LISTS}
    defaults = found.get("defaults") or {}
    if not isinstance(defaults, dict):
        raise ConfigError(f"{name}: defaults are fields that all triggers have unless they say otherwise")
    for key in LISTS:
        usual = defaults if key == "triggers" else {}
        found[key] = [entry(loader, at, name, usual) for at in listed(parts.get(key), key, name)]
    return found


def listed(at: Any, key: str, name: str) -> Sequence[Any]:
    if at is not None and not isinstance(at, yaml.SequenceNode):
        raise ConfigError(f"{name}:{at.start_mark.line + 1}: {key} is a list")
    return () if at is None else at.value


def entry(loader: Any, at: Any, name: str, defaults: Mapping[str, Any]) -> FileEntry:
    said = list(pairs(loader, at, name))
    fields = {key: value(loader, inner, name) for key, inner in said}
    usual = {key: value for key, value in defaults.items() if key not in OF_CLOCKS or is_on_a_clock(fields)}
    return FileEntry(at.start_mark.line + 1, {**usual, **fields}, {**step_lines(said), **lines_in(said)})


def step_lines(said: Sequence[tuple[str, Any]]) -> dict[str, int]:
    """Where the steps of a workflow stand."""
    steps = next((inner for key, inner in said if key == "steps"), None)
    return (
        lines_in([(str(key.value), inner) for key, inner in steps.value]) if isinstance(steps, yaml.MappingNode) else {}
    )


def lines_in(said: Sequence[tuple[str, Any]]) -> dict[str, int]:
    return {key: inner.start_mark.line + 1 for key, inner in said}


def is_on_a_clock(fields: Mapping[str, Any]) -> bool:
    return "cron" in fields or "opens" in fields


def pairs(loader: Any, at: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(at, yaml.MappingNode):
        line = "" if at is None else f":{at.start_mark.line + 1}"
        raise ConfigError(f"{name}{line}: is not a mapping of names to values, such as `owner: billing`")
    seen: set[str] = set()
    for key_at, value_at in at.value:
        key = str(loader.construct_object(key_at, deep=True))
        if key in seen:
            raise ConfigError(f"{name}:{key_at.start_mark.line + 1}: {key} is defined twice")
        seen.add(key)
        yield key, value_at


def value(loader: Any, at: Any, name: str) -> Any:
    if isinstance(at, yaml.MappingNode):
        return {key: value(loader, inner, name) for key, inner in pairs(loader, at, name)}
    if isinstance(at, yaml.SequenceNode):
        return [value(loader, inner, name) for inner in at.value]
    return loader.construct_object(at, deep=True)


def line_of(found: FileEntry, field: str) -> int:
    """Where the field stands, by its own name or, of a rule that is written short, by those of its parts."""
    parts = field.replace("[", ".").split(".")
    short = {"expressions": "cron", "type": "event"}
    return next(
        (found.lines[each] for part in parts[::-1] if (each := short.get(part, part)) in found.lines), found.line
    )


def malformed(error: yaml.YAMLError, name: str) -> ConfigError:
    mark = getattr(error, "problem_mark", None)
    place = f":{mark.line + 1}" if mark is not None else ""
    return ConfigError(f"{name}{place}: is not valid YAML: {getattr(error, 'problem', None) or error}")
