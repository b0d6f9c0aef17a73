"""Notes when handlers start, cheaply, and tells the harness through files.

Each process keeps its starts in memory; a thread writes them out every few milliseconds. In `count` mode the file
holds the number of starts and the first start's instant; in `stamps` mode a second file has one line per start.
"""

import os
import threading
import time
from pathlib import Path

TICK = 0.02


class Probe:
    """The starts of one process."""

    def __init__(self, directory: Path, *, stamps: bool) -> None:
        self.directory = directory
        self.stamps = stamps
        self.starts: list[float] = []
        self.payloads: list[float] = []
        self.lock = threading.Lock()
        self.writing = False

    def start(self, payload: float) -> None:
        """Note that the handler of `payload` starts now."""
        if self.stamps:
            with self.lock:
                self.payloads.append(payload)
                self.starts.append(time.monotonic())
        else:
            self.starts.append(time.monotonic())
        if not self.writing:
            self.begin()

    def begin(self) -> None:
        with self.lock:
            if self.writing:
                return
            self.writing = True
        threading.Thread(target=self.write_for_ever, daemon=True).start()

    def write_for_ever(self) -> None:
        count_file = self.directory / f"{os.getpid()}.count"
        stamps_file = self.directory / f"{os.getpid()}.stamps"
        written = 0
        while True:
            count = len(self.starts)
            if count > written:
                if self.stamps:
                    self.append(stamps_file, written, count)
                replace(count_file, f"{count} {self.starts[0]!r}\n")
                written = count
            time.sleep(TICK)

    def append(self, file: Path, begin: int, end: int) -> None:
        pairs = zip(self.payloads[begin:end], self.starts[begin:end], strict=True)
        with file.open("a") as out:
            out.writelines(f"{payload!r} {start!r}\n" for payload, start in pairs)


def replace(file: Path, text: str) -> None:
    """Change the file's content in one step, so that a reader never sees half of it."""
    draft = file.with_suffix(".draft")
    draft.write_text(text)
    draft.rename(file)


def probe_from_environment() -> Probe:
    directory = Path(os.environ["BENCH_PROBE"])
    return Probe(directory, stamps=os.environ["BENCH_PROBE_MODE"] == "stamps")
