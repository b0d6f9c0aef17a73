"""Steps of a workflow function: jobs with their rules, branches, alternatives."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, Protocol, TypeVar, cast, overload

import msgspec

from mainspring.app.workflows.placeholders import Condition, Placeholder, as_condition, refuse, step_of, text_of
from mainspring.app.workflows.recorder import current, names_of
from mainspring.domain.workflows.spec import StepSpec

if TYPE_CHECKING:
    from mainspring.executor.handlers.handler import Handler

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")
A = TypeVar("A")
B = TypeVar("B")
A_contra = TypeVar("A_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

RuleName = Literal["all_succeeded", "all_done", "any_succeeded", "any_failed", "none_failed"]


class Stepping(Protocol[A_contra, Q, R_co]):
    """A job by its first parameter and the others. As the `self` of `map` it takes the type of items from the job alone."""

    def step(self, first: A_contra, /, *args: Q.args, **kwargs: Q.kwargs) -> R_co: ...


class StepOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a job as a step."""

    name: str = ""
    after: Any = ()
    rule: Any = "all_succeeded"
    when: Any = True
    at_once: int | None = None
    failures_max: float = 0
    may_fail: bool = False
    undo: Any = None


class AsStep(Generic[P, R]):
    """A job with its options as a step; call it as the job is called."""

    def __init__(self, handler: "Handler", options: StepOptions) -> None:
        self._handler = handler
        self._options = options

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Record a step; returns its result's placeholder."""
        return cast("R", add_step(self._handler, self._options, args, kwargs))

    def step(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The same."""
        return cast("R", add_step(self._handler, self._options, args, kwargs))

    def map(self: "Stepping[A, Q, R]", items: Iterable[A], /, *args: Q.args, **kwargs: Q.kwargs) -> list[R]:
        """Record a step that runs once for each element; the other arguments are the same for all."""
        mine = cast("AsStep[..., R]", self)
        return cast("list[R]", add_map(mine._handler, mine._options, items, args, kwargs))  # noqa: SLF001 its own


def add_step(handler: "Handler", options: StepOptions, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from mainspring.app.job_handle import by_name  # noqa: PLC0415 it holds what is defined here

    recorder = current(f"{handler.name}.step")
    constants, mapping = recorder.arguments(handler, by_name(handler, args, kwargs))
    return write_step(handler, options, StepSpec(job=handler.name, input=constants, mapping=mapping))


def add_map(handler: "Handler", options: StepOptions, items: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from mainspring.app.job_handle import by_name  # noqa: PLC0415

    recorder = current(f"{handler.name}.map")
    if not isinstance(items, Placeholder):
        refuse(
            f"{handler.name}.map", "map over the result of a step or an argument of the workflow, not over a constant"
        )
    recorder.check_own(items)
    named = by_name(handler, (items, *args), kwargs)
    item = next(name for name, value in named.items() if value is items)
    constants, mapping = recorder.arguments(handler, {name: value for name, value in named.items() if name != item})
    spec = StepSpec(job=handler.name, input=constants, mapping=mapping, each=text_of(items), item=item)
    return write_step(handler, options, spec)


def write_step(handler: "Handler", options: StepOptions, spec: StepSpec) -> Any:
    recorder = current(handler.name)
    recorder.handlers[handler.name] = handler
    conditions = [*recorder.conditions, *([] if options.when is True else [as_condition(options.when)])]
    bodies = [condition.body for condition in conditions]
    spec = msgspec.structs.replace(
        spec,
        after=names_of(options.after),
        rule=rule_of(options.rule),
        when=bodies[0] if len(bodies) == 1 else {"all": bodies} if bodies else {},
        at_once=options.at_once,
        failures_max=options.failures_max,
        may_fail=options.may_fail,
    )
    result = recorder.add(options.name or handler.name, spec)
    if options.undo is not None:
        undo: Handler = options.undo._handler  # noqa: SLF001 a job of this package
        parameters = [parameter.name for parameter in undo.signature.arguments]
        call = recorder.endings_call(undo, {parameters[0]: text_of(result)} if parameters else {})
        name = step_of(result)
        recorder.steps[name] = msgspec.structs.replace(recorder.steps[name], undo=call)
    return result


def rule_of(rule: Any) -> Any:
    if isinstance(rule, str):
        return rule
    condition = as_condition(rule)
    if not condition.over_states:
        refuse("a value", "a rule is over states: failed(step), skipped(step), succeeded(step), cancelled(step)")
    return condition.body


@contextmanager
def when(condition: bool) -> Iterator[None]:  # noqa: FBT001 to the type checker it is what it will be
    """All steps inside are skipped unless this holds, with all that needs them."""
    with current("when").block(as_condition(condition)):
        yield


@contextmanager
def otherwise() -> Iterator[None]:
    """All steps inside are skipped if the condition of the `when` just before holds."""
    recorder = current("otherwise")
    if recorder.last is None:
        refuse("otherwise", "it comes right after a `with when(…):`")
    with recorder.block(~recorder.last):
        yield


@overload
def either(one: A, other: B, /) -> A | B: ...
@overload
def either(one: A, other: B, /, *, default: R) -> A | B | R: ...
def either(one: Any, other: Any, /, *more: Any, default: Any = msgspec.UNSET) -> Any:
    """The result of the first of these steps that ran; the default if none did."""
    recorder = current("either")
    places = [text_of(value) if isinstance(value, Placeholder) else step_of(value) for value in (one, other, *more)]
    value = default if default is msgspec.UNSET else msgspec.to_builtins(default)
    return recorder.add("either", StepSpec(either=tuple(places), default=value))


def succeeded(step: object) -> bool:
    """For `rule`: the step has succeeded."""
    return state_is(step, "succeeded")


def failed(step: object) -> bool:
    """For `rule`: the step has failed, or was cancelled."""
    return cast("bool", Condition({step_of(step): ["failed", "cancelled"]}, over_states=True))


def skipped(step: object) -> bool:
    """For `rule`: the step was skipped."""
    return state_is(step, "skipped")


def state_is(step: object, state: str) -> bool:
    return cast("bool", Condition({step_of(step): state}, over_states=True))
