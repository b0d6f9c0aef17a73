"""The systems that are measured, and what each must be able to do."""

from dataclasses import dataclass
from typing import Literal, Protocol

from bench.measurement import Measurement
from bench.options import Options
from bench.peers.workload import Workload
from bench.servers import Servers

Way = Literal["single", "bulk", "http50", "together"]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many runs make each measurement of a system take a few seconds."""

    single: int
    bulk: int
    drain: int
    http50: int = 0
    together: int = 0

    def of(self, way: Way) -> int:
        return {"single": self.single, "bulk": self.bulk, "http50": self.http50, "together": self.together}[way]


@dataclass(frozen=True, slots=True)
class DrainTime:
    """What one drain took: seconds, and milliseconds of processor time of all processes per 1,000 runs."""

    seconds: float
    processor: float


@dataclass(frozen=True, slots=True)
class Burst:
    """What came of many runs due at one instant; times in seconds after it."""

    first_start: float
    last_start: float
    early: int
    lost: int
    twice: int


@dataclass(frozen=True, slots=True)
class ProcessUse:
    """What one idle part of a system (with its child processes) uses."""

    role: str
    processes: int
    rss_mb: float
    pss_mb: float
    cpu_percent: float


class System(Protocol):
    """One system in one configuration.

    The harness calls `open`, then one measuring method (for a drain: `enqueue("bulk", n)`, then `drain(n)`), then
    `close`; again for each measurement. Handlers do what `workload` says, which is set before `open`. Whatever fails
    raises an exception with a clear message.
    """

    workload: Workload

    @property
    def name(self) -> str: ...

    @property
    def benches(self) -> frozenset[str]:
        """The names of the benches it takes part in."""

    @property
    def sizes(self) -> Sizes: ...

    @property
    def details(self) -> dict[str, object]:
        """What stands beside each of its figures: `store`, `durable`, `processes`, `configuration`."""

    def install(self) -> None:
        """Fetch what the system needs; called once, before any measurement."""

    def open(self, servers: Servers) -> None:
        """Make an empty store ready for enqueueing; no executor runs yet."""

    def close(self) -> None:
        """Stop every process that was started since `open`; harmless when there is none."""

    def ways(self) -> tuple[Way, ...]:
        """The ways of enqueueing it offers."""

    def enqueue(self, way: Way, count: int) -> float:
        """Enqueue `count` runs without an executor; return the seconds it took, connecting excluded."""

    def drain(self, count: int) -> DrainTime:
        """Start the executor on `count` enqueued runs; measure from the first start to the store's all done."""

    def latency(self, count: int, per_second: float) -> list[float]:
        """Enqueue at an even pace beside a running executor; return milliseconds from enqueue call to handler start."""

    def burst(self, count: int, ahead: float) -> Burst:
        """Enqueue `count` runs due at one instant `ahead` seconds from now, beside a running executor."""

    def idle(self, seconds: float) -> list[ProcessUse]:
        """Run the executor with nothing to do; return what each part uses."""

    def special(self, bench: str, options: Options) -> list[Measurement]:
        """Measure a bench that only this system has, such as `parked`, `concurrent` or `profile`."""
