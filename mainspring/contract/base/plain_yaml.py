"""YAML of plain values only, as definition files have it: no references, no bottomless nesting, no times and no yes and no."""

import re
from typing import Any, ClassVar

import yaml

DEPTH_MAX = 40
PLAIN = {
    "null": r"~|null|",
    "bool": r"true|false",
    "int": r"[-+]?[0-9]+",
    "float": r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?",
}
"""What is no text without quotes: less than YAML 1.1 has, where 17:00 is a number and `on` is true."""


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain values only."""

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}


for _name, _pattern in PLAIN.items():
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(f"(?:{_pattern})$"), None)


class ExcessError(Exception):
    """The text asks for more than it is long: references, which can stand for any number of copies, or deep nesting."""

    def __init__(self, mark: Any, reason: str) -> None:
        self.mark, self.reason = mark, reason
        super().__init__(reason)


def refuse_excess(text: str) -> None:
    """Before anything is built; raises ExcessError, and yaml.YAMLError for what is no YAML."""
    depth = 0
    event: Any
    for event in yaml.parse(text, Loader=Loader):
        if isinstance(event, yaml.AliasEvent):
            raise ExcessError(event.start_mark, f"references (*{event.anchor}) are not allowed here")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH_MAX:
            raise ExcessError(event.start_mark, f"is nested deeper than {DEPTH_MAX}")
