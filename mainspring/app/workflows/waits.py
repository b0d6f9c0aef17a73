"""Steps of a workflow function that wait, and hold no slot meanwhile: for a time, an event, an approval."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast, overload

import msgspec

from mainspring.app.workflows.placeholders import Placeholder, text_of
from mainspring.app.workflows.recorder import current, names_of
from mainspring.domain.workflows.spec import StepSpec

T = TypeVar("T")


class Answer(msgspec.Struct):
    """The result of an approval without a form."""

    approved: bool
    by: list[str] = []
    note: str = ""


def sleep(length: str, *, after: object = (), name: str = "sleep") -> object:
    """Record a step that ends after a length of time, such as 3d."""
    return record_wait(name, StepSpec(sleep=length), after)


@overload
def event(
    type: str,
    *,
    data: type[T],
    match: Mapping[str, object] = ...,
    after: object = ...,
    look_back: str = ...,
    timeout: str = ...,
    may_fail: bool = ...,
    name: str = ...,
) -> T: ...
@overload
def event(
    type: str,
    *,
    match: Mapping[str, object] = ...,
    after: object = ...,
    look_back: str = ...,
    timeout: str = ...,
    may_fail: bool = ...,
    name: str = ...,
) -> Any: ...
def event(
    type: str,  # noqa: A002 the word of events
    *,
    data: Any = None,  # noqa: ARG001 for the type checker
    match: Mapping[str, object] | None = None,
    after: object = (),
    look_back: str = "",
    timeout: str = "",
    may_fail: bool = False,
    name: str = "",
) -> Any:
    """Record a step that ends with an event of this type, whose data are its result.

    `match` says which values the data must have, by field: constants, arguments of the workflow or results of steps. An event
    that was published at most `look_back` before the step began counts, too.
    """
    wanted = {place_in(key): value_of(value) for key, value in (match or {}).items()}
    spec = StepSpec(event=type, match=wanted, look_back=look_back, timeout=timeout, may_fail=may_fail)
    return record_wait(name or type, spec, after)


@overload
def approval(
    title: str,
    *,
    form: type[T],
    details: Mapping[str, object] = ...,
    approvers: Sequence[str] = ...,
    approvals: int = ...,
    four_eyes: bool = ...,
    timeout: str = ...,
    after: object = ...,
    may_fail: bool = ...,
    name: str = ...,
) -> T: ...
@overload
def approval(
    title: str,
    *,
    details: Mapping[str, object] = ...,
    approvers: Sequence[str] = ...,
    approvals: int = ...,
    four_eyes: bool = ...,
    timeout: str = ...,
    after: object = ...,
    may_fail: bool = ...,
    name: str = ...,
) -> Answer: ...
def approval(
    title: str,
    *,
    form: Any = None,
    details: Mapping[str, object] | None = None,
    approvers: Sequence[str] = (),
    approvals: int = 1,
    four_eyes: bool = False,
    timeout: str = "",
    after: object = (),
    may_fail: bool = False,
    name: str = "approval",
) -> Any:
    """Record a step that people approve or reject; its result is the form, with `approved`, `by` and `note`."""
    given = dict(details or {})
    spec = StepSpec(
        approval=title,
        form={} if form is None else form_schema(form),
        mapping={key: text_of(value) for key, value in given.items() if isinstance(value, Placeholder)},
        input={key: msgspec.to_builtins(value) for key, value in given.items() if not isinstance(value, Placeholder)},
        approvers=tuple(approvers),
        approvals=approvals,
        four_eyes=four_eyes,
        timeout=timeout,
        may_fail=may_fail,
    )
    return record_wait(name, spec, after)


def record_wait(name: str, spec: StepSpec, after: object) -> Any:
    recorder = current(name)
    wanted = msgspec.structs.replace(spec, after=names_of(after), when=recorder.when)
    return recorder.add(name, wanted)


def place_in(key: str) -> str:
    return key if key.startswith("$") else f"$.{key}"


def value_of(value: object) -> Any:
    return text_of(value) if isinstance(value, Placeholder) else msgspec.to_builtins(value)


def form_schema(form: Any) -> dict[str, Any]:
    """The JSON schema of a class, its reference resolved; `approved` comes from the answer itself."""
    schema = msgspec.json.schema(form)
    found = cast("dict[str, Any]", schema.get("$defs", {}).get(form.__name__, schema))
    properties = {
        key: value for key, value in found.get("properties", {}).items() if key not in ("approved", "by", "note")
    }
    required = [key for key in found.get("required", ()) if key in properties]
    return {"type": "object", "properties": properties, "required": required}
