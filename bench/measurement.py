"""One measured figure."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Measurement:
    """One figure of one system; a failed one has no value and says why."""

    bench: str
    system: str
    metric: str
    value: float | None
    unit: str
    details: dict[str, object] = field(default_factory=dict)
    failure: str | None = None
