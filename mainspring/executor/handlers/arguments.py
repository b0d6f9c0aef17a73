"""A handler's arguments: read from its signature once, then decoded by one call per run."""

import inspect
import operator
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from mainspring.errors import ConfigError
from mainspring.executor.handlers import models
from mainspring.executor.handlers.argument_schema import Argument, closed_classes, describe, undescribed
from mainspring.executor.handlers.signature import Signature
from mainspring.wire.schema_types import type_for

Values = tuple[Any, ...]
Named = Mapping[str, Any]


class ArgumentCodec(msgspec.Struct, frozen=True):
    """Codec and schema of a handler's arguments."""

    schema: bytes
    """JSON schema of the arguments object."""
    decode: Callable[[bytes], Values]
    """Input to values in the order of the signature, without context and injected parameters."""
    encode: Callable[[Named], bytes]
    """Arguments by name to input; raises as `decode` does, and TypeError or ValueError."""
    call: Callable[..., Any]
    """The function, taking all values by position."""


def read_arguments(function: Callable[..., Any], signature: Signature) -> ArgumentCodec:
    parts = [Argument.of(signature.name, parameter) for parameter in signature.arguments]
    is_open = signature.rest is not None
    shape = _shape(signature.name, parts, is_open=is_open)
    try:
        closed = closed_classes(shape)
        schema = describe(shape, closed, parts)
    except TypeError as error:
        raise undescribed(signature.name, parts, error) from None
    decode = _decoder(shape, [part.name for part in parts], is_open=is_open)
    return ArgumentCodec(
        schema=schema,
        decode=_modelled(_closed(decode, shape, closed), parts),
        encode=_encoder(parts),
        call=by_position(function, signature.parameters),
    )


def _shape(name: str, parts: list[Argument], *, is_open: bool) -> type[msgspec.Struct]:
    try:
        return msgspec.defstruct(
            "ArgumentCodec",
            [part.field() for part in parts],
            forbid_unknown_fields=not is_open,
            kw_only=True,
            gc=False,
        )
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: its arguments cannot be described: {error}") from None


def _decoder(shape: type[msgspec.Struct], names: list[str], *, is_open: bool) -> Callable[[bytes], Values]:
    decode = msgspec.json.Decoder(shape).decode
    if is_open:
        return _decode_open(decode, names)
    if not names:
        return _decode_none(decode)
    if len(names) == 1:
        only = operator.attrgetter(names[0])
        return lambda raw: (only(decode(raw)),)
    several = operator.attrgetter(*names)
    return lambda raw: several(decode(raw))


def _decode_none(decode: Callable[[bytes], Any]) -> Callable[[bytes], Values]:
    def read(raw: bytes) -> Values:
        if raw != b"{}":
            decode(raw)
        return ()

    return read


def _decode_open(decode: Callable[[bytes], Any], names: list[str]) -> Callable[[bytes], Values]:
    def read(raw: bytes) -> Values:
        known = decode(raw)
        rest = {name: value for name, value in msgspec.json.decode(raw).items() if name not in names}
        return (*(getattr(known, name) for name in names), rest)

    return read


def _closed(
    decode: Callable[[bytes], Values], shape: type[msgspec.Struct], closed: list[Any]
) -> Callable[[bytes], Values]:
    """Have these classes refuse unknown fields, as servers do by the schema."""
    if not closed:
        return decode
    check = msgspec.json.Decoder(type_for(describe(shape, closed))).decode

    def read(raw: bytes) -> Values:
        values = decode(raw)
        check(raw)
        return values

    return read


def _modelled(decode: Callable[[bytes], Values], parts: list[Argument]) -> Callable[[bytes], Values]:
    """Let pydantic read its own arguments, which msgspec has left raw."""
    readers = [(at, part.read, part.default) for at, part in enumerate(parts) if part.read is not None]
    if not readers:
        return decode

    def read(raw: bytes) -> Values:
        values = list(decode(raw))
        for at, read_one, default in readers:
            values[at] = default if values[at] is msgspec.UNSET else read_one(bytes(values[at]))
        return tuple(values)

    return read


def _encoder(parts: list[Argument]) -> Callable[[Named], bytes]:
    encode = msgspec.json.Encoder(enc_hook=models.plain).encode
    writers = {part.name: part.write for part in parts if part.write is not None}
    if not writers:
        return encode

    def write(named: Named) -> bytes:
        return encode({name: writers[name](value) if name in writers else value for name, value in named.items()})

    return write


def by_position(function: Callable[..., Any], parameters: tuple[inspect.Parameter, ...]) -> Callable[..., Any]:
    plain = sum(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in parameters)
    if plain == len(parameters):
        return function
    keywords = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    after = plain + len(keywords)

    def call(*values: Any) -> Any:
        rest = values[after] if len(values) > after else {}
        return function(*values[:plain], **dict(zip(keywords, values[plain:after], strict=True)), **rest)

    return call
