"""Checking a run's input against the JSON schema that its handler's executor advertised.

The schema is compiled once to a msgspec type, so that a check is one decode in C. What a schema says beyond types (or in
ways msgspec cannot tell apart) is left to the executor, which checks again with the real types before the handler starts.
"""

import keyword
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal, Union

import msgspec

from mainspring.domain.run import INPUT_DEPTH_MAX, INPUT_MAX
from mainspring.errors import InvalidInputError, TooLargeError

Check = Callable[[bytes], None]
Schema = dict[str, Any]

STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""Possessive, and content with a string that never ends: linear whatever it is given."""
ONE_KIND = bytes.maketrans(b"{}", b"[]")
OTHERS = bytes(set(range(256)) - set(b"[]{}"))

SCALARS: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "null": None}


@lru_cache(maxsize=4096)
def checker(schema: bytes) -> Check:
    """A function that raises InvalidInputError for input that the schema refuses."""
    document = msgspec.json.decode(schema)
    decoder = msgspec.json.Decoder(_Compiler(document.get("$defs", {})).type_of(document))

    def check(raw: bytes) -> None:
        check_size(raw)
        try:
            decoder.decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise refusal(error) from None

    return check


def check_size(raw: bytes) -> None:
    """Refuse what is too large or too deep before anything parses it."""
    if len(raw) > INPUT_MAX:
        raise TooLargeError("input", f"{len(raw)} bytes are over the limit of {INPUT_MAX}", code="input_too_large")
    if raw.count(b"[") + raw.count(b"{") > INPUT_DEPTH_MAX and too_deep(raw):
        raise TooLargeError("input", f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep")
    if raw.lstrip()[:1] != b"{":
        raise InvalidInputError("input", "is not a JSON object", code="bad_input")


def too_deep(raw: bytes) -> bool:
    """Whether the brackets outside strings nest deeper than allowed: peel off the innermost pairs, level by level."""
    brackets = STRING.sub(b"", raw).translate(ONE_KIND, OTHERS)
    for _ in range(INPUT_DEPTH_MAX):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def refusal(error: Exception) -> InvalidInputError:
    reason, _, path = str(error).partition(" - at `")
    field = "input" + path.rstrip("`").removeprefix("$")
    code = "bad_arguments" if isinstance(error, msgspec.ValidationError) else "bad_input"
    return InvalidInputError(field, reason, code=code)


class _Compiler:
    """Turns a schema into a type; what it cannot express becomes Any."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self._definitions = definitions
        self._open: set[str] = set()

    def type_of(self, schema: Any) -> Any:
        if isinstance(schema, bool):
            return Any
        compiled = self._compile(schema)
        try:
            msgspec.json.Decoder(compiled)
        except TypeError:
            return Any
        return compiled

    def _compile(self, schema: Schema) -> Any:
        if "$ref" in schema:
            return self._referred(schema["$ref"].removeprefix("#/$defs/"))
        if "enum" in schema or "const" in schema:
            return _literal(schema.get("enum", [schema.get("const")]))
        if "anyOf" in schema:
            return Union[tuple(self.type_of(part) for part in schema["anyOf"])]  # noqa: UP007
        kind = schema.get("type")
        if isinstance(kind, list):
            return Union[tuple(self.type_of({**schema, "type": one}) for one in kind)]  # noqa: UP007
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return list[self.type_of(schema["items"])] if "items" in schema else list[Any]  # type: ignore[misc]
        return SCALARS.get(kind, Any) if isinstance(kind, str) else Any

    def _referred(self, name: str) -> Any:
        if name in self._open or name not in self._definitions:
            return Any
        self._open.add(name)
        try:
            return self.type_of(self._definitions[name])
        finally:
            self._open.discard(name)

    def _object(self, schema: Schema) -> Any:
        properties: dict[str, Schema] = schema.get("properties", {})
        if any(not name.isidentifier() or keyword.iskeyword(name) for name in properties):
            return dict[str, Any]
        extra = schema.get("additionalProperties", True)
        if not properties and extra is not False:
            return dict[str, self.type_of(extra)]  # type: ignore[misc]
        required = set(schema.get("required", ()))
        fields = [
            (name, self.type_of(part)) if name in required else (name, self.type_of(part), msgspec.UNSET)
            for name, part in properties.items()
        ]
        return msgspec.defstruct(
            schema.get("title", "Arguments"), fields, kw_only=True, forbid_unknown_fields=extra is False
        )


def _literal(values: list[Any]) -> Any:
    simple = all(isinstance(value, str | int | None) and not isinstance(value, bool) for value in values)
    return Literal[tuple(values)] if simple and values else Any
