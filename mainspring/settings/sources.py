"""Where settings come from: a flag wins over the environment, that over a context, that over the file, then the default."""

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError
from mainspring.settings.contexts import KEPT_ELSEWHERE, NamedContext, choose_context, context_token
from mainspring.settings.files import read_secret, read_tables
from mainspring.settings.sections import ClientSettings, ExecutorSettings, SchedulerSettings, Section, ServerSettings
from mainspring.settings.text import from_text

S = TypeVar("S", bound=Section)

SECTIONS: tuple[type[Section], ...] = (ServerSettings, SchedulerSettings, ExecutorSettings, ClientSettings)
TABLES = {section.table: section for section in SECTIONS}
NO_CONTEXT = ""
"""For processes that must not depend on a user's contexts."""
OWN_VARIABLES = frozenset({"MAINSPRING_CONFIG", "MAINSPRING_CONTEXT", "MAINSPRING_DEBUG"})

# Kubernetes sets these in every pod beside a service that is called mainspring.
FOREIGN = re.compile(r"MAINSPRING_(.+_)?(SERVICE_(HOST|PORT.*)|PORT_\d+_.*)")


class Reading(NamedTuple):
    """A value and where it was found."""

    value: Any
    origin: str


Readings = dict[str, Reading]


def load(
    section: type[S],
    flags: Mapping[str, Any] | None = None,
    *,
    env: Mapping[str, str] = os.environ,
    config: str | None = None,
    context: str | None = None,
) -> S:
    """Read a section; flags that are None were not given."""
    check_variables(env)
    return build(section, find_readings(section, flags or {}, env=env, config=config, context=context))


def find_readings(
    section: type[Section],
    flags: Mapping[str, Any],
    *,
    env: Mapping[str, str],
    config: str | None,
    context: str | None = None,
) -> Readings:
    """The readings that count, by field."""
    path = config or env.get("MAINSPRING_CONFIG")
    tables = read_tables(path, TABLES) if path else {}
    layers = [from_table(section, tables, path or ""), from_variables(section, env), from_flags(flags)]
    if section is ClientSettings:
        layers = with_context(layers, env, context)
    found = {name: reading for layer in layers for name, reading in layer.items()}
    if section is ServerSettings:
        nested = find_readings(SchedulerSettings, {}, env=env, config=config)
        found["scheduler"] = Reading(build(SchedulerSettings, nested), "[scheduler]")
    return found


def from_table(section: type[Section], tables: Mapping[str, Mapping[str, Any]], path: str) -> Readings:
    table = section.table
    return {name: Reading(value, f"{path} [{table}] {name}") for name, value in tables.get(table, {}).items()}


def from_variables(section: type[Section], env: Mapping[str, str]) -> Readings:
    found = ((name, from_environment(section, name, env)) for name in fields(section))
    given = {name: reading for name, reading in found if reading is not None}
    return shared_servers(env) | given if section is ExecutorSettings else given


def shared_servers(env: Mapping[str, str]) -> Readings:
    """The servers of an executor that the variable of clients names."""
    # One variable serves all processes of a host; MAINSPRING_EXECUTOR_SERVERS is for executors that dial other addresses.
    reading = from_environment(ClientSettings, "url", env)
    return {} if reading is None else {"servers": reading}


def from_flags(flags: Mapping[str, Any]) -> Readings:
    return {name: Reading(value, f"--{name.replace('_', '-')}") for name, value in flags.items() if value is not None}


def with_context(layers: list[Readings], env: Mapping[str, str], asked: str | None) -> list[Readings]:
    """Put the context right below the layer that chose it; none is used if a layer names the server's address."""
    table, variables, flags = layers
    if asked == NO_CONTEXT:
        return layers
    if asked is not None and "url" in flags:
        raise ConfigError("--url and --context both name a server: give one of them")
    if asked is None and ("url" in flags or "url" in variables):
        return layers
    context = choose_context(env, asked)
    if context is None:
        return layers
    if asked is not None:
        return [table, variables, from_context(context, env, needs_token="token" not in flags), flags]
    needs_token = "token" not in flags and "token" not in variables
    return [table, from_context(context, env, needs_token=needs_token), variables, flags]


def from_context(context: NamedContext, env: Mapping[str, str], *, needs_token: bool) -> Readings:
    """A token that lies elsewhere is fetched only if it is needed, so that a lost file does not hide a given token."""
    origin = f"context {context.name} ({context.path})"
    kept = {name: value for name, value in context.table.items() if name not in KEPT_ELSEWHERE}
    found = {name: Reading(value, origin) for name, value in kept.items()}
    if needs_token and (token := context_token(context, env)) is not None:
        found["token"] = Reading(*token)
    return found


def from_environment(section: type[Section], name: str, env: Mapping[str, str]) -> Reading | None:
    variable = section.prefix + name.upper()
    text = env.get(variable)
    if name in section.secrets and (path := env.get(f"{variable}_FILE")):
        if text:
            raise ConfigError(f"{variable} and {variable}_FILE are both set: give one of them")
        return Reading(read_secret(path, f"{variable}_FILE"), f"{variable}_FILE")
    if text is None or (name == "port" and "://" in text):
        return None
    return Reading(text, variable)


def build(section: type[S], readings: Mapping[str, Reading]) -> S:
    return section(**{name: read_field(section, name, reading) for name, reading in readings.items()})


def read_field(section: type[Section], name: str, reading: Reading) -> Any:
    kinds = {field.name: field.type for field in msgspec.structs.fields(section)}
    if name not in kinds:
        raise ConfigError(f"{reading.origin}: unknown setting{did_you_mean(name, kinds)}")
    if name.endswith("token") and not is_token(reading.value):
        raise ConfigError(f"{reading.origin}: a token is one line of visible ASCII characters")
    return converted(reading, kinds[name])


def is_token(value: object) -> bool:
    """Whether it can stand in a header."""
    return not isinstance(value, str) or (value.isascii() and value.isprintable() and " " not in value)


def converted(reading: Reading, kind: Any) -> Any:
    if isinstance(reading.value, Section):
        return reading.value
    try:
        return msgspec.convert(from_text(reading.value, kind), kind, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        raise ConfigError(f"{reading.origin}: {error}") from None


def fields(section: type[Section]) -> tuple[str, ...]:
    return section.__struct_fields__


def check_variables(env: Mapping[str, str]) -> None:
    known = {section.prefix + name.upper() for section in SECTIONS for name in fields(section)} | OWN_VARIABLES
    known |= {f"{section.prefix}{name.upper()}_FILE" for section in SECTIONS for name in section.secrets}
    for name in env:
        if name.startswith("MAINSPRING_") and name not in known and not FOREIGN.fullmatch(name):
            raise ConfigError(f"unknown variable {name}{did_you_mean(name, known)}")
