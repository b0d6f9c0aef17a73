"""Write docs/reference/python.md from the docstrings of everything that `mainspring` exports."""

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import mainspring
from mainspring.app import JobOptions, TriggerOptions, WorkflowOptions
from mainspring.client.options import FlowFilters, RunFilters, RunOptions
from mainspring.contract.runs import RunInfo

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "python.md"

HEAD = """\
# Python API

<!-- Written from the docstrings by `make docs-python`; a test compares. -->

Everything that `from mainspring import …` has, by what it is for. [Writing jobs](../guides/writing-jobs.md) and
[runs](../guides/runs.md) show it at work.
"""

GROUPS: dict[str, tuple[str, ...]] = {
    "Define jobs": ("App", "Job", "JobHandle", "RetryPolicy", "OnLost", "Pool", "Trigger", "Middleware"),
    "Policies of jobs": (
        *("Limit", "Rate", "Blocking", "KeptHistory", "Debounce", "Throttle", "Fair"),
        *("Route", "Fixed", "Failover", "Hash"),
    ),
    "Inside a workflow": (
        *("when", "otherwise", "either", "succeeded", "failed", "skipped"),
        *("sleep", "event", "approval"),
    ),
    "Inside a handler": ("Context", "Retry", "Snooze", "GiveUp", "Suspend", "BreakerOpen", "Inject", "INJECTED"),
    "Ask for runs": ("Client", "AsyncClient", "RunHandle", "BatchEnd"),
    "Errors": (
        *("MainspringError", "ConfigError", "InvalidInputError", "NotFoundError", "ConflictError", "StaleError"),
        *("AccessDeniedError", "ForbiddenError", "UnavailableError", "OverBudgetError", "RunFailedError"),
        "RunCancelledError",
    ),
}
"""Every exported name has one place here; a test counts."""
BESIDE: dict[str, type] = {
    "JobOptions": JobOptions,
    "TriggerOptions": TriggerOptions,
    "WorkflowOptions": WorkflowOptions,
    "RunOptions": RunOptions,
    "RunFilters": RunFilters,
    "FlowFilters": FlowFilters,
    "RunInfo": RunInfo,
}
"""What calls take or answer, though it is not exported."""
INJECTED_SAID = (
    "The default of a parameter that callers leave out: `db: Annotated[Session, Inject(get_session)] = INJECTED`."
)
PARTS = (
    *("triggers", "jobs", "queues", "executors", "calendars", "backfills", "dead", "sweeps", "hooks", "tokens"),
    *("users", "namespaces", "audit"),
)
"""Attributes of a client with calls of their own."""


def page() -> str:
    groups = [
        section(title, [entry(name, getattr(mainspring, name)) for name in names]) for title, names in GROUPS.items()
    ]
    beside = section("Options and answers", [entry(name, found) for name, found in BESIDE.items()])
    text = "\n".join([HEAD, *groups, beside, section("Parts of a client", [*parts()])])
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def section(title: str, entries: list[str]) -> str:
    return "\n".join([f"## {title}", "", *entries])


def entry(name: str, found: Any) -> str:
    """A heading, what it is, its fields, and its methods."""
    lines = [f"### `{name}`", ""]
    if inspect.isfunction(found):
        return "\n".join([*lines, f"```text\n{name}{inspect.signature(found)}\n```", "", *said(found), ""])
    if not inspect.isclass(found):
        return "\n".join(
            [
                *lines,
                "The default of a parameter that callers leave out: `db: Annotated[Session, Inject(get_session)] = INJECTED`.",
                "",
            ]
        )
    shown = made_by(found)
    lines += [f"```text\n{name}{shown}\n```", ""] if shown else []
    lines += [*said(found), *members(found), *fields(found), *methods(found)]
    return "\n".join(lines)


def made_by(found: type) -> str:
    """The arguments that make one, if people make any."""
    if issubclass(found, enum.Enum) or found.__name__ in (*BESIDE, "RunHandle", "JobHandle", "Context"):
        return ""
    try:
        return plain(inspect.signature(found))
    except (ValueError, TypeError):
        return ""


def said(found: Any) -> list[str]:
    text = inspect.cleandoc(found.__doc__) if found.__doc__ and found.__doc__ != Exception.__doc__ else ""
    return [text, ""] if text else []


def members(found: type) -> Iterator[str]:
    if issubclass(found, enum.Enum):
        yield from ["| value | |", "|---|---|"]
        notes = described(found)
        yield from (f"| `{found.__name__}.{one.name}` | {notes.get(one.name, '')} |" for one in found)
        yield ""


def fields(found: type) -> Iterator[str]:
    """Annotated attributes with the text below each of them in the code."""
    names = [name for name in vars(found).get("__annotations__", {}) if not name.startswith("_")]
    if issubclass(found, enum.Enum) or not names:
        return
    notes, kinds = described(found), annotated(found)
    yield from ["| field | type | |", "|---|---|---|"]
    yield from (f"| `{name}` | {kinds.get(name, '')} | {notes.get(name, '')} |" for name in names)
    yield ""


def methods(found: type) -> Iterator[str]:
    """Public methods and properties, its own and those that it inherits from classes of this package."""
    for name, value in inspect.getmembers_static(found):
        if name.startswith("_") or not getattr(owner_of(found, name), "__module__", "").startswith("mainspring"):
            continue
        if isinstance(value, property):
            yield f"- **`{name}`**{tail(value.fget)}"
        elif inspect.isfunction(value := unwrapped(value)):
            prefix = "await " if inspect.iscoroutinefunction(value) else ""
            yield f"- **`{prefix}{name}{plain(inspect.signature(value), bound=True)}`**{tail(value)}"
    yield ""


def unwrapped(value: Any) -> Any:
    return value.__func__ if isinstance(value, staticmethod | classmethod) else value


def owner_of(found: type, name: str) -> type | None:
    return next((each for each in found.__mro__ if name in vars(each)), None)


def tail(value: Any) -> str:
    text = " ".join((inspect.getdoc(value) or "").split())
    return f": {text}" if text else ""


def plain(signature: inspect.Signature, *, bound: bool = False) -> str:
    """Names and defaults; types are what an editor shows."""
    given = [each for each in signature.parameters.values() if not (bound and each.name in ("self", "cls"))]
    bare = [each.replace(annotation=inspect.Parameter.empty, default=shortened(each.default)) for each in given]
    return str(inspect.Signature(bare))


def shortened(default: Any) -> Any:
    """One that is written the same at every run."""
    return default if default is inspect.Parameter.empty or " at 0x" not in repr(default) else ...


def body_of(found: type) -> list[ast.stmt]:
    [definition] = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    assert isinstance(definition, ast.ClassDef)
    return definition.body


def annotated(found: type) -> dict[str, str]:
    """The type of each attribute as the code writes it, by name."""
    types = [one for one in body_of(found) if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    return {ast.unparse(one.target): f"`{ast.unparse(one.annotation)}`".replace("|", "\\|") for one in types}


def described(found: type) -> dict[str, str]:
    """The text below each attribute in the code, by name."""
    notes: dict[str, str] = {}
    for one, text in pairwise(body_of(found)):
        target = (
            one.target if isinstance(one, ast.AnnAssign) else one.targets[0] if isinstance(one, ast.Assign) else None
        )
        if isinstance(target, ast.Name) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            notes[target.id] = " ".join(str(text.value.value).split())
    return notes


def parts() -> Iterator[str]:
    """What `client.triggers` and the others can do; an `AsyncClient` has the same, awaited."""
    client = mainspring.Client("http://127.0.0.1:8484", token="none")
    for name in PARTS:
        kind = type(getattr(client, name))
        yield "\n".join([f"### `client.{name}`", "", *said(kind), *methods(kind)])


if __name__ == "__main__":
    PAGE.write_text(page())
