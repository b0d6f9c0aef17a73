"""A downstream that fails at a known instant: how soon calls stop, what is spent meanwhile, and how the parked come back."""

import json
import time
from pathlib import Path
from urllib.request import Request, urlopen

from bench.dispatch.clusters import servers_of, wait_for_all, wait_until
from bench.mainspring.names import GUARDED
from bench.measurement import Measurement
from bench.options import Options
from bench.starts import Start, read_starts
from bench.systems.mainspring_drain import Drainable
from bench.systems.mainspring_installation import Installation

APP = "bench.mainspring.guarded:app"
PARKED = 100_000
POOL = "loop=0:60:0"
"""Of each executor: with calls of 20 ms, 3,000 a second."""
WARM, DOWN_FOR = 3.0, 3.0
WAIT = 5.0
PATIENCE = 240.0
RULE = {"window_calls": 100, "min_calls": 20, "wait": WAIT, "probes": 5}
"""By the newest calls: a window of time would first have to forget the good ones before the downstream failed."""


def broken(system: Drainable, options: Options) -> list[Measurement]:
    place = system.here
    down = Path(place.files) / "down"
    place.environment["BENCH_DOWN"] = str(down)
    place.put("breakers/downstream", RULE)
    place.register(APP)
    count = options.scaled(PARKED)
    place.ask("fill", GUARDED, str(count + int(WARM * 6000)), "0")
    with servers_of(place) as urls:
        executors = [place.start_executor(APP, "--server", url, "--pool", POOL, mode="stamps") for url in urls]
        wait_for_all(place, executors)
        time.sleep(WARM)
        failed_at = break_for_a_while(down)
        with place.store.read() as reader:
            left = f"SELECT count(*) FROM {place.store.live}"
            parked = reader.value(left)
            began = time.monotonic()
            wait_until(place, lambda: not reader.value(left), "parked runs do not drain", PATIENCE)
        seconds = time.monotonic() - began
        starts = [one for executor in executors for one in read_starts(executor.probe)]
    return as_measurements(system, starts, failed_at, {"parked": parked, "drained_in": seconds, **history_of(place)})


def break_for_a_while(down: Path) -> float:
    failed_at = time.monotonic()
    down.touch()
    time.sleep(DOWN_FOR)
    down.unlink()
    return failed_at


def history_of(place: Installation) -> dict[str, object]:
    """How often the breaker opened."""
    headers = {"Authorization": f"Bearer {place.environment['MAINSPRING_TOKEN']}"}
    url = f"{place.environment['MAINSPRING_URL']}/api/v1/breakers/downstream/history"
    with urlopen(Request(url, headers=headers)) as answer:
        changes = json.load(answer)["changes"]
    return {"opened": sum(change["state"] == "open" for change in changes)}


def as_measurements(
    system: Drainable, starts: list[Start], failed_at: float, more: dict[str, object]
) -> list[Measurement]:
    failing = [one.at - failed_at for one in starts if one.payload]
    opened = more["opened"]
    assert isinstance(opened, int)
    # Behind the last call that failed and before the wait of the breaker can have ended.
    silent = [one for one in starts if failed_at + max(failing) < one.at < failed_at + max(failing) + WAIT * 0.9 - 1.0]
    details = {**system.details, **more, "count": len(starts), "failed": len(failing)}
    return [
        Measurement("dispatch", system.name, "calls stop after", max(failing), "s", details),
        Measurement("dispatch", system.name, "attempts while open", len(silent), "runs", details),
        Measurement("dispatch", system.name, "second trips", opened - 1, "times", details),
    ]
