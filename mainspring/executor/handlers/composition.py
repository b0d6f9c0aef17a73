"""Composes a handler with its middleware and injected values, once per process and not per attempt.

A handler without either is called directly by its pool.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from typing import Any

import msgspec

from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.call_style import CallStyle
from mainspring.executor.handlers.providers import Provider, Stage
from mainspring.executor.handlers.scope import ProcessScope
from mainspring.executor.handlers.signature import Signature

Bind = Callable[[Attempt, Journal], tuple[Any, ...]]
Call = Callable[..., Any]
Decode = Callable[[bytes], tuple[Any, ...]]


class HandlerParts(msgspec.Struct, frozen=True):
    """The parts from which a handler's call is composed."""

    signature: Signature
    decode: Decode
    call: Call
    """The function, taking all values by position."""
    scope: ProcessScope
    is_async: bool


def compose_plain(parts: HandlerParts) -> tuple[Bind, Call]:
    """Arguments and, if asked for, the context."""
    decode, position, scope = parts.decode, parts.signature.context, parts.scope
    if position is None:
        return lambda attempt, _journal: decode(attempt.input), parts.call

    def bind(attempt: Attempt, journal: Journal) -> tuple[Any, ...]:
        values = decode(attempt.input)
        return (*values[:position], Context(attempt, journal, scope), *values[position:])

    return bind, parts.call


def compose(parts: HandlerParts, arounds: Sequence[CallStyle], stages: Sequence[Stage]) -> tuple[Bind, Call]:
    """The same inside of `arounds`, the first one outermost, with the values of the stages."""
    decode, scope = parts.decode, parts.scope
    fill = _filler(parts.signature, stages, scope.values)
    if not arounds and not stages:
        # All that is injected is there already.
        return lambda attempt, journal: fill(decode(attempt.input), Context(attempt, journal, scope), []), parts.call

    def bind(attempt: Attempt, journal: Journal) -> tuple[Any, ...]:
        return decode(attempt.input), Context(attempt, journal, scope)

    makers = [Maker.of(stage, stages, scope.values) for stage in stages]
    compose_one = _compose_async if parts.is_async else _compose_sync
    return bind, compose_one(parts, arounds, makers, fill)


class Maker(msgspec.Struct, frozen=True):
    """A stage bound to the places of the values that it needs."""

    call_style: CallStyle
    needs: tuple[tuple[str, int | None], ...]
    """Parameter, and the place of an earlier stage; None is the context."""

    @classmethod
    def of(cls, stage: Stage, stages: Sequence[Stage], kept: Mapping[Provider, Any]) -> "Maker":
        places = {each.provider: at for at, each in enumerate(stages)}
        fixed = {name: kept[need] for name, need in stage.needs.items() if need is not None and need not in places}
        needs = tuple(
            (name, None if need is None else places[need]) for name, need in stage.needs.items() if name not in fixed
        )
        make = functools.partial(stage.call_style.make, **fixed) if fixed else stage.call_style.make
        return cls(CallStyle(stage.call_style.form, make), needs)

    def make(self, context: Context, made: list[Any]) -> Any:
        return self.call_style.make(**{name: context if at is None else made[at] for name, at in self.needs})


Fill = Callable[[tuple[Any, ...], Context, list[Any]], tuple[Any, ...]]


def _compose_sync(parts: HandlerParts, arounds: Sequence[CallStyle], makers: list[Maker], fill: Fill) -> Call:
    function, name = parts.call, _namer(parts.signature)

    def call(values: tuple[Any, ...], context: Context) -> Any:
        made: list[Any] = []
        named = name(values) if arounds else {}
        with ExitStack() as stack:
            for around in arounds:
                stack.enter_context(around.make(context, named))
            for maker in makers:
                made.append(maker.call_style.enter(maker.make(context, made), stack))
            return function(*fill(values, context, made))

    return call


def _compose_async(parts: HandlerParts, arounds: Sequence[CallStyle], makers: list[Maker], fill: Fill) -> Call:
    function, name = parts.call, _namer(parts.signature)

    async def call(values: tuple[Any, ...], context: Context) -> Any:
        made: list[Any] = []
        named = name(values) if arounds else {}
        async with AsyncExitStack() as stack:
            for around in arounds:
                await around.enter_async(around.make(context, named), stack)
            for maker in makers:
                made.append(await maker.call_style.enter_async(maker.make(context, made), stack))
            return await function(*fill(values, context, made))

    return call


def _filler(signature: Signature, stages: Sequence[Stage], kept: Mapping[Provider, Any]) -> Fill:
    """Puts arguments, context and injected values in the order of the signature."""
    size = len(signature.parameters)
    values_end = size - len(signature.injected) - (signature.context is not None)
    fixed = dict.fromkeys(each.provider for each in signature.injected.values() if each.provider in kept)
    places = {
        provider: values_end + 1 + at for at, provider in enumerate([*(stage.provider for stage in stages), *fixed])
    }
    order = {at: places[each.provider] for at, each in signature.injected.items()}
    if signature.context is not None:
        order[signature.context] = values_end
    order |= zip((at for at in range(size) if at not in order), range(values_end), strict=True)
    constants, found_at = [kept[provider] for provider in fixed], [order[at] for at in range(size)]

    def fill(values: tuple[Any, ...], context: Context, made: list[Any]) -> tuple[Any, ...]:
        found = (*values, context, *made, *constants)
        return tuple([found[at] for at in found_at])

    return fill


def _namer(signature: Signature) -> Callable[[tuple[Any, ...]], dict[str, Any]]:
    """The run's arguments by name, for middleware."""
    names = [parameter.name for parameter in signature.arguments]

    def name(values: tuple[Any, ...]) -> dict[str, Any]:
        rest = values[len(names)] if len(values) > len(names) else {}
        return {**dict(zip(names, values, strict=False)), **rest}

    return name
