"""What each run of a bench brings and what its handler does; the twin of workload.mjs.

The harness hands it to every process as JSON in BENCH_WORKLOAD.
"""

import base64
import json
import os
import time
from dataclasses import asdict, dataclass

PERCENT = 100


class DeliberateError(Exception):
    """Raised by the share of handlers that is to fail."""


@dataclass(frozen=True, slots=True)
class Workload:
    """The default does nothing."""

    name: str = "noop"
    count: int = 0
    """Runs of one drain; 0: the number that each system has for no-ops."""
    body: int = 0
    """Bytes of each input beside its number, such that nothing can compress them."""
    busy: float = 0.0
    """Seconds of processor time of each handler."""
    wait: float = 0.0
    """Seconds that each handler awaits."""
    lanes: int = 0
    """Queues, and priorities, among which runs are spread evenly."""
    failing: int = 0
    """Percent of the runs whose handler raises; nothing is retried."""

    @property
    def is_noop(self) -> bool:
        return self == NO_OP

    def lane_of(self, number: float) -> int:
        return int(number) % self.lanes if self.lanes else 0

    def priority_of(self, number: float) -> int:
        return int(number) // self.lanes % self.lanes if self.lanes else 0

    def fails(self, number: float) -> bool:
        return int(number) % PERCENT < self.failing

    def successes(self, count: int) -> int:
        return count - sum(self.fails(number) for number in range(count))

    def text(self) -> str:
        return base64.b64encode(os.urandom(self.body * 3 // 4)).decode()

    def input(self, number: float) -> dict[str, object]:
        return {"payload": number, "body": self.text()} if self.body else {"payload": number}

    def compute(self) -> None:
        """Use the processor for `busy` seconds; time in which the thread does not run is not counted."""
        until = time.thread_time() + self.busy
        while time.thread_time() < until:
            pass

    def finish(self, number: float) -> None:
        """The part of a handler that does not wait."""
        if self.busy:
            self.compute()
        if self.fails(number):
            raise DeliberateError(f"run {number} was to fail")

    def encode(self) -> str:
        return json.dumps(asdict(self))


NO_OP = Workload()


def workload_from_environment() -> Workload:
    given = os.environ.get("BENCH_WORKLOAD")
    return Workload(**json.loads(given)) if given else NO_OP
