"""From a workflow function, or a chain of jobs, to the definition that servers run."""

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from mainspring.app.workflows.chain import Chain
from mainspring.app.workflows.placeholders import Placeholder, text_of
from mainspring.app.workflows.recorder import Recorder, record
from mainspring.domain.workflows.checks import check_jobs, check_workflow
from mainspring.domain.workflows.spec import StepCall, StepSpec, WorkflowSpec, write_workflow
from mainspring.errors import ConfigError, InvalidInputError
from mainspring.executor.handlers.handler import Handler
from mainspring.executor.handlers.registry import Handlers, read_handler
from mainspring.executor.handlers.signature import EMPTY

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle

ENDINGS = ("on_success", "on_failure", "finally_")
OWN = (*ENDINGS, "fail_fast", "steps_at_once")
"""Options of a workflow that no other job has."""


def workflow_of(target: Any, options: dict[str, Any]) -> Handler:
    """Raises ConfigError with the place in the code."""
    own = {name: options.pop(name) for name in OWN if name in options}
    if "runs_at_once" in options:
        options["at_once"] = options.pop("runs_at_once")
    if isinstance(target, Chain):
        handler, recorder, result = chain_of(target, options)
    else:
        handler, recorder, result = function_of(target, options)
    try:
        spec = written(recorder, result, own)
        check_workflow(spec)
        check_jobs(spec, lambda name: recorder.handlers[name].spec if name in recorder.handlers else None)
    except InvalidInputError as error:
        raise ConfigError(f"{handler.place}: the workflow cannot be used: {error}") from None
    return msgspec.structs.replace(
        handler, workflow=write_workflow(spec), has_code=False, defaults=defaults_of(handler)
    )


def function_of(target: Callable[..., Any], options: dict[str, Any]) -> tuple[Handler, Recorder, object]:
    if inspect.iscoroutinefunction(target):
        raise ConfigError(f"{target.__qualname__}: a workflow function is called once and awaits nothing: write `def`")
    handler = read_handler(target, options)  # type: ignore[arg-type]
    if handler.signature.filled or handler.signature.rest:
        raise ConfigError(
            f"{handler.place}: a workflow function takes arguments only, no context and no injected values"
        )
    recorder = Recorder(handler.name, {parameter.name: parameter for parameter in handler.signature.arguments})
    given = recorder.placeholders()
    result = record(recorder, lambda: target(**given))
    return handler, recorder, result


def chain_of(chain: Chain[Any, Any], options: dict[str, Any]) -> tuple[Handler, Recorder, object]:
    if "name" not in options:
        raise ConfigError("a chain has no name of its own: app.workflow(first >> second, name='…')")
    first, last = chain.handlers[0], chain.handlers[-1]
    own = read_handler(first.target, options)  # type: ignore[arg-type]
    handler = msgspec.structs.replace(own, read_result=last.read_result, returns=last.returns)
    recorder = Recorder(handler.name, {parameter.name: parameter for parameter in first.signature.arguments})
    return handler, recorder, add_chain(recorder, chain.handlers)


def add_chain(recorder: Recorder, handlers: tuple[Handler, ...]) -> object:
    """Each takes the result of the one before it, or nothing; the first has the workflow's input."""
    result: Any = None
    for position, handler in enumerate(handlers):
        recorder.handlers[handler.name] = handler
        names = [parameter.name for parameter in handler.signature.arguments]
        if position == 0:
            spec = StepSpec(job=handler.name, mapping={name: f"$.input.{name}" for name in names})
        elif names:
            spec = StepSpec(job=handler.name, mapping={names[0]: text_of(result)})
        else:
            spec = StepSpec(job=handler.name, after=(text_of(result)[2:],))
        result = recorder.add(handler.name, spec)
    return result


def written(recorder: Recorder, result: object, own: Mapping[str, Any]) -> WorkflowSpec:
    if result is not None and not isinstance(result, Placeholder):
        reason = f"returns {result!r}: return the result of a step, or nothing"
        raise InvalidInputError("result", reason, code="bad_result")
    return WorkflowSpec(
        steps=recorder.steps,
        result="" if result is None else text_of(result),
        on_success=ending(recorder, own.get("on_success")),
        on_failure=ending(recorder, own.get("on_failure")),
        finally_=ending(recorder, own.get("finally_")),
        fail_fast=own.get("fail_fast", False),
        steps_at_once=own.get("steps_at_once"),
    )


def ending(recorder: Recorder, job: "JobHandle[..., Any] | None") -> StepCall | None:
    return None if job is None else recorder.endings_call(job._handler, {})  # noqa: SLF001 a job of this package


def defaults_of(handler: Handler) -> bytes:
    """The defaults of the workflow's parameters."""
    given = {parameter.name: parameter.default for parameter in handler.signature.arguments}
    return handler.arguments.encode({name: value for name, value in given.items() if value is not EMPTY})


def then_of(known: Handlers, handler: Handler, then: Any) -> Handler:
    """The same job, whose runs are followed by another one's; raises ConfigError for a loop."""
    follower = handler_of(known, handler, then)
    handlers = (handler, *followers_of(follower))
    names = [one.name for one in handlers]
    if len(set(names)) < len(names):
        raise ConfigError(f"{handler.place}: then comes back to where it began: {' -> '.join(names)}")
    recorder = Recorder(handler.name, {parameter.name: parameter for parameter in handler.signature.arguments})
    try:
        add_chain(recorder, handlers)
        # Its result stays its own; the others only follow.
        spec = msgspec.structs.replace(written(recorder, None, {}), result=f"$.{next(iter(recorder.steps))}")
        check_workflow(spec)
        check_jobs(spec, lambda name: recorder.handlers[name].spec if name in recorder.handlers else None)
    except InvalidInputError as error:
        raise ConfigError(f"{handler.place}: then cannot be used: {error}") from None
    return msgspec.structs.replace(
        handler,
        workflow=write_workflow(spec),
        then=follower,
        defaults=defaults_of(handler),
    )


def followers_of(handler: Handler) -> tuple[Handler, ...]:
    """A job and all that follow it by `then`."""
    return (handler, *followers_of(handler.then)) if handler.then is not None else (handler,)


def handler_of(handlers: Handlers, handler: Handler, then: Any) -> Handler:
    """The job that `then` names: by its handle, its class or its name."""
    name = then if isinstance(then, str) else getattr(getattr(then, "handle", then), "name", None)
    found = handlers.get(name) if isinstance(name, str) else None
    if found is None:
        raise ConfigError(
            f"{handler.place}: then names {then!r}, which is no job of this app yet: define that one first"
        )
    return found
