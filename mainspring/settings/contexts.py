"""Contexts: the servers a person works with, by name, in one file of theirs."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError
from mainspring.settings.files import read_private, read_toml, refuse_shared
from mainspring.settings.sections import ClientSettings

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
KEPT_ELSEWHERE = ("token_file", "token_env")
"""Instead of `token`: the file, or the variable, that has it."""
SETTINGS = (*ClientSettings.__struct_fields__, *KEPT_ELSEWHERE)

Table = dict[str, Any]


class Contexts(msgspec.Struct, frozen=True):
    """The file's content: client settings by context name, and the context in use."""

    path: Path
    current: str = ""
    tables: dict[str, Table] = {}


class NamedContext(msgspec.Struct, frozen=True):
    name: str
    table: Table
    path: Path


def contexts_path(env: Mapping[str, str] = os.environ) -> Path:
    folder = env.get("XDG_CONFIG_HOME") or str(Path(env.get("HOME") or Path.home()) / ".config")
    return Path(folder) / "mainspring" / "contexts.toml"


def choose_context(env: Mapping[str, str], asked: str | None) -> NamedContext | None:
    """The context asked for, else the one that MAINSPRING_CONTEXT names, else the one in use, if any."""
    contexts = read_contexts(contexts_path(env))
    name = asked if asked is not None else env.get("MAINSPRING_CONTEXT") or contexts.current
    return NamedContext(name, table_of(contexts, name), contexts.path) if name else None


def table_of(contexts: Contexts, name: str) -> Table:
    if name in contexts.tables:
        return contexts.tables[name]
    hint = did_you_mean(name, contexts.tables) or "; 'mainspring context list' names those there are"
    raise ConfigError(f"no context {name!r} in {contexts.path}{hint}")


def context_token(context: NamedContext, env: Mapping[str, str]) -> tuple[str, str] | None:
    """The token and where it is kept; None if the context has none."""
    origin = f"context {context.name}"
    if "token" in context.table:
        refuse_shared(context.path, origin)
        return str(context.table["token"]), f"{origin} ({context.path})"
    if "token_file" in context.table:
        path = str(Path(context.table["token_file"]).expanduser())
        return read_private(path, origin), f"{origin}: {path}"
    if "token_env" in context.table:
        variable = str(context.table["token_env"])
        if not env.get(variable):
            raise ConfigError(f"{origin}: its token is in the variable {variable}, which is not set")
        return env[variable], f"{origin}: {variable}"
    return None


def read_contexts(path: Path) -> Contexts:
    """The file's content; empty if there is no file."""
    if not path.exists():
        return Contexts(path)
    content = read_toml(path, "contexts file")
    current, tables = content.pop("current", ""), content.pop("context", {})
    if content or not isinstance(current, str) or not isinstance(tables, dict):
        raise ConfigError(f"contexts file {str(path)!r}: expected `current` and tables [context.<name>], nothing else")
    for name, table in tables.items():
        check_table(f"contexts file {str(path)!r}: [context.{name}]", table)
    return Contexts(path, current, tables)


def check_table(origin: str, table: Any) -> None:
    """Raises ConfigError unless it is a context's table."""
    if not isinstance(table, dict) or "url" not in table:
        raise ConfigError(f"{origin} needs a url")
    for name in table:
        if name not in SETTINGS:
            raise ConfigError(f"{origin} {name}: unknown setting{did_you_mean(name, SETTINGS)}")
    if len([name for name in ("token", *KEPT_ELSEWHERE) if name in table]) > 1:
        raise ConfigError(f"{origin} names its token more than once: keep one of token, token_file and token_env")


def write_contexts(contexts: Contexts) -> None:
    """Replace the file atomically, readable by its owner only."""
    draft = contexts.path.with_name(f".contexts-{os.getpid()}")
    try:
        draft.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(as_toml(contexts))
        draft.replace(contexts.path)
    except OSError as error:
        raise ConfigError(f"contexts file {str(contexts.path)!r} cannot be written: {error.strerror}") from None


def as_toml(contexts: Contexts) -> str:
    lines = [f"current = {quoted(contexts.current)}"] if contexts.current else []
    for name, table in sorted(contexts.tables.items()):
        lines += ["", f"[context.{quoted(name)}]"]
        lines += [f"{setting} = {quoted(value)}" for setting, value in table.items()]
    return "\n".join(lines).lstrip() + "\n"


def quoted(value: Any) -> str:
    """A JSON string, number or truth value is one in TOML as well; only DEL needs more."""
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")
