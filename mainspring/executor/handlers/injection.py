"""Markers by which users inject values into handlers."""

from collections.abc import Callable
from typing import Any, Literal

import msgspec

Scope = Literal["attempt", "process"]
"""Lifetime of a provider's value: the attempt, or the process."""


class Inject(msgspec.Struct, frozen=True):
    """In `Annotated[Session, Inject(get_session)]`: the executor calls the provider and passes its value to the handler."""

    provider: Callable[..., Any]
    scope: Scope = "attempt"

    def __post_init__(self) -> None:
        if not callable(self.provider):
            raise TypeError(f"Inject({self.provider!r}): a provider is a function, a generator or a class")
        if self.scope not in ("attempt", "process"):
            raise TypeError(f"Inject(…, scope={self.scope!r}): a scope is 'attempt' or 'process'")


class Injected:
    """Default of an injected parameter; a direct caller of the function passes the value instead."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name!r}: only an executor fills this parameter in; pass a value to call it in place")

    def __repr__(self) -> str:
        return "INJECTED"


INJECTED: Any = Injected()
"""The default of a parameter that callers leave out: `db: Annotated[Session, Inject(get_session)] = INJECTED`."""


def marker_of(annotation: Any) -> Inject | None:
    """The marker in `Annotated[…]`, if there is one."""
    return next((each for each in getattr(annotation, "__metadata__", ()) if isinstance(each, Inject)), None)
