"""Reads results back into the handler's annotated return type."""

from collections.abc import Callable
from typing import Any, Never, NoReturn

import msgspec

from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.handlers import models
from mainspring.executor.handlers.argument_schema import SUITABLE, kind_name
from mainspring.executor.handlers.signature import EMPTY, Signature

Read = Callable[[Any], Any]

UNSAID = (EMPTY, Any, object, NoReturn, Never)


def result_reader(signature: Signature) -> Read:
    """A reader from plain JSON values to the annotated return type; raises InvalidInputError if they do not fit."""
    kind = signature.returns
    if kind in UNSAID:
        return _as_it_is
    read = _reader(signature, kind)

    def checked(value: Any) -> Any:
        try:
            return read(value)
        except (msgspec.ValidationError, ValueError) as error:
            reason = f"is not what {signature.name} promises: {str(error).removesuffix(' - at `$.result`')}"
            raise InvalidInputError("result", reason, code="bad_result") from None

    return checked


def read_each(read: Read) -> Read:
    """A reader of the results of a run's children; those that failed have none."""
    return lambda values: [None if value is None else read(value) for value in values]


def result_schema(signature: Signature, *, many: bool = False) -> bytes:
    """JSON schema of the annotated return type, or of a list of them; `{}` if there is none."""
    kind = signature.returns
    if kind in UNSAID:
        return b"{}"
    schema = (
        models.adapter_of(kind).json_schema(mode="serialization")
        if models.is_model(kind)
        else msgspec.json.schema(kind)
    )
    return msgspec.json.encode(listed(schema) if many else schema)


def listed(schema: dict[str, Any]) -> dict[str, Any]:
    """Of a list of such values, some of which may be missing; definitions stay at the top."""
    defined = {key: value for key, value in schema.items() if key == "$defs"}
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    return {"type": "array", "items": {"anyOf": [inner, {"type": "null"}]}, **defined}


def _reader(signature: Signature, kind: Any) -> Read:
    try:
        if models.is_model(kind):
            read = models.reader("result", models.adapter_of(kind))
            return lambda value: read(msgspec.json.encode(value))
        msgspec.json.schema(kind)
    except TypeError as error:
        why = str(error).splitlines()[-1]
        raise ConfigError(
            f"{signature.name}: returns a {kind_name(kind)}, which is not fit for JSON: {why} ({SUITABLE} fit)"
        ) from None
    return lambda value: msgspec.convert(value, kind)


def _as_it_is(value: Any) -> Any:
    return value
