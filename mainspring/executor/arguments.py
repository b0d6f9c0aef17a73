"""A handler's arguments: read from its signature once, then decoded by one call per run."""

import inspect
import operator
from collections.abc import Callable
from typing import Any, get_args

import msgspec

from mainspring.errors import ConfigError
from mainspring.executor.context import Context

Values = tuple[Any, ...]


class Arguments(msgspec.Struct, frozen=True):
    """What a signature asks for."""

    schema: bytes
    """JSON schema of the arguments object."""
    decode: Callable[[bytes], Values]
    """Input to values in the order of the signature, the context left out."""
    call: Callable[..., Any]
    """The function, taking all values by position."""
    context: int | None
    """Where the context goes among the values."""


def read_arguments(function: Callable[..., Any]) -> Arguments:
    parameters = _parameters(function)
    context = next((at for at, parameter in enumerate(parameters) if _is_context(parameter)), None)
    named = [p for p in parameters if not _is_context(p) and p.kind is not inspect.Parameter.VAR_KEYWORD]
    is_open = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
    shape = _shape(function, named, is_open=is_open)
    return Arguments(
        schema=_schema(function, shape),
        decode=_decoder(shape, [p.name for p in named], is_open=is_open),
        call=_by_position(function, parameters),
        context=context,
    )


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    except (NameError, TypeError, ValueError) as error:
        raise ConfigError(f"{_name(function)}: its signature cannot be read: {error}") from None
    for parameter in parameters:
        _check_kind(function, parameter)
    if sum(map(_is_context, parameters)) > 1:
        raise ConfigError(f"{_name(function)}: two parameters ask for the context, one is enough")
    return parameters


def _check_kind(function: Callable[..., Any], parameter: inspect.Parameter) -> None:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        raise ConfigError(f"{_name(function)}: arguments have names: *{parameter.name} cannot be filled")
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        raise ConfigError(f"{_name(function)}: arguments have names, so {parameter.name!r} cannot be positional-only")


def _is_context(parameter: inspect.Parameter) -> bool:
    return parameter.annotation is Context or Context in get_args(parameter.annotation)


def _shape(function: Callable[..., Any], named: list[inspect.Parameter], *, is_open: bool) -> type[msgspec.Struct]:
    try:
        return msgspec.defstruct(
            "Arguments",
            [_field(parameter) for parameter in named],
            forbid_unknown_fields=not is_open,
            kw_only=True,
            gc=False,
        )
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{_name(function)}: its arguments cannot be described: {error}") from None


def _field(parameter: inspect.Parameter) -> tuple[str, Any] | tuple[str, Any, Any]:
    annotation = Any if parameter.annotation is inspect.Parameter.empty else parameter.annotation
    default = parameter.default
    if default is inspect.Parameter.empty:
        return parameter.name, annotation
    if isinstance(default, list | dict | set | bytearray):
        return parameter.name, annotation, msgspec.field(default_factory=lambda: default)
    return parameter.name, annotation, default


def _schema(function: Callable[..., Any], shape: type[msgspec.Struct]) -> bytes:
    try:
        schema = msgspec.json.schema(shape)
    except TypeError as error:
        raise ConfigError(f"{_name(function)}: its arguments cannot be described as JSON: {error}") from None
    parts = schema["$defs"]
    top = parts.pop(schema["$ref"].rsplit("/", 1)[-1])
    top.pop("title")
    return msgspec.json.encode({**top, "$defs": parts} if parts else top)


def _decoder(shape: type[msgspec.Struct], names: list[str], *, is_open: bool) -> Callable[[bytes], Values]:
    try:
        decode = msgspec.json.Decoder(shape).decode
    except TypeError as error:
        raise ConfigError(f"its arguments cannot be decoded: {error}") from None
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


def _by_position(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> Callable[..., Any]:
    plain = sum(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in parameters)
    if plain == len(parameters):
        return function
    keywords = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    after = plain + len(keywords)

    def call(*values: Any) -> Any:
        rest = values[after] if len(values) > after else {}
        return function(*values[:plain], **dict(zip(keywords, values[plain:after], strict=True)), **rest)

    return call


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", repr(function))
