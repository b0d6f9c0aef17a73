"""The fleet of a trial: three servers that reach PostgreSQL in three ways, three executors, the proxies and the client."""

import sys
from collections.abc import Mapping
from pathlib import Path

from proof.chaos import jobs, limits
from proof.chaos.places import (
    BEAT,
    CLIENT,
    CLOCKED,
    DATABASE,
    DATABASES,
    DRAIN_GRACE,
    EXECUTORS,
    GRACE,
    LEASE,
    OWNER,
    POSTGRES_PORT,
    PROXIED_EXECUTOR,
    PROXIED_SERVER,
    SERVER_PORT,
    SERVERS,
)
from proof.chaos.pooler import Pooler
from proof.chaos.processes import Actor, Ground
from proof.chaos.proxy import Trouble, command
from tests.support.processes import API_TOKEN, EXECUTOR_TOKEN

POOLED_SERVER = "s2"
PROXY_PORTS = 15000
FAKETIME = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
POOLS = ("loop=0:200:200", "threads=4:32:64", "processes=2:6:6")


class Fleet:
    """Everything that is ours, by name."""

    def __init__(self, ground: Ground, pooler: Pooler, *, seed: int, rate: float) -> None:
        self._ground = ground
        self._pooler = pooler
        self.ledger = ground.folder / "executions.jsonl"
        self.down = ground.scratch / "down"
        """There while the downstream of the breaker is not."""
        self.requests = ground.folder / "operations.jsonl"
        self.servers = {name: self._server(name) for name in SERVERS}
        self.executors = {name: self._executor(name) for name in EXECUTORS}
        self.proxies = {
            PROXIED_SERVER: self._proxy(PROXIED_SERVER, dict.fromkeys(DATABASES, POSTGRES_PORT)),
            PROXIED_EXECUTOR: self._proxy(PROXIED_EXECUTOR, dict.fromkeys(SERVERS, SERVER_PORT)),
        }
        self.client = self._client(seed, rate)

    def start_proxies(self) -> None:
        for proxy in self.proxies.values():
            proxy.start()

    def database_url(self, server: str) -> str:
        """s1 knows both hosts, s2 the pooler, and s3 both hosts behind its proxy."""
        if server == POOLED_SERVER:
            return f"postgresql://{OWNER}@{self._pooler.address}/{DATABASE}?pooler=transaction"
        if server == PROXIED_SERVER:
            return self._direct([self._proxied(server, name) for name in DATABASES])
        return self._direct([f"{self._ground.network.address(name)}:{POSTGRES_PORT}" for name in DATABASES])

    def url(self, server: str) -> str:
        return f"http://{self._ground.network.address(server)}:{SERVER_PORT}"

    async def trouble(self, place: str, trouble: Trouble) -> None:
        """Set what is wrong with all connections that the proxy at that place carries."""
        for route in DATABASES if place == PROXIED_SERVER else SERVERS:
            await command(self._orders(place), route, trouble)

    def set_clock(self, place: str, offset: str) -> None:
        """As libfaketime writes it, such as `+1h`."""
        self._clock_file(place).write_text(f"{offset}\n")

    def everybody(self) -> list[Actor]:
        return [*self.servers.values(), *self.executors.values(), *self.proxies.values(), self.client]

    def _direct(self, hosts: list[str]) -> str:
        return f"postgresql://{OWNER}@{','.join(hosts)}/{DATABASE}"

    def _server(self, name: str) -> Actor:
        settings = {
            "home": self._ground.scratch / f"home-{name}",
            "database_url": self.database_url(name),
            "host": self._ground.network.address(name),
            "port": SERVER_PORT,
            "insecure": "true",
            "api_token": API_TOKEN,
            "executor_token": EXECUTOR_TOKEN,
            "scheduler_name": name,
            "scheduler_lease": LEASE,
            "scheduler_beat": BEAT,
            "scheduler_grace": GRACE,
            # There is never much to do at once here, but bundles are to be broken like all else.
            "scheduler_bundle_from": 1,
            "pool_size": 6,
        }
        if name == POOLED_SERVER:
            settings["listen_url"] = self.database_url("s1")
        env = {f"MAINSPRING_{key.upper()}": str(value) for key, value in settings.items()}
        return self._actor(name, [sys.executable, "-m", "mainspring", "server"], env)

    def _executor(self, name: str) -> Actor:
        first = EXECUTORS.index(name)
        order = [*SERVERS[first:], *SERVERS[:first]]
        urls = [
            f"http://{self._proxied(name, server)}" if name == PROXIED_EXECUTOR else self.url(server)
            for server in order
        ]
        words = ["executor", "proof.chaos.jobs:app", "--name", name]
        words += [part for url in urls for part in ("--server", url)]
        words += [part for pool in POOLS for part in ("--pool", pool)]
        env = {
            "MAINSPRING_EXECUTOR_TOKEN": EXECUTOR_TOKEN,
            "MAINSPRING_EXECUTOR_GRACE": str(DRAIN_GRACE),
            jobs.LEDGER: str(self.ledger),
            jobs.BEGAN: repr(self._ground.began),
            jobs.EXECUTOR: name,
            jobs.DATABASE: self.database_url("s1"),
            limits.DOWN: str(self.down),
        }
        return self._actor(name, [sys.executable, "-m", "mainspring", *words], env)

    def _client(self, seed: int, rate: float) -> Actor:
        words = [str(self.requests), repr(self._ground.began), str(seed), str(rate), *map(self.url, SERVERS)]
        return self._actor(CLIENT, [sys.executable, "-m", "proof.chaos.client", *words], {})

    def _proxy(self, place: str, targets: Mapping[str, int]) -> Actor:
        routes = [
            f"{name}={self._proxied(place, name)}={self._ground.network.address(name)}:{port}"
            for name, port in targets.items()
        ]
        words = [sys.executable, "-m", "proof.chaos.proxy", str(self._orders(place)), *routes]
        return Actor(self._ground, f"proxy-{place}", place, words)

    def _proxied(self, place: str, target: str) -> str:
        names = DATABASES if target in DATABASES else SERVERS
        return f"{self._ground.network.address(place)}:{PROXY_PORTS + names.index(target)}"

    def _orders(self, place: str) -> Path:
        return self._ground.scratch / f"proxy-{place}.sock"

    def _actor(self, name: str, words: list[str], env: dict[str, str]) -> Actor:
        return Actor(self._ground, name, name, words, {**env, **self._faketime(name)})

    def _faketime(self, name: str) -> dict[str, str]:
        if name not in CLOCKED or not FAKETIME:
            return {}
        self.set_clock(name, "+0")
        return {
            "LD_PRELOAD": str(FAKETIME[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._clock_file(name)),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def _clock_file(self, name: str) -> Path:
        return self._ground.scratch / f"clock-{name}"
