"""The parts of the triggers' bench, one after the other: one that fails must not take the figures of the others with it."""

from collections.abc import Callable, Mapping, Sequence

from bench.attempt import attempt
from bench.measurement import Measurement

Part = Callable[[], list[Measurement]]


def measure_parts(
    system: str, details: dict[str, object], parts: Mapping[str, Part], wanted: Sequence[str]
) -> list[Measurement]:
    """The figures of those parts that are wanted and that the system has."""
    found: list[Measurement] = []
    for name in wanted:
        if name in parts:
            outcome = attempt(parts[name])
            found += [failed(system, name, details, outcome)] if isinstance(outcome, Exception) else outcome
    return found


def failed(system: str, part: str, details: dict[str, object], error: Exception) -> Measurement:
    return Measurement("triggers", system, part, None, "", details, f"{type(error).__name__}: {error}")
