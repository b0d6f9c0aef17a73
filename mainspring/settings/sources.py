"""Where settings come from: a flag wins over the environment, that over the file, that over the default."""

import difflib
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from mainspring.errors import ConfigError
from mainspring.settings.sections import ClientSettings, ExecutorSettings, SchedulerSettings, Section, ServerSettings
from mainspring.settings.text import from_text

S = TypeVar("S", bound=Section)

SECTIONS: tuple[type[Section], ...] = (ServerSettings, SchedulerSettings, ExecutorSettings, ClientSettings)
OWN_VARIABLES = frozenset({"MAINSPRING_CONFIG", "MAINSPRING_DEBUG"})

# Kubernetes sets these in every pod beside a service that is called mainspring.
FOREIGN = re.compile(r"MAINSPRING_(.+_)?(SERVICE_(HOST|PORT.*)|PORT_\d+_.*)")


class Reading(NamedTuple):
    """A value and where it was found."""

    value: Any
    origin: str


def load(
    section: type[S],
    flags: Mapping[str, Any] | None = None,
    *,
    env: Mapping[str, str] = os.environ,
    config: str | None = None,
) -> S:
    """Read a section; flags that are None were not given."""
    file = read_file(config or env.get("MAINSPRING_CONFIG"))
    check_variables(env)
    return build(section, gather(section, flags or {}, env, file))


def gather(
    section: type[Section], flags: Mapping[str, Any], env: Mapping[str, str], file: Mapping[str, Mapping[str, Any]]
) -> dict[str, Reading]:
    """The readings that count, by field."""
    readings = {
        name: Reading(value, f"[{section.table}] {name}") for name, value in file.get(section.table, {}).items()
    }
    for name in fields(section):
        if (reading := from_environment(section, name, env)) is not None:
            readings[name] = reading
    given = {name: Reading(value, f"--{name.replace('_', '-')}") for name, value in flags.items() if value is not None}
    return readings | given | nested(section, env, file)


def nested(section: type[Section], env: Mapping[str, str], file: Mapping[str, Mapping[str, Any]]) -> dict[str, Reading]:
    if section is not ServerSettings:
        return {}
    return {"scheduler": Reading(build(SchedulerSettings, gather(SchedulerSettings, {}, env, file)), "[scheduler]")}


def from_environment(section: type[Section], name: str, env: Mapping[str, str]) -> Reading | None:
    variable = section.prefix + name.upper()
    if name in section.secrets and (path := env.get(f"{variable}_FILE")):
        return Reading(read_secret(path, f"{variable}_FILE"), f"{variable}_FILE")
    text = env.get(variable)
    if text is None or (name == "port" and "://" in text):
        return None
    return Reading(text, variable)


def build(section: type[S], readings: Mapping[str, Reading]) -> S:
    known = fields(section)
    for name, reading in readings.items():
        if name not in known:
            raise ConfigError(f"{reading.origin}: unknown setting{did_you_mean(name, known)}")
    hints = {field.name: field.type for field in msgspec.structs.fields(section)}
    return section(**{name: converted(reading, hints[name]) for name, reading in readings.items()})


def converted(reading: Reading, kind: Any) -> Any:
    if isinstance(reading.value, Section):
        return reading.value
    try:
        return msgspec.convert(from_text(reading.value, kind), kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigError(f"{reading.origin}: {error}") from None


def fields(section: type[Section]) -> tuple[str, ...]:
    return section.__struct_fields__


def read_file(path: str | None) -> dict[str, dict[str, Any]]:
    if path is None:
        return {}
    try:
        tables = tomllib.loads(Path(path).read_text())
    except OSError as error:
        raise ConfigError(f"configuration file {path!r} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"configuration file {path!r}: {error}") from None
    known = [section.table for section in SECTIONS]
    for name, table in tables.items():
        if name not in known or not isinstance(table, dict):
            raise ConfigError(f"configuration file {path!r}: unknown table [{name}]{did_you_mean(name, known)}")
    return tables


def read_secret(path: str, variable: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError as error:
        raise ConfigError(f"{variable}: {path!r} cannot be read: {error.strerror}") from None


def check_variables(env: Mapping[str, str]) -> None:
    known = {section.prefix + name.upper() for section in SECTIONS for name in fields(section)} | OWN_VARIABLES
    known |= {f"{section.prefix}{name.upper()}_FILE" for section in SECTIONS for name in section.secrets}
    for name in env:
        if name.startswith("MAINSPRING_") and name not in known and not FOREIGN.fullmatch(name):
            raise ConfigError(f"unknown variable {name}{did_you_mean(name, known)}")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
