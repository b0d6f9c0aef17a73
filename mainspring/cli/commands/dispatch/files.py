"""Queues, limits, shares and breakers in a YAML file, every complaint with its line."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from mainspring.cli.commands.dispatch.words import (
    QueueRules,
    SharedLimit,
    read_breaker,
    read_limit,
    read_queue,
    read_shares,
)
from mainspring.cli.definition_files import SUFFIXES, malformed, pairs, read_whole, refuse_excess, value
from mainspring.contract.base.plain_yaml import Loader
from mainspring.contract.breakers import BreakerBody
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConfigError, InvalidInputError

Read = Callable[[Mapping[str, Any]], Any]
SECTIONS: dict[str, Read] = {
    "limits": read_limit,
    "breakers": read_breaker,
    "queues": read_queue,
    "shares": read_shares,
}
"""In the order in which they are applied: queues and jobs may name what stands before them."""


class DispatchFile(msgspec.Struct, frozen=True):
    """Definitions by section and name; None: it is to be taken away."""

    limits: dict[str, SharedLimit | None]
    breakers: dict[str, BreakerBody | None]
    queues: dict[str, QueueRules | None]
    shares: dict[str, dict[str, float] | None]


def is_dispatch_file(source: str) -> bool:
    """Whether a source is a file that has one of the sections; a file that cannot be read is left to others to refuse."""
    if not source.endswith(SUFFIXES):
        return False
    try:
        loader = Loader(read_whole(Path(source)))
        node = loader.get_single_node()
    except (ConfigError, yaml.YAMLError):
        return False
    return isinstance(node, yaml.MappingNode) and any(key.value in SECTIONS for key, _ in node.value)


def read_dispatch_file(path: Path) -> DispatchFile:
    """Raises ConfigError, with the file's name and the line."""
    name, text = str(path), read_whole(path)
    try:
        refuse_excess(text, name)
        loader = Loader(text)
        parts = dict(pairs(loader, loader.get_single_node(), name))
    except yaml.YAMLError as error:
        raise malformed(error, name) from None
    if unknown := next((key for key in parts if key not in SECTIONS), None):
        line = parts[unknown].start_mark.line + 1
        known = f"such a file has {', '.join(SECTIONS)}"
        raise ConfigError(f"{name}:{line}: {unknown} is not known{did_you_mean(unknown, SECTIONS)}; {known}")
    return DispatchFile(**{key: read_section(loader, parts.get(key), name, read) for key, read in SECTIONS.items()})


def read_section(loader: Any, at: Any, file: str, read: Read) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, inner in pairs(loader, at, file) if at is not None else ():
        content = value(loader, inner, file)
        if content is None:
            found[name] = None
            continue
        fields = dict(pairs(loader, inner, file))
        try:
            found[name] = read(content)
        except InvalidInputError as error:
            line = fields.get(error.field, inner).start_mark.line + 1
            raise ConfigError(f"{file}:{line}: {name}: {error}") from None
    return found
