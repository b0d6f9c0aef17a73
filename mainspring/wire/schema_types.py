"""From a JSON schema to a type that msgspec decodes, so that checking an input is one decode in C.

Rules that a type cannot express are omitted, never guessed. Patterns are left to the executor, because on the server any
user's pattern would run on any user's text.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Union
from uuid import UUID

import msgspec

Schema = dict[str, Any]

SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}
FORMATS: dict[str, Any] = {
    "date-time": datetime,
    "date": date,
    "time": time,
    "duration": timedelta,
    "uuid": UUID,
    "decimal": Decimal,
}
NUMBER = {"minimum": "ge", "exclusiveMinimum": "gt", "maximum": "le", "exclusiveMaximum": "lt"}
BOUNDS = {
    "string": {"minLength": "min_length", "maxLength": "max_length"},
    "array": {"minItems": "min_length", "maxItems": "max_length"},
    "integer": NUMBER,
    "number": NUMBER,
}
REFERENCE = "#/$defs/"


def type_for(schema: bytes) -> Any:
    """Raises ValueError unless it is the schema of an object."""
    try:
        document = msgspec.json.decode(schema, type=Schema)
        return Compiler(document.get("$defs", {})).type_of(document)
    except (msgspec.DecodeError, TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError(str(error)) from None


class Compiler:
    def __init__(self, definitions: dict[str, Schema]) -> None:
        self._definitions = definitions
        self._open: set[str] = set()

    def type_of(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return Any
        compiled = self._compile(schema)
        return compiled if is_decodable(compiled) else Any

    def _compile(self, schema: Schema) -> Any:
        match schema:
            case {"$ref": reference}:
                return self._referred(reference.removeprefix(REFERENCE))
            case {"allOf": [only]}:
                return self.type_of(only)
            case {"enum": list(values)}:
                return literal(values)
            case {"const": value}:
                return literal([value])
            case {"anyOf": list(parts)} | {"oneOf": list(parts)}:
                return self._tagged(schema["discriminator"]) if "discriminator" in schema else self._union(parts)
            case {"type": list(kinds)}:
                return self._union([{**schema, "type": kind} for kind in kinds])
            case {"type": "object"}:
                return self._object(schema)
            case {"type": "array"}:
                return bounded(self._array(schema), schema)
            case {"type": str(kind)}:
                return bounded(scalar(kind, schema), schema)
        return Any

    def _referred(self, name: str) -> Any:
        """The type of a definition; inside of itself it is any type."""
        if name in self._open or name not in self._definitions:
            return Any
        self._open.add(name)
        try:
            return self.type_of(self._definitions[name])
        finally:
            self._open.discard(name)

    def _union(self, parts: list[Schema]) -> Any:
        exact = union(map(self.type_of, parts))
        if is_decodable(exact):
            return exact
        # Two kinds of text, say, which look the same in JSON.
        kinds = [SCALARS.get(part.get("type", ""), Any) for part in parts]
        return Any if Any in kinds else union(kinds)

    def _tagged(self, discriminator: Schema) -> Any:
        """A union of objects with a discriminating property."""
        field, mapping = discriminator.get("propertyName"), discriminator.get("mapping", {})
        names = {tag: reference.removeprefix(REFERENCE) for tag, reference in mapping.items()}
        kinds = {tag: self._definitions.get(name, {}) for tag, name in names.items()}
        if not kinds or self._open & set(names.values()) or any("properties" not in kind for kind in kinds.values()):
            return Any
        return union(self._object(kind, tag=(field, tag)) for tag, kind in kinds.items())

    def _array(self, schema: Schema) -> Any:
        first = schema.get("prefixItems")
        if first and schema.get("minItems") == schema.get("maxItems") == len(first):
            return tuple.__class_getitem__(tuple(map(self.type_of, first)))
        if first or "items" not in schema:
            return list[Any]
        return list[self.type_of(schema["items"])]  # type: ignore[misc]

    def _object(self, schema: Schema, tag: tuple[Any, Any] | None = None) -> Any:
        properties: dict[str, Schema] = schema.get("properties", {})
        extra = schema.get("additionalProperties", True)
        if not properties and extra is not False:
            return dict[str, self.type_of(extra)]  # type: ignore[misc]
        required = set(schema.get("required", ()))
        tag_field, tag_value = tag or (None, None)
        return msgspec.defstruct(
            schema.get("title", "Arguments"),
            [
                (f"property_{at}", self.type_of(part), field_for(name, required=name in required))
                for at, (name, part) in enumerate(properties.items())
                if name != tag_field
            ],
            kw_only=True,
            forbid_unknown_fields=extra is False,
            tag_field=tag_field,
            tag=tag_value,
        )


def field_for(name: str, *, required: bool) -> Any:
    """The attribute's name is generated, as a property may have any name."""
    return msgspec.field(name=name) if required else msgspec.field(name=name, default=msgspec.UNSET)


def scalar(kind: str, schema: Schema) -> Any:
    if kind == "string" and schema.get("contentEncoding") == "base64":
        return bytes
    return FORMATS.get(schema.get("format", ""), str) if kind == "string" else SCALARS.get(kind, Any)


def bounded(kind: Any, schema: Schema) -> Any:
    """With the bounds that the schema sets, as far as msgspec can heed them."""
    words = BOUNDS.get(schema["type"], {})
    found = {ours: schema[theirs] for theirs, ours in words.items() if theirs in schema}
    if not found:
        return kind
    try:
        limited = Annotated[kind, msgspec.Meta(**found)]
    except (TypeError, ValueError, OverflowError):
        return kind
    return limited if is_decodable(limited) else kind


def literal(values: list[Any]) -> Any:
    simple = all(isinstance(value, str | int | None) and not isinstance(value, bool) for value in values)
    return Literal[tuple(values)] if simple and values else Any


def union(kinds: Iterable[Any]) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007


def is_decodable(kind: Any) -> bool:
    try:
        msgspec.json.Decoder(kind)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
