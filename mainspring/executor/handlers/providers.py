"""Who makes what a handler asks for, in which order: read from signatures once and checked when it is registered."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from mainspring.errors import ConfigError
from mainspring.executor.handlers.call_style import Entrance, Form, entrance
from mainspring.executor.handlers.injection import Inject, Injected, Scope, marker_of
from mainspring.executor.handlers.signature import EMPTY, is_context, name_of, read_parameters

Provider = Callable[..., Any]

UNFILLED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Step(msgspec.Struct, frozen=True):
    """One provider to be called, after those that it needs."""

    provider: Provider
    """As it is named in annotations, whoever stands in for it."""
    entrance: Entrance
    scope: Scope
    needs: Mapping[str, Provider | None]
    """By parameter; None is the context."""

    @property
    def name(self) -> str:
        return name_of(self.provider)


class Plan(msgspec.Struct, frozen=True):
    """Steps in an order in which each finds what it needs."""

    steps: tuple[Step, ...] = ()

    def of(self, scope: Scope) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.scope == scope)


class Planner:
    """Follows markers from signature to signature."""

    def __init__(self, overrides: Mapping[Provider, Provider], lifespan: Provider | None) -> None:
        self._overrides = overrides
        self._lifespan = lifespan

    def plan(self, handler: str, wanted: Iterable[Inject], *, is_async: bool) -> Plan:
        """Raises ConfigError if something asked for can never be made."""
        steps: dict[Provider, Step] = {}
        for inject in wanted:
            self._add(inject, (), steps)
        for step in steps.values():
            if step.scope == "attempt" and step.entrance.form.is_async and not is_async:
                raise ConfigError(
                    f"{handler} is a plain function, so nothing awaits {step.name}, which is async: "
                    "make one of them like the other, or give the provider scope='process'"
                )
        return Plan(tuple(steps.values()))

    def plan_instance(self, kind: type) -> Plan:
        """The way to one instance for the whole process."""
        steps: dict[Provider, Step] = {}
        self._add(Inject(kind, "process"), (), steps)
        return Plan(tuple(steps.values()))

    def _add(self, inject: Inject, path: tuple[Provider, ...], steps: dict[Provider, Step]) -> None:
        provider, scope = inject.provider, self._scope(inject)
        if provider in path:
            circle = " → ".join(map(name_of, (*path[path.index(provider) :], provider)))
            raise ConfigError(f"{circle}: providers need each other in a circle, so none can be the first")
        if (known := steps.get(provider)) is not None:
            refuse_two_scopes(known, scope)
            return
        if provider is self._lifespan:
            steps[provider] = Step(provider, Entrance(Form.VALUE, provider), scope, {})
            return
        stand_in = self._overrides.get(provider, provider)
        markers = _markers(stand_in)
        for parameter, marker in markers.items():
            _refuse_shorter(stand_in, parameter, marker, scope)
            if marker is not None:
                self._add(marker, (*path, provider), steps)
                refuse_longer_need(stand_in, steps[marker.provider], scope)
        needs = {name: None if marker is None else marker.provider for name, marker in markers.items()}
        steps[provider] = Step(provider, entrance(stand_in), scope, needs)

    def _scope(self, inject: Inject) -> Scope:
        return "process" if inject.provider is self._lifespan else inject.scope


def refuse_two_scopes(step: Step, scope: Scope) -> None:
    if step.scope != scope:
        raise ConfigError(f"{step.name} is injected with scope 'attempt' here and 'process' there: choose one")


def refuse_longer_need(provider: Provider, need: Step, scope: Scope) -> None:
    if scope == "process" and need.scope == "attempt":
        raise ConfigError(
            f"{name_of(provider)} is kept for the whole process, so it cannot need {need.name}, "
            "which is made for each attempt: give that one scope='process'"
        )


def _refuse_shorter(provider: Provider, parameter: str, marker: Inject | None, scope: Scope) -> None:
    if marker is None and scope == "process":
        raise ConfigError(
            f"{name_of(provider)} is kept for the whole process, so its {parameter!r} cannot be the context "
            "of one attempt: inject the lifespan instead, or give the provider scope='attempt'"
        )


def _markers(provider: Provider) -> dict[str, Inject | None]:
    """What its parameters ask for: None is the context; one with a default is left alone."""
    found: dict[str, Inject | None] = {}
    for parameter in read_parameters(provider)[0]:
        marker = marker_of(parameter.annotation)
        if marker is not None or is_context(parameter):
            found[parameter.name] = marker
        elif _is_unfilled(parameter):
            raise ConfigError(
                f"{name_of(provider)}: nobody fills its parameter {parameter.name!r}: annotate it with "
                "Annotated[…, Inject(provider)], take a Context, or give it a default"
            )
    return found


def _is_unfilled(parameter: inspect.Parameter) -> bool:
    return parameter.kind not in UNFILLED and (parameter.default is EMPTY or isinstance(parameter.default, Injected))


def merge_steps(plans: Iterable[Plan]) -> tuple[Step, ...]:
    """Each step once; refuses a provider with two scopes."""
    merged: dict[Provider, Step] = {}
    for plan in plans:
        for step in plan.steps:
            refuse_two_scopes(merged.setdefault(step.provider, step), step.scope)
    return tuple(merged.values())
