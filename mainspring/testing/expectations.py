"""A test's expectations of a run: some of its arguments and options."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from mainspring.contract.runs import RunInfo

SHOWN = 10


class Expectation(msgspec.Struct, frozen=True):
    arguments: Mapping[str, Any]
    having: Mapping[str, Any]
    """Fields of the run, such as queue, priority, due_at, tags, labels, key."""

    @classmethod
    def read(cls, expected: Mapping[str, Any]) -> "Expectation":
        """Split arguments, as they would be enqueued, from `having`, the expected fields of the run."""
        having = expected.get("having", {})
        unknown = [name for name in having if name not in RunInfo.__struct_fields__]
        if unknown:
            raise LookupError(f"a run has no {unknown[0]!r}; it has {', '.join(RunInfo.__struct_fields__)}")
        return cls({name: plain(value) for name, value in expected.items() if name != "having"}, having)

    def among(self, runs: Iterable[RunInfo]) -> list[RunInfo]:
        return [run for run in runs if self.fits(run)]

    def fits(self, run: RunInfo) -> bool:
        given = run.input or {}
        if any(name not in given or given[name] != value for name, value in self.arguments.items()):
            return False
        return all(same(getattr(run, name), value) for name, value in self.having.items())


def plain(value: Any) -> Any:
    """As it comes back from JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def same(found: Any, expected: Any) -> bool:
    if isinstance(found, list | tuple) and isinstance(expected, list | tuple):
        return list(found) == list(expected)
    return bool(found == expected)


def describe(runs: list[RunInfo]) -> str:
    if not runs:
        return "nothing was enqueued"
    lines = [f"  {run.job} {run.input} queue={run.queue} state={run.state}" for run in runs[:SHOWN]]
    more = [f"  and {len(runs) - SHOWN} more"] if len(runs) > SHOWN else []
    return "\n".join(["enqueued:", *lines, *more])
