"""Records the steps of a workflow while its function is called."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import msgspec

from mainspring.app.workflows.placeholders import Condition, Placeholder, recorder_of, refuse, step_of, text_of
from mainspring.domain.workflows.spec import StepCall, StepSpec
from mainspring.errors import ConfigError, InvalidInputError

if TYPE_CHECKING:
    from mainspring.executor.handlers.handler import Handler

CURRENT: ContextVar["Recorder | None"] = ContextVar("mainspring_workflow", default=None)
NOT_NAME = re.compile(r"[^A-Za-z0-9_-]")


class Recorder:
    """The steps of one workflow so far, and the conditions that surround the next one."""

    def __init__(self, workflow: str, parameters: Mapping[str, object]) -> None:
        self.workflow = workflow
        self.parameters = parameters
        self.steps: dict[str, StepSpec] = {}
        self.handlers: dict[str, Handler] = {}
        """By the names of their jobs."""
        self.conditions: list[Condition] = []
        self.last: Condition | None = None
        """Of the block that has just been left, for `otherwise`."""

    def placeholders(self) -> dict[str, Any]:
        return {name: Placeholder(self, ("input", name)) for name in self.parameters}

    def add(self, name: str, spec: StepSpec) -> Any:
        """Record a step under that name, numbered if it is taken; its result is a placeholder."""
        plain = NOT_NAME.sub("_", name)
        plain = plain if plain[:1].isalpha() or plain[:1] == "_" else f"_{plain}"
        number, free = 1, plain
        while free in self.steps or free == "input":
            number += 1
            free = f"{plain}-{number}"
        self.steps[free] = spec
        return Placeholder(self, (free,))

    def arguments(self, handler: "Handler", named: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, str]]:
        """Constants by parameter, and places by parameter."""
        mapping: dict[str, str] = {}
        constants: dict[str, object] = {}
        for name, value in named.items():
            if isinstance(value, Placeholder):
                self.check_own(value)
                mapping[name] = text_of(value)
            elif isinstance(value, Condition) or has_placeholder(value):
                refuse(f"{name!r}", "pass each result to a parameter of its own, not inside of another value")
            else:
                constants[name] = value
        return encode_constants(handler, constants), mapping

    def check_own(self, value: Placeholder) -> None:
        if recorder_of(value) is not self:
            refuse(text_of(value), "it belongs to another workflow")

    def endings_call(self, handler: "Handler", given: Mapping[str, str]) -> StepCall:
        """A call of an ending or an undo: parameters are filled by name, from the given arguments and the workflow's input."""
        self.handlers[handler.name] = handler
        known = {**{name: f"$.input.{name}" for name in self.parameters}, "workflow": "$.workflow", **given}
        wanted = [parameter.name for parameter in handler.signature.arguments]
        return StepCall(job=handler.name, mapping={name: known[name] for name in wanted if name in known})

    @property
    def when(self) -> dict[str, Any]:
        """The conditions around the present line, as one."""
        bodies = [condition.body for condition in self.conditions]
        return bodies[0] if len(bodies) == 1 else {"all": bodies} if bodies else {}

    @contextmanager
    def block(self, condition: Condition) -> Iterator[None]:
        if condition.over_states:
            refuse("a state", "values belong to `when`: give states by `rule`")
        self.conditions.append(condition)
        try:
            yield
        finally:
            self.conditions.pop()
            self.last = condition


def current(what: str) -> Recorder:
    """The workflow that is being defined; raises ConfigError if there is none."""
    recorder = CURRENT.get()
    if recorder is None:
        raise ConfigError(f"{what} records a part of a workflow: call it inside of a function with @app.workflow")
    return recorder


def record(recorder: Recorder, body: Callable[[], object]) -> object:
    token = CURRENT.set(recorder)
    try:
        return body()
    finally:
        CURRENT.reset(token)


def encode_constants(handler: "Handler", constants: Mapping[str, object]) -> dict[str, Any]:
    try:
        decoded: dict[str, Any] = msgspec.json.decode(handler.arguments.encode(constants))
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("input", f"cannot be written as JSON: {error}", code="bad_input") from None
    return decoded


def has_placeholder(value: object) -> bool:
    if isinstance(value, dict):
        return any(has_placeholder(inner) for inner in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return any(has_placeholder(inner) for inner in value)
    return isinstance(value, Placeholder | Condition)


def names_of(after: object) -> tuple[str, ...]:
    """The steps that `after` names: one result, or several."""
    many = after if isinstance(after, list | tuple) else (after,)
    return tuple(dict.fromkeys(step_of(one) for one in many))
