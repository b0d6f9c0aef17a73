"""How soon a webhook is called once a job failed for good, and how many messages a storm of failures makes."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.mainspring.names import failing_name
from bench.measurement import Measurement
from bench.options import Options
from bench.stats import percentile
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Executor, Installation

APP = "bench.mainspring.failing:app"
JOBS, PAUSE = 40, 2.5
STORM_JOBS, STORM_RUNS, STORM_SECONDS = 500, 100, 60.0
CHANNELS = ("first", "second")
PATIENCE = 60.0
LOOPBACK = "127.0.0.0/8"
SEVERITY = "page"


class Inbox:
    """The messages that channels have sent: when, by which one, and their bodies."""

    def __init__(self, url: str = "") -> None:
        self.url = url
        self.got: list[tuple[float, str, dict[str, Any]]] = []

    def first(self) -> dict[str, float]:
        """By subject, when a message first named it."""
        found: dict[str, float] = {}
        for at, _, body in self.got:
            for alert in body["alerts"]:
                found.setdefault(alert["subject"], at)
        return found

    def told_by(self, channel: str) -> set[str]:
        """The subjects that a channel was told of."""
        return {alert["subject"] for _, by, body in self.got if by == channel for alert in body["alerts"]}

    def messages(self, channel: str) -> int:
        return sum(by == channel for _, by, _ in self.got)


def told(system: Drainable, options: Options) -> list[Measurement]:
    jobs = 4 if options.quick else JOBS
    with receiving() as inbox:
        executor = prepare(system.here, jobs, inbox.url, CHANNELS[:1])
        asked = json.loads(system.here.output("misfortune", str(jobs), "1", str(jobs * PAUSE)))
        wait(lambda: len(inbox.first()) >= jobs)
        system.here.stop_executor(executor)
    first = inbox.first()
    seconds = sorted(first[f"job {job}"] - at for job, at in asked.items() if f"job {job}" in first)
    details = {**system.details, "jobs": jobs, "told": len(seconds), "seconds": seconds}
    return [
        Measurement("seen", system.name, "failed for good to webhook, p95", percentile(seconds, 0.95), "s", details),
        Measurement("seen", system.name, "failed for good to webhook, longest", seconds[-1], "s", details),
        Measurement("seen", system.name, "failed for good, not told", jobs - len(seconds), "", details),
    ]


def storm(system: Drainable, options: Options) -> list[Measurement]:
    jobs, runs = (20, 10) if options.quick else (STORM_JOBS, STORM_RUNS)
    seconds = 6.0 if options.quick else STORM_SECONDS
    with receiving() as inbox:
        executor = prepare(system.here, jobs, inbox.url, CHANNELS)
        system.here.output("misfortune", str(jobs), str(runs), str(seconds))
        wait(lambda: all(len(inbox.told_by(name)) >= jobs for name in CHANNELS))
        # As long again, for messages that tell nothing new.
        time.sleep(seconds)
        system.here.stop_executor(executor)
    most = max(inbox.messages(name) for name in CHANNELS)
    missing = sum(jobs - len(inbox.told_by(name)) for name in CHANNELS)
    kinds = [(by, body["kind"], len(body["alerts"])) for _, by, body in inbox.got]
    details = {**system.details, "jobs": jobs, "failures": jobs * runs, "seconds": seconds, "messages": kinds}
    return [
        Measurement("seen", system.name, "storm of 50,000 failures, messages of a channel", most, "", details),
        Measurement("seen", system.name, "storm of 50,000 failures, jobs not told", missing, "", details),
    ]


def prepare(here: Installation, jobs: int, url: str, channels: tuple[str, ...]) -> Executor:
    """A server whose channels may reach this machine, an executor, and a rule for each job: no grouping helps."""
    here.stop_server()
    here.environment["MAINSPRING_SCHEDULER_ALERT_NETWORKS"] = LOOPBACK
    here.start_server()
    executor = here.start_executor(APP)
    here.wait(lambda: here.attached() == 1, "the executor did not connect")
    for name in channels:
        here.put(f"channels/{name}", {"kind": "webhook", "url": f"{url}/{name}"})
    for number in range(jobs):
        job = failing_name(number)
        rule = {"kind": "run_failed", "job": job, "notify": list(channels), "severity": SEVERITY}
        here.put(f"alert-rules/{job}", rule)
    return executor


@contextmanager
def receiving() -> Iterator[Inbox]:
    """A server on this machine that takes messages of channels; the path names the channel."""
    box = Inbox()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            box.got.append((time.time(), self.path.strip("/"), body))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        box.url = f"http://127.0.0.1:{server.server_port}"
        yield box
    finally:
        server.shutdown()
        server.server_close()


def wait(ready: Callable[[], bool]) -> None:
    """Until that is so, or long enough."""
    deadline = time.monotonic() + PATIENCE
    while not ready() and time.monotonic() < deadline:
        time.sleep(0.1)
