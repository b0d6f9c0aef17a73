"""Drains while Prometheus scrapes, and while one in a hundred attempts is traced, beside drains without either."""

import sys
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

COUNT = 300_000
"""Several seconds of draining, so that scrapes come as often as they do in use."""
SCRAPE_EVERY = 5.0
SAMPLED = 0.01
WAYS = ("plain", "scraped", "traced")
TIMES = 100
"""As often as in use: so a price is seen on a machine whose noise is larger than the price."""
PRICED = 60_000


def drains(system: Drainable, options: Options) -> list[Measurement]:
    """Every five seconds, and of one run in a hundred."""
    rates, costs = alternate(system, options, options.scaled(COUNT), times=1)
    details = {**system.details, "count": options.scaled(COUNT), "rates": rates, "costs": costs}
    cheaper = {way: [1 / cost for cost in found] for way, found in costs.items()}
    return [
        Measurement("seen", system.name, f"drain {way} / plain, {name}", share(found, way), "%", details)
        for way in WAYS[1:]
        for name, found in (("rate", rates), ("runs per processor second", cheaper))
    ]


def prices(system: Drainable, options: Options) -> list[Measurement]:
    """A hundred times as often, and of every run; the share is that which a hundredth of the price leaves."""
    rates, costs = alternate(system, options, options.scaled(PRICED), times=TIMES)
    details = {**system.details, "count": options.scaled(PRICED), "times": TIMES, "rates": rates, "costs": costs}
    plain = median(costs["plain"])
    prices = {way: (median(costs[way]) - plain) / TIMES for way in WAYS[1:]}
    return [
        Measurement(
            "seen", system.name, f"drain {way} / plain, by its price", plain / (plain + price) * 100, "%", details
        )
        for way, price in prices.items()
    ]


def alternate(
    system: Drainable, options: Options, count: int, *, times: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Rates, and milliseconds of processor time per 1,000 runs; each round in another order, for the sake of fairness."""
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    costs: dict[str, list[float]] = {way: [] for way in WAYS}
    for turn in range(options.rounds):
        for way in (*WAYS[turn % len(WAYS) :], *WAYS[: turn % len(WAYS)]):
            rate, cost = drain_once(system, way, count, times)
            print(f"  {way}: {rate:,.0f}/s, {cost:.2f} ms of processor time per 1,000", file=sys.stderr, flush=True)
            rates[way].append(rate)
            costs[way].append(cost)
    return rates, costs


def share(found: dict[str, list[float]], way: str) -> float:
    """The median of the rounds' shares, in percent."""
    return median(other / plain for plain, other in zip(found["plain"], found[way], strict=True)) * 100


def drain_once(system: Drainable, way: str, count: int, times: int) -> tuple[float, float]:
    place, servers = system.here, system.servers
    assert servers is not None
    place.ask("fill", NOOP, str(count), "0")
    servers.settle()
    with surroundings(way, place, times) as more, place.store.read() as reader:
        place.environment.update(more)
        executor = place.start_executor(system.app, "--pool", system.pool)
        for name in more:
            del place.environment[name]
        meter = ProcessorMeter(executor.probe, [*place.processes(), *servers.processes()])
        seconds = wait_until_drained(place, executor, reader, question=any_live(place.store), count=count)
        cost = meter.per_thousand(count)
    place.stop_executor(executor)
    return count / seconds, cost


def surroundings(way: str, place: Installation, times: int) -> AbstractContextManager[dict[str, str]]:
    """What goes on beside a drain, and the variables of its executor."""
    if way == "plain":
        return nullcontext({})
    return scraping(place, SCRAPE_EVERY / times) if way == "scraped" else collecting(SAMPLED * times)


@contextmanager
def scraping(place: Installation, every: float) -> Iterator[dict[str, str]]:
    """Scrape as Prometheus does, at once and then every so many seconds."""
    over = threading.Event()
    known = {"Authorization": f"Bearer {place.environment['MAINSPRING_TOKEN']}"}
    asked = Request(f"{place.environment['MAINSPRING_URL']}/metrics", headers=known)

    def scrape() -> None:
        while not over.is_set():
            with urlopen(asked, timeout=10) as answer:
                answer.read()
            over.wait(every)

    thread = threading.Thread(target=scrape, daemon=True)
    thread.start()
    try:
        yield {}
    finally:
        over.set()
        thread.join()


@contextmanager
def collecting(share: float) -> Iterator[dict[str, str]]:
    """A receiver that takes spans and forgets them; the variables that lead an executor to it, with this share sampled."""

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
        yield {
            "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
            "OTEL_TRACES_SAMPLER": "traceidratio",
            "OTEL_TRACES_SAMPLER_ARG": str(share),
        }
    finally:
        server.shutdown()
        server.server_close()
