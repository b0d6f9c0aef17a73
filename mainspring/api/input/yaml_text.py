"""A definition as a person writes it, in YAML or JSON, and where in the text each of its fields stands."""

import re
from typing import Any

import msgspec
import yaml

from mainspring.contract.base.plain_yaml import ExcessError, Loader, refuse_excess

PIECES = re.compile(r"[^.\[\]]+")
MAPPING = "is not a mapping of names to values, such as `steps:`"


class TextFaultError(Exception):
    """Why a text is no definition, and where; lines and columns count from one."""

    def __init__(self, mark: Any, reason: str) -> None:
        self.line = 1 if mark is None else mark.line + 1
        self.column = 1 if mark is None else mark.column + 1
        self.reason = reason
        super().__init__(reason)


class WrittenText(msgspec.Struct, frozen=True):
    """What a text says, and its nodes."""

    fields: dict[str, Any]
    root: Any

    def place(self, field: str) -> tuple[int, int]:
        """The line and column of a field, such as `steps.post.after[0]`; of the last part of it that is there."""
        node, mark = self.root, self.root.start_mark
        for piece in PIECES.findall(field):
            found = child(node, piece)
            if found is None:
                break
            mark, node = found
        return mark.line + 1, mark.column + 1


def read_text(text: str) -> WrittenText:
    """Raises TextFaultError."""
    try:
        refuse_excess(text)
        loader: Any = Loader(text)
        root = loader.get_single_node()
    except ExcessError as error:
        raise TextFaultError(error.mark, error.reason) from None
    except yaml.YAMLError as error:
        reason = getattr(error, "problem", None) or str(error)
        raise TextFaultError(getattr(error, "problem_mark", None), reason) from None
    if not isinstance(root, yaml.MappingNode):
        raise TextFaultError(None if root is None else root.start_mark, MAPPING)
    return WrittenText(value_of(loader, root), root)


def write_text(fields: dict[str, Any]) -> str:
    return yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100)


def value_of(loader: Any, node: Any) -> Any:
    """The value of a node; raises TextFaultError for a name that is there twice."""
    if isinstance(node, yaml.SequenceNode):
        return [value_of(loader, each) for each in node.value]
    if not isinstance(node, yaml.MappingNode):
        return loader.construct_object(node, deep=True)
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value)
        if key in found:
            raise TextFaultError(key_node.start_mark, f"{key} is defined twice")
        found[key] = value_of(loader, value_node)
    return found


def child(node: Any, piece: str) -> tuple[Any, Any] | None:
    """Where the part of a node begins, and its node; None if it has no such part."""
    if isinstance(node, yaml.MappingNode):
        return next(((key.start_mark, value) for key, value in node.value if key.value == piece), None)
    if isinstance(node, yaml.SequenceNode) and piece.isdecimal() and int(piece) < len(node.value):
        return node.value[int(piece)].start_mark, node.value[int(piece)]
    return None
