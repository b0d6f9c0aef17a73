"""Servers of other projects, started for a test: a free port, a folder of its own, ended by process id."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import httpx2
import msgspec

from mainspring.errors import ConfigError
from tests.support.pgbouncer import free_port
from tests.support.processes import eventually

SCRAPED = """
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: {rules}
scrape_configs:
- job_name: mainspring
  authorization: {{credentials: {token}}}
  static_configs: [{{targets: {targets}}}]
"""
LOSSY = """
defaults
  mode http
  log stdout format raw local0
  option httplog
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend lossy
  bind 127.0.0.1:{port}
  stick-table type integer size 1 store http_req_cnt
  http-request return status 200 if {{ path /alive }}
  http-request track-sc0 int(1)
  http-request reject if {{ sc0_http_req_cnt,mod(2) eq 1 }}
  default_backend behind
backend behind
  server one 127.0.0.1:{behind}
"""
BALANCER = Path(__file__).parents[2] / "mainspring" / "deploy" / "haproxy" / "haproxy.cfg"


def find_program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ConfigError(f"{name} is missing: scripts/install_test_needs installs it")
    return found


class Service:
    """One server process on loopback."""

    def __init__(self, folder: Path, ready: str) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self, arguments: Sequence[str]) -> Self:
        self._launch(arguments)
        await eventually(self._answers, f"{self.url}{self._ready}")
        return self

    def _launch(self, arguments: Sequence[str]) -> None:
        with (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                arguments, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    async def get(self, path: str, **query: str) -> Any:
        async with httpx2.AsyncClient(base_url=self.url) as http:
            return (await http.get(path, params=query)).json()

    async def _answers(self) -> bool:
        if self._process is not None and self._process.poll() is not None:
            raise ConfigError(f"it ended:\n{(self.folder / 'log').read_text()}")
        try:
            async with httpx2.AsyncClient(base_url=self.url) as http:
                return (await http.get(self._ready)).status_code == 200
        except httpx2.TransportError:
            return False


class Prometheus(Service):
    """A Prometheus that scrapes servers every second."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "/-/ready")

    async def scrape(self, urls: Sequence[str], token: str, *, rules: Sequence[str] = ()) -> Self:
        targets = [url.removeprefix("http://") for url in urls]
        text = SCRAPED.format(token=token, targets=msgspec.json.encode(targets).decode(), rules=list(rules))
        (self.folder / "prometheus.yml").write_text(text)
        options = [f"--web.listen-address=127.0.0.1:{self.port}", "--storage.tsdb.path=data"]
        return await self.start([find_program("prometheus"), "--config.file=prometheus.yml", *options])

    async def query(self, expression: str) -> list[tuple[Mapping[str, str], float]]:
        answer = await self.get("/api/v1/query", query=expression)
        if answer["status"] != "success":
            raise ValueError(answer["error"])
        return [(each["metric"], float(each["value"][1])) for each in answer["data"]["result"]]

    async def names(self) -> set[str]:
        found = await self.get("/api/v1/label/__name__/values")
        return set(found["data"])


class Haproxy(Service):
    """A proxy that closes the connection of every second request instead of passing it on."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "/alive")

    async def drop_every_second(self, behind: int) -> Self:
        (self.folder / "haproxy.cfg").write_text(LOSSY.format(port=self.port, behind=behind))
        return await self.start([find_program("haproxy"), "-db", "-f", "haproxy.cfg"])

    @property
    def dropped(self) -> int:
        """How many requests the proxy itself refused, as it logs them."""
        return (self.folder / "log").read_text().count(" PR-- ")


class Balancer(Service):
    """HAProxy with the configuration that is shipped."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "/readyz")

    async def start_before(self, one: str, other: str) -> Self:
        places = {"PROXY_BIND": f"127.0.0.1:{self.port}", "PROXY_SERVER_1": one, "PROXY_SERVER_2": other}
        given = [f"{name}={place}" for name, place in places.items()]
        # The proxy takes the place of `env`, so that the process to end is its own.
        return await self.start([find_program("env"), *given, find_program("haproxy"), "-db", "-f", str(BALANCER)])


def promtool(*arguments: str, text: str = "") -> str:
    """Run promtool; return the output, and raise AssertionError with it if promtool complains."""
    done = subprocess.run([find_program("promtool"), *arguments], input=text.encode(), capture_output=True, check=False)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
    return said
