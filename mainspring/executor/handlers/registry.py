"""An app's handlers by name, composed with middleware and injected values."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from itertools import chain
from types import MethodType
from typing import TYPE_CHECKING, Any, NoReturn, Unpack
from weakref import WeakSet

import msgspec

from mainspring.domain.jobs.job import JobSpec, Pool
from mainspring.domain.jobs.rules import check_terms
from mainspring.domain.names import check_job_name
from mainspring.errors import ConfigError, ConflictError, InvalidInputError
from mainspring.executor.attempts.attempt import Attempt, Journal
from mainspring.executor.attempts.trace_runs import traced
from mainspring.executor.handlers.arguments import by_position, read_arguments
from mainspring.executor.handlers.call_style import CallStyle
from mainspring.executor.handlers.composition import HandlerParts, compose, compose_plain
from mainspring.executor.handlers.handler import Handler, Target, function_of, name_for, pool_for
from mainspring.executor.handlers.middleware import read_around, refuse_unawaited
from mainspring.executor.handlers.options import HandlerOptions, about, read_options
from mainspring.executor.handlers.providers import InjectionPlan, InjectionPlanner, Provider, Stage, merge_stages
from mainspring.executor.handlers.results import read_each, result_reader, result_schema
from mainspring.executor.handlers.scope import ProcessScope
from mainspring.executor.handlers.signature import name_of, read_signature
from mainspring.telemetry.switch import Tracing

if TYPE_CHECKING:
    from mainspring.domain.calendars.spec import CalendarSpec
    from mainspring.domain.triggers.spec import TriggerSpec


class Handlers:
    """A registry; there is no global one."""

    def __init__(self, *joined: "Handlers") -> None:
        self.scope = ProcessScope()
        self.parts: tuple[Handlers, ...] = (self, *(part for each in joined for part in each.parts))
        """This registry and those that are served with it."""
        self.lifespan: Provider | None = None
        self.queues: frozenset[str] = frozenset()
        """Queues to listen to besides those of the handlers."""
        self.own: dict[str, Handler] = {}
        self.workflows: dict[str, Handler] = {}
        """Jobs that have steps and no code."""
        self.triggers: dict[str, TriggerSpec] = {}
        """Triggers declared in code."""
        self.calendars: dict[str, CalendarSpec] = {}
        """Calendars declared in code."""
        self.copies: WeakSet[Handlers] = WeakSet()
        self._plans: dict[str, InjectionPlan] = {}
        self._arounds: tuple[CallStyle, ...] = ()
        self._overrides: dict[Provider, Provider] = {}
        """Shared with the copies."""
        for handler in reversed(tuple(self)):
            self._refuse_twice(handler)

    def add(self, target: Target, **options: Unpack[HandlerOptions]) -> Handler:
        """Raises ConfigError, ConflictError or InvalidInputError if it could not be served."""
        handler = read_handler(target, options)
        self._refuse_twice(handler)
        plan = self._plan(handler)
        merge_stages([*self._plans.values(), plan])
        self.own[handler.name], self._plans[handler.name] = self._composed(handler, plan), plan
        return self.own[handler.name]

    def add_workflow(self, workflow: Handler) -> Handler:
        """Raises ConflictError if there is a job of that name."""
        self._refuse_twice(workflow)
        self.workflows[workflow.name] = workflow
        return workflow

    def follow(self, workflow: Handler) -> Handler:
        """Replace a handler by itself with what follows it."""
        self.own[workflow.name] = workflow
        return workflow

    def get(self, name: str) -> Handler | None:
        return next((part.jobs[name] for part in self.parts if name in part.jobs), None)

    @property
    def jobs(self) -> dict[str, Handler]:
        """Of this registry alone: handlers and workflows."""
        return {**self.own, **self.workflows} if self.workflows else self.own

    @property
    def specs(self) -> list[JobSpec]:
        """What an executor advertises."""
        return [handler.spec for part in self.parts for handler in part.jobs.values()]

    def __iter__(self) -> Iterator[Handler]:
        return chain.from_iterable(part.own.values() for part in self.parts)

    def __len__(self) -> int:
        return sum(len(part.own) for part in self.parts)

    # What goes with the handlers, whether it is said before or after they are added

    def use(self, around: Provider) -> None:
        """Put this around every attempt, inside of earlier middleware."""
        found = read_around(around)
        for handler in self.own.values():
            refuse_unawaited(handler, found)
        self._arounds = (*self._arounds, found)
        self.refresh()

    def live(self, lifespan: Provider) -> None:
        """Enter this when a process starts to serve these handlers."""
        if self.lifespan is not None:
            raise ConfigError(
                f"{name_of(lifespan)}: there is a lifespan already, {name_of(self.lifespan)}: make it one"
            )
        read_around(lifespan)
        self.lifespan = lifespan
        self.refresh()

    @contextmanager
    def override(self, provider: Provider, stand_in: Provider) -> Iterator[None]:
        """Replace a provider, or the lifespan, for the length of a `with`; for tests."""
        if provider is self.lifespan:
            read_around(stand_in)
        elif all(stage.provider is not provider for stage in merge_stages(self._plans.values())):
            raise ConfigError(f"{name_of(provider)} is injected nowhere, so overriding it changes nothing")
        if any(provider in each.scope.values for each in self.copies):
            raise ConfigError(f"{name_of(provider)} was made when the process started: override it before that")
        before = dict(self._overrides)
        self._overrides[provider] = stand_in
        try:
            self._refresh_all()
            yield
        finally:
            self._overrides.clear()
            self._overrides.update(before)
            self._refresh_all()

    def stand_in(self, provider: Provider) -> Provider:
        return self._overrides.get(provider, provider)

    def kept(self, pools: Iterable[Pool]) -> tuple[Stage, ...]:
        """Stages with scope 'process' for the handlers of these pools, in the order of their needs."""
        served = set(pools)
        stages = merge_stages(self._plans[handler.name] for handler in self.own.values() if handler.pool in served)
        return tuple(stage for stage in stages if stage.scope == "process")

    def refresh(self) -> None:
        """Compose all handlers again with the current values of the scope."""
        plans = {name: self._plan(handler) for name, handler in self.own.items()}
        merge_stages(plans.values())
        self.own = {name: self._composed(handler, plans[name]) for name, handler in self.own.items()}
        self._plans = plans

    def copy(self) -> "Handlers":
        """The same handlers, to be served with a scope of their own."""
        parts = tuple(map(copy, self.parts))
        for part, original in zip(parts, self.parts, strict=True):
            part.scope, part.parts, part.copies = ProcessScope(), (part,), WeakSet()
            part.refresh()
            original.copies.add(part)
        parts[0].parts = parts
        return parts[0]

    def _refresh_all(self) -> None:
        for each in (self, *self.copies):
            each.refresh()

    def _refuse_twice(self, handler: Handler) -> None:
        others = (part.jobs[handler.name] for part in self.parts if handler.name in part.jobs)
        if other := next((each for each in others if each is not handler), None):
            places = f"by {other.place} and by {handler.place}"
            raise ConflictError(
                "handler", handler.name, f"is registered twice, {places}: give one of them another name"
            )

    def _plan(self, handler: Handler) -> InjectionPlan:
        planner = InjectionPlanner(self._overrides, self.lifespan)
        plan = planner.plan(handler.name, handler.signature.injected.values(), is_async=handler.is_async)
        if isinstance(handler.target, type):
            return InjectionPlan(merge_stages([planner.plan_instance(handler.target), plan]))
        return plan

    def _composed(self, handler: Handler, plan: InjectionPlan) -> Handler:
        for around in self._arounds:
            refuse_unawaited(handler, around)
        missing = next((stage for stage in plan.of("process") if stage.provider not in self.scope.values), None)
        if missing is not None:
            return msgspec.structs.replace(handler, bind=_not_started(handler.name, missing))
        parts = HandlerParts(
            handler.signature, handler.arguments.decode, self._callable(handler), self.scope, handler.is_async
        )
        if self._arounds or handler.signature.injected:
            bind, call = compose(parts, self._arounds, plan.of("attempt"))
        else:
            bind, call = compose_plain(parts)
        made = msgspec.structs.replace(handler, bind=bind, call=call)
        if not Tracing.is_on:
            return made
        spanned = msgspec.structs.replace(made, call=traced(call, is_async=handler.is_async))
        return msgspec.structs.replace(made, spanned=spanned)

    def _callable(self, handler: Handler) -> Any:
        if not isinstance(handler.target, type):
            return handler.arguments.call
        bound = MethodType(handler.function.__func__, self.scope.values[handler.target])  # type: ignore[attr-defined]
        return by_position(bound, handler.signature.parameters)


def read_handler(target: Target, options: HandlerOptions) -> Handler:
    """A handler that is not put together yet."""
    name = options.get("name")
    name = name_for(target) if name is None else name
    function = function_of(target)
    signature = read_signature(function)
    arguments = read_arguments(function, signature)
    try:
        said = read_options({**options, "name": name})
        handler = Handler(
            name=check_job_name(said.name, "name"),
            target=target,
            function=function,
            pool=pool_for(said.name, function, said.pool),
            queue=said.queue,
            priority=said.priority,
            retry=said.retry,
            policy=said.policy,
            limits=said.limits,
            signature=signature,
            arguments=arguments,
            read_result=read_each(result_reader(signature)) if said.policy.spreads else result_reader(signature),
            returns=result_schema(signature, many=said.policy.spreads),
            call=arguments.call,
            bind=_unbound,
        )
        check_terms(handler.spec)
    except InvalidInputError as error:
        raise about(name, error) from None
    return handler


def _unbound(_attempt: Attempt, _journal: Journal) -> NoReturn:
    raise NotImplementedError


def _not_started(name: str, missing: Stage) -> Any:
    def bind(_attempt: Attempt, _journal: Journal) -> NoReturn:
        raise ConfigError(f"{name} needs {missing.name}, which is made when a process starts to serve the app")

    return bind
