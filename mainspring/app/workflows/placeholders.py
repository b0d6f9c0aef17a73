"""Placeholders: values that a workflow's steps will have. They record places and comparisons, and refuse all else.

To a type checker a placeholder is the value itself, so a wrong parent is a wrong argument.
"""

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from mainspring.errors import ConfigError

if TYPE_CHECKING:
    from mainspring.app.workflows.recorder import Recorder

OURS = (str(Path(__file__).parents[2]), contextlib.__file__)
"""Frames between the user's line and a refusal."""
ADVICE = {
    "bool": "`if`, `and`, `or`, `not` cannot be decided: use `with when(condition):`, and `&`, `|`, `~` between conditions",
    "iter": "it cannot be looped over: use `job.map(…)`, which runs once for each element",
    "len": "it has no length yet: compute with it in a job",
    "arithmetic": "no arithmetic can be done with it: compute with it in a job",
    "text": "it cannot be put into a text: pass it to a job as an argument",
    "in": "nothing can be searched in it: compute with it in a job",
    "call": "it cannot be called: pass it to a job as an argument",
    "await": "it cannot be awaited: a workflow function is called once, and returns at once",
    "set": "it cannot be changed: return another value from a job",
    "compare": "it can be compared with a constant only: compare two values in a job",
    "number": "it is no number yet: compute with it in a job",
}
Path_ = tuple[str | int, ...]


def refuse(what: str, advice: str) -> NoReturn:
    """Raises ConfigError with the line of the workflow's own code."""
    frame = sys._getframe(1)  # noqa: SLF001 the only way to the line of the user's code
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    raise ConfigError(
        f"{frame.f_code.co_filename}:{frame.f_lineno}: {what} has no value while its workflow is defined; {advice}"
    )


class Condition:
    """A comparison, or several joined by `&`, `|`, `~`."""

    def __init__(self, body: dict[str, Any], *, over_states: bool = False) -> None:
        self.body = body
        self.over_states = over_states
        """Whether it is over states of steps, for `rule`, and not over values, for `when`."""

    def __and__(self, other: object) -> "Condition":
        return self._joined("all", other)

    def __or__(self, other: object) -> "Condition":
        return self._joined("any", other)

    def __invert__(self) -> "Condition":
        return Condition({"not": self.body}, over_states=self.over_states)

    def _joined(self, word: str, other: object) -> "Condition":
        condition = as_condition(other)
        if condition.over_states != self.over_states:
            refuse("a condition", "values belong to `when`, states to `rule`: do not mix the two")
        return Condition({word: [self.body, condition.body]}, over_states=self.over_states)

    def __bool__(self) -> NoReturn:  # noqa: PLE0304 it never returns
        refuse("a comparison", ADVICE["bool"])


class Placeholder:
    """The workflow's input, a step's result, or a place in one of them."""

    __slots__ = ("_path", "_recorder")
    _path: Path_
    _recorder: "Recorder"

    def __init__(self, recorder: "Recorder", path: Path_) -> None:
        object.__setattr__(self, "_recorder", recorder)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> "Placeholder":
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(self._recorder, (*self._path, name))

    def __getitem__(self, key: object) -> "Placeholder":
        if isinstance(key, bool) or not isinstance(key, int | str) or (isinstance(key, int) and key < 0):
            refuse(text_of(self), "only a name or a position from the start picks a part of it")
        return Placeholder(self._recorder, (*self._path, key))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        refuse(text_of(self), ADVICE["set"])

    def __setitem__(self, key: object, value: object) -> NoReturn:
        refuse(text_of(self), ADVICE["set"])

    def __hash__(self) -> int:
        return hash(self._path)

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return compare(self, "eq", other)

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return ~compare(self, "eq", other)

    def __lt__(self, other: object) -> Condition:
        return compare(self, "lt", other)

    def __le__(self, other: object) -> Condition:
        return compare(self, "le", other)

    def __gt__(self, other: object) -> Condition:
        return compare(self, "gt", other)

    def __ge__(self, other: object) -> Condition:
        return compare(self, "ge", other)

    def __and__(self, other: object) -> Condition:
        return as_condition(self) & other

    def __or__(self, other: object) -> Condition:
        return as_condition(self) | other

    def __invert__(self) -> Condition:
        return ~as_condition(self)

    def __repr__(self) -> str:
        return f"<{text_of(self)}>"


def refusing(advice: str) -> Any:
    def refused(self: Placeholder, *_args: object, **_kwargs: object) -> NoReturn:
        refuse(text_of(self), ADVICE[advice])

    return refused


REFUSED = {
    "bool": ("__bool__",),
    "iter": ("__iter__", "__reversed__"),
    "len": ("__len__",),
    "text": ("__str__", "__format__"),
    "in": ("__contains__",),
    "call": ("__call__", "__enter__", "__exit__"),
    "await": ("__await__", "__aiter__", "__aenter__", "__aexit__"),
    "number": ("__int__", "__float__", "__index__", "__round__", "__abs__", "__neg__", "__pos__"),
    "arithmetic": tuple(
        f"__{side}{name}__"
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "xor")
        for side in ("", "r")
    ),
}
for _advice, _names in REFUSED.items():
    for _name in _names:
        setattr(Placeholder, _name, refusing(_advice))


def text_of(placeholder: Placeholder) -> str:
    """The place as definitions write it."""
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in placeholder._path]  # noqa: SLF001
    return "$" + "".join(parts)


def recorder_of(placeholder: Placeholder) -> "Recorder":
    recorder: Recorder = placeholder._recorder  # noqa: SLF001 its own module
    return recorder


def step_of(placeholder: object) -> str:
    """The name of the step whose result this is."""
    if not isinstance(placeholder, Placeholder):
        refuse(repr(placeholder), "only the result of a step can be given here")
    return str(placeholder._path[0])  # noqa: SLF001


def compare(place: Placeholder, relation: str, other: object) -> Condition:
    if isinstance(other, Placeholder | Condition):
        refuse(text_of(place), ADVICE["compare"])
    wanted = msgspec.to_builtins(other)
    return Condition(
        {text_of(place): wanted if relation == "eq" and not isinstance(wanted, dict) else {relation: wanted}}
    )


def as_condition(value: object) -> Condition:
    """A condition; a place alone means that true stands there."""
    if isinstance(value, Condition):
        return value
    if isinstance(value, Placeholder):
        return Condition({text_of(value): True})
    refuse(repr(value), "a condition is a comparison of a step's result, such as `payment.total > 1000`")
