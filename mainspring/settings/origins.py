"""Every setting with its value and where that was found, for people who wonder."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError
from mainspring.settings.files import read_toml
from mainspring.settings.home import TOKEN_API, TOKEN_EXECUTOR
from mainspring.settings.sections import ClientSettings, ExecutorSettings, Section
from mainspring.settings.sources import (
    SECTIONS,
    TABLES,
    Readings,
    build,
    check_variables,
    fields,
    find_readings,
    from_table,
    read_field,
)

DEFAULT = "default"
HIDDEN = "***"
OFF = "off"
"""Values of `listen_url` that are not an address."""
PASSWORD = re.compile(r"(password|secret|token|key)=[^&]*", re.IGNORECASE)

HOME_TOKENS = {
    (ClientSettings, "token"): TOKEN_API,
    (ExecutorSettings, "token"): TOKEN_EXECUTOR,
}
"""Secrets that a server keeps in its home unless they are set."""


class Setting(msgspec.Struct, frozen=True):
    """One setting as it came out; a secret's value is hidden."""

    section: str
    name: str
    value: Any
    origin: str
    variable: str


def list_settings(
    *,
    env: Mapping[str, str] = os.environ,
    config: str | None = None,
    home: str | None = None,
    context: str | None = None,
) -> list[Setting]:
    """Every setting of every section; raises ConfigError if one of them is wrong."""
    check_variables(env)
    place = build(ClientSettings, find_readings(ClientSettings, {"home": home}, env=env, config=config)).home
    found: list[Setting] = []
    for section in SECTIONS:
        flags = {"home": home} if "home" in fields(section) else {}
        readings = find_readings(section, flags, env=env, config=config, context=context)
        found += list_section(section, readings, Path(place))
    return found


def list_section(section: type[Section], readings: Readings, home: Path) -> Iterator[Setting]:
    built = build(section, readings)
    for name in fields(section):
        value = getattr(built, name)
        if isinstance(value, Section):
            continue
        origin = readings[name].origin if name in readings else DEFAULT
        kept = HOME_TOKENS.get((section, name))
        if not value and kept and (home / kept).exists():
            value, origin = HIDDEN, str(home / kept)
        shown = hidden(value) if name in section.secrets else value
        yield Setting(section.table, name, shown, origin, section.prefix + name.upper())


def hidden(value: Any) -> Any:
    """A secret as it may be shown: of an address, all but the password."""
    text = str(value)
    if "://" not in text:
        return text if text in ("", OFF) else HIDDEN
    who, at, _ = urlsplit(text).netloc.rpartition("@")
    user, colon, _ = who.partition(":")
    shown = text.replace(f"{who}{at}", f"{user}:{HIDDEN}{at}", 1) if colon else text
    return PASSWORD.sub(rf"\1={HIDDEN}", shown)


def check_file(path: str) -> list[str]:
    """All errors of a configuration file, one line each."""
    tables = read_toml(path, "configuration file")
    wrong: list[str] = []
    for name, table in tables.items():
        if name not in TABLES or not isinstance(table, dict):
            wrong.append(f"{path} [{name}]: unknown table{did_you_mean(name, TABLES)}")
        else:
            wrong += check_section(TABLES[name], from_table(TABLES[name], tables, path))
    return wrong


def check_section(section: type[Section], readings: Readings) -> Iterator[str]:
    good: Readings = {}
    for name, reading in readings.items():
        try:
            read_field(section, name, reading)
        except ConfigError as error:
            yield str(error)
        else:
            good[name] = reading
    try:
        build(section, good)
    except ConfigError as error:
        # What is wrong between settings, such as a beat that does not fit its lease.
        yield f"[{section.table}] {error}"
