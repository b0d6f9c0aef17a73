"""Arguments one by one: which library reads each, and the JSON schema of them all."""

import inspect
from collections.abc import Callable, Sequence
from datetime import datetime, time
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec.inspect import DataclassType, NamedTupleType, StructType, Type, TypedDictType, type_info

from mainspring.errors import ConfigError
from mainspring.executor.handlers import models
from mainspring.executor.handlers.signature import EMPTY

CLASSES = (StructType, DataclassType, TypedDictType, NamedTupleType)

SUITABLE = "builtins, dates, enums, dataclasses, TypedDicts, NamedTuples, msgspec structs and pydantic models are"

FORMATS = {
    datetime: Annotated[datetime, msgspec.Meta(extra_json_schema={"format": "date-time"})],
    time: Annotated[time, msgspec.Meta(extra_json_schema={"format": "time"})],
}
"""Formats that msgspec omits because a zone may be missing; clients that check an input need them."""


class Argument(msgspec.Struct, frozen=True):
    """One argument."""

    name: str
    annotation: Any
    default: Any
    read: Callable[[bytes], Any] | None = None
    write: Callable[[Any], msgspec.Raw] | None = None
    adapter: Any = None
    """Of pydantic, as are the two above; None if msgspec does it all."""

    @classmethod
    def of(cls, function: str, parameter: inspect.Parameter) -> "Argument":
        name, default = parameter.name, parameter.default
        annotation = Any if parameter.annotation is EMPTY else parameter.annotation
        if not models.is_model(annotation):
            return cls(name, with_formats(annotation), default)
        try:
            adapter = models.adapter_of(annotation)
        except TypeError as error:
            raise unsuitable(function, name, annotation, str(error)) from None
        return cls(name, annotation, default, models.reader(name, adapter), models.writer(name, adapter), adapter)

    def field(self) -> tuple[str, Any] | tuple[str, Any, Any]:
        if self.adapter is not None:
            kind = msgspec.Raw | msgspec.UnsetType
            return (self.name, msgspec.Raw) if self.default is EMPTY else (self.name, kind, msgspec.UNSET)
        if self.default is EMPTY:
            return self.name, self.annotation
        if isinstance(self.default, list | dict | set | frozenset | bytearray | msgspec.Struct):
            return self.name, self.annotation, msgspec.field(default_factory=lambda: self.default)
        return self.name, self.annotation, self.default


def describe(shape: type[msgspec.Struct], closed: list[Any], parts: Sequence[Argument] = ()) -> bytes:
    """JSON schema of the arguments object, of which these classes take nothing that they do not name."""
    (top_ref, *closed_refs), inner = msgspec.json.schema_components([shape, *closed])
    for each in closed_refs:
        inner[definition(each)]["additionalProperties"] = False
    top = inner.pop(definition(top_ref))
    top.pop("title")
    _add_models(top, inner, parts)
    return msgspec.json.encode({**top, "$defs": inner} if inner else top)


def definition(schema: dict[str, Any]) -> str:
    reference: str = schema["$ref"]
    return reference.rsplit("/", 1)[-1]


def closed_classes(shape: type[msgspec.Struct]) -> list[Any]:
    """The dataclasses and TypedDicts inside a shape."""
    # msgspec ignores fields that they do not name, so a misspelt one would be lost silently.
    seen: list[Any] = []
    closed: list[Any] = []
    ahead: list[Any] = [type_info(shape)]
    while ahead:
        found = ahead.pop()
        if isinstance(found, tuple):
            ahead += found
        elif isinstance(found, CLASSES):
            if found.cls not in seen:
                seen.append(found.cls)
                ahead += [field.type for field in found.fields]
                closed += [found.cls] if isinstance(found, DataclassType | TypedDictType) else []
        elif isinstance(found, Type):
            ahead += [getattr(found, name) for name in found.__struct_fields__]
    return closed


def undescribed(function: str, parts: Sequence[Argument], error: TypeError) -> ConfigError:
    """Names the argument that cannot be described, if it is one of them."""
    for part in (each for each in parts if each.adapter is None):
        try:
            msgspec.json.schema(part.annotation)
        except TypeError as reason:
            return unsuitable(function, part.name, part.annotation, str(reason).splitlines()[-1])
    return ConfigError(f"{function}: its arguments cannot be described as JSON: {error}")


def unsuitable(function: str, name: str, annotation: Any, why: str) -> ConfigError:
    return ConfigError(
        f"{function}: {name!r} is a {kind_name(annotation)}, which is not fit for JSON: {why} ({SUITABLE} fit)"
    )


def kind_name(annotation: Any) -> str:
    return annotation.__qualname__ if isinstance(annotation, type) else str(annotation).replace("typing.", "")


def with_formats(annotation: Any) -> Any:
    """The same type, with times described as such wherever they stand in lists, unions and the like."""
    if isinstance(annotation, type) and annotation in FORMATS:
        return FORMATS[annotation]
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return Union[tuple(map(with_formats, inside))]  # noqa: UP007
    if origin in (list, dict, set, tuple, frozenset):
        return origin[tuple(map(with_formats, inside))]
    return annotation


def _add_models(top: dict[str, Any], inner: dict[str, Any], parts: Sequence[Argument]) -> None:
    adapters = {part.name: part.adapter for part in parts if part.adapter is not None}
    if not adapters:
        return
    schemas, more = models.describe(adapters, inner)
    inner.update(more)
    for part in parts:
        if part.adapter is not None:
            top["properties"][part.name] = {**schemas[part.name], **_default(part)}


def _default(part: Argument) -> dict[str, Any]:
    if part.default is EMPTY:
        return {}
    return {"default": part.adapter.dump_python(part.default, mode="json", by_alias=True, warnings=False)}
