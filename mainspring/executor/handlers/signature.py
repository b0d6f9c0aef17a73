"""A handler's parameters: arguments of the run, the context, and injected values."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec

from mainspring.errors import ConfigError
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.injection import Inject, Injected, marker_of

Parameters = tuple[inspect.Parameter, ...]

EMPTY = inspect.Parameter.empty


class Signature(msgspec.Struct, frozen=True):
    name: str
    """The function's name in errors."""
    parameters: Parameters
    arguments: Parameters
    """Those that a run's input fills."""
    rest: str | None
    """The one that takes the input's other names, `**rest`."""
    context: int | None
    """Where the context goes."""
    injected: Mapping[int, Inject]
    """Markers of injected parameters by position."""
    filled: frozenset[str]
    """The names of both, which no caller fills."""
    returns: Any


def read_signature(function: Callable[..., Any]) -> Signature:
    name = name_of(function)
    parameters, returns = read_parameters(function)
    for parameter in parameters:
        _check(name, parameter)
    contexts = [at for at, parameter in enumerate(parameters) if is_context(parameter)]
    if len(contexts) > 1:
        raise ConfigError(f"{name}: two parameters ask for the context, one is enough")
    markers = {at: marker_of(parameter.annotation) for at, parameter in enumerate(parameters)}
    return Signature(
        name=name,
        parameters=parameters,
        arguments=tuple(p for p in parameters if is_argument(p)),
        rest=next((p.name for p in parameters if p.kind is inspect.Parameter.VAR_KEYWORD), None),
        context=contexts[0] if contexts else None,
        injected={at: marker for at, marker in markers.items() if marker is not None},
        filled=frozenset(p.name for p in parameters if is_filled(p)),
        returns=returns,
    )


def read_parameters(function: Callable[..., Any]) -> tuple[Parameters, Any]:
    """The parameters and the return annotation, evaluated to types."""
    try:
        signature = inspect.signature(function, eval_str=True)
    except NameError as error:
        raise ConfigError(
            f"{name_of(function)}: its signature cannot be read: {error}; its types are needed when it is registered, "
            "so import them at the top of the module, not under TYPE_CHECKING"
        ) from None
    except (TypeError, ValueError, SyntaxError, AttributeError) as error:
        raise ConfigError(f"{name_of(function)}: its signature cannot be read: {error}") from None
    return tuple(signature.parameters.values()), signature.return_annotation


def is_context(parameter: inspect.Parameter) -> bool:
    return parameter.annotation is Context or Context in get_args(parameter.annotation)


def is_filled(parameter: inspect.Parameter) -> bool:
    return is_context(parameter) or marker_of(parameter.annotation) is not None


def is_argument(parameter: inspect.Parameter) -> bool:
    return parameter.kind is not inspect.Parameter.VAR_KEYWORD and not is_filled(parameter)


def name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", repr(function))


def _check(name: str, parameter: inspect.Parameter) -> None:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        raise ConfigError(
            f"{name}: arguments have names, so *{parameter.name} cannot be filled: take a list, {parameter.name}: list"
        )
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        raise ConfigError(f"{name}: arguments have names, so {parameter.name!r} cannot be positional-only: drop the /")
    if is_argument(parameter) and isinstance(parameter.default, Inject | Injected):
        raise ConfigError(
            f"{name}: {parameter.name!r} does not say who makes it: annotate it with Annotated[…, Inject(provider)]"
        )
