"""Plans which providers are called for a handler, and in which order; checked at registration."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from mainspring.errors import ConfigError
from mainspring.executor.handlers.call_style import CallStyle, Form, call_style_of
from mainspring.executor.handlers.injection import Inject, Injected, Scope, marker_of
from mainspring.executor.handlers.signature import EMPTY, is_context, name_of, read_parameters

Provider = Callable[..., Any]

UNFILLED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Stage(msgspec.Struct, frozen=True):
    """One provider to be called, after those that it needs."""

    provider: Provider
    """As named in annotations, also if it is overridden."""
    call_style: CallStyle
    scope: Scope
    needs: Mapping[str, Provider | None]
    """By parameter; None is the context."""

    @property
    def name(self) -> str:
        return name_of(self.provider)


class InjectionPlan(msgspec.Struct, frozen=True):
    """Stages in the order of their needs."""

    stages: tuple[Stage, ...] = ()

    def of(self, scope: Scope) -> tuple[Stage, ...]:
        return tuple(stage for stage in self.stages if stage.scope == scope)


class InjectionPlanner:
    """Follows markers from signature to signature."""

    def __init__(self, overrides: Mapping[Provider, Provider], lifespan: Provider | None) -> None:
        self._overrides = overrides
        self._lifespan = lifespan

    def plan(self, handler: str, wanted: Iterable[Inject], *, is_async: bool) -> InjectionPlan:
        """Raises ConfigError if something asked for can never be made."""
        stages: dict[Provider, Stage] = {}
        for inject in wanted:
            self._add(inject, (), stages)
        for stage in stages.values():
            if stage.scope == "attempt" and stage.call_style.form.is_async and not is_async:
                raise ConfigError(
                    f"{handler} is a plain function, so nothing awaits {stage.name}, which is async: "
                    "make one of them like the other, or give the provider scope='process'"
                )
        return InjectionPlan(tuple(stages.values()))

    def plan_instance(self, kind: type) -> InjectionPlan:
        """The way to one instance for the whole process."""
        stages: dict[Provider, Stage] = {}
        self._add(Inject(kind, "process"), (), stages)
        return InjectionPlan(tuple(stages.values()))

    def _add(self, inject: Inject, path: tuple[Provider, ...], stages: dict[Provider, Stage]) -> None:
        provider, scope = inject.provider, self._scope(inject)
        if provider in path:
            circle = " → ".join(map(name_of, (*path[path.index(provider) :], provider)))
            raise ConfigError(f"{circle}: providers need each other in a circle, so none can be the first")
        if (known := stages.get(provider)) is not None:
            refuse_two_scopes(known, scope)
            return
        if provider is self._lifespan:
            stages[provider] = Stage(provider, CallStyle(Form.VALUE, provider), scope, {})
            return
        stand_in = self._overrides.get(provider, provider)
        markers = _markers(stand_in)
        for parameter, marker in markers.items():
            _refuse_shorter(stand_in, parameter, marker, scope)
            if marker is not None:
                self._add(marker, (*path, provider), stages)
                refuse_longer_need(stand_in, stages[marker.provider], scope)
        needs = {name: None if marker is None else marker.provider for name, marker in markers.items()}
        stages[provider] = Stage(provider, call_style_of(stand_in), scope, needs)

    def _scope(self, inject: Inject) -> Scope:
        return "process" if inject.provider is self._lifespan else inject.scope


def refuse_two_scopes(stage: Stage, scope: Scope) -> None:
    if stage.scope != scope:
        raise ConfigError(f"{stage.name} is injected with scope 'attempt' here and 'process' there: choose one")


def refuse_longer_need(provider: Provider, need: Stage, scope: Scope) -> None:
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
    """Markers of a provider's parameters; None is the context; parameters with a default are omitted."""
    found: dict[str, Inject | None] = {}
    for parameter in read_parameters(provider)[0]:
        marker = marker_of(parameter.annotation)
        if marker is not None or is_context(parameter):
            found[parameter.name] = marker
        elif _is_unfilled(parameter):
            raise ConfigError(
                f"{name_of(provider)}: nothing provides its parameter {parameter.name!r}: annotate it with "
                "Annotated[…, Inject(provider)], take a Context, or give it a default"
            )
    return found


def _is_unfilled(parameter: inspect.Parameter) -> bool:
    return parameter.kind not in UNFILLED and (parameter.default is EMPTY or isinstance(parameter.default, Injected))


def merge_stages(plans: Iterable[InjectionPlan]) -> tuple[Stage, ...]:
    """Each stage once; refuses a provider with two scopes."""
    merged: dict[Provider, Stage] = {}
    for plan in plans:
        for stage in plan.stages:
            refuse_two_scopes(merged.setdefault(stage.provider, stage), stage.scope)
    return tuple(merged.values())
