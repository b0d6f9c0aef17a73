"""Drains while Prometheus scrapes, and while one in a hundred attempts is traced, beside drains without either."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from urllib.request import Request, urlopen

from bench.mainspring.names import NOOP
from bench.measurement import Measurement
from bench.options import Options
from bench.systems.mainspring_drain import Drainable, wait_until_drained
from bench.systems.mainspring_installation import Installation
from bench.systems.mainspring_store import any_live
from bench.usage import ProcessorMeter

COUNT = 60_000
SCRAPE_EVERY = 5.0
SAMPLED = {"OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.01"}
WAYS = ("plain", "scraped", "traced")


def drains(system: Drainable, options: Options) -> list[Measurement]:
    """Alternating, so that each way meets the same load of the machine; the share is that of processor time per run."""
    costs: dict[str, list[float]] = {way: [] for way in WAYS}
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(options.rounds):
        for way in WAYS:
            rate, cost = drain_once(system, way, options.scaled(COUNT))
            rates[way].append(rate)
            costs[way].append(cost)
    details = {**system.details, "count": options.scaled(COUNT), "rates": rates, "costs": costs}
    return [
        Measurement("seen", system.name, f"drain {way} / plain", share(costs, way), "%", details) for way in WAYS[1:]
    ]


def share(costs: dict[str, list[float]], way: str) -> float:
    return median(plain / other for plain, other in zip(costs["plain"], costs[way], strict=True)) * 100


def drain_once(system: Drainable, way: str, count: int) -> tuple[float, float]:
    place, servers = system.here, system.servers
    assert servers is not None
    place.ask("fill", NOOP, str(count), "0")
    servers.settle()
    with surroundings(way, place) as more, place.store.read() as reader:
        place.environment.update(more)
        executor = place.start_executor(system.app, "--pool", system.pool)
        for name in more:
            del place.environment[name]
        meter = ProcessorMeter(executor.probe, [*place.processes(), *servers.processes()])
        seconds = wait_until_drained(place, executor, reader, question=any_live(place.store), count=count)
        cost = meter.per_thousand(count)
    place.stop_executor(executor)
    return count / seconds, cost


def surroundings(way: str, place: Installation) -> AbstractContextManager[dict[str, str]]:
    """What goes on beside a drain, and the variables of its executor."""
    if way == "plain":
        return nullcontext({})
    return scraping(place) if way == "scraped" else collecting()


@contextmanager
def scraping(place: Installation) -> Iterator[dict[str, str]]:
    """Scrape as Prometheus does, at once and then every five seconds."""
    over = threading.Event()
    known = {"Authorization": f"Bearer {place.environment['MAINSPRING_TOKEN']}"}
    asked = Request(f"{place.environment['MAINSPRING_URL']}/metrics", headers=known)

    def scrape() -> None:
        while not over.is_set():
            with urlopen(asked, timeout=10) as answer:
                answer.read()
            over.wait(SCRAPE_EVERY)

    thread = threading.Thread(target=scrape, daemon=True)
    thread.start()
    try:
        yield {}
    finally:
        over.set()
        thread.join()


@contextmanager
def collecting() -> Iterator[dict[str, str]]:
    """A receiver that takes spans and forgets them; the variables that lead an executor to it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}", **SAMPLED}
    finally:
        server.shutdown()
        server.server_close()
