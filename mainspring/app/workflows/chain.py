"""`extract >> transform >> publish`: jobs one after the other."""

from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from mainspring.executor.handlers.handler import Handler

if TYPE_CHECKING:
    from mainspring.app.job_handle import JobHandle

P = ParamSpec("P")
R = TypeVar("R")
B = TypeVar("B")


class Chain(Generic[P, R]):
    """Jobs of which each takes the result of the one before it, or nothing. `app.workflow` makes a job of it."""

    def __init__(self, handlers: tuple[Handler, ...]) -> None:
        self.handlers = handlers

    @overload
    def __rshift__(self, then: "JobHandle[[], B]") -> "Chain[P, B]": ...
    @overload
    def __rshift__(self, then: "JobHandle[Concatenate[R, ...], B]") -> "Chain[P, B]": ...
    def __rshift__(self, then: Any) -> Any:
        return Chain((*self.handlers, then._handler))
