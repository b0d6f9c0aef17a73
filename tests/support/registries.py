"""Address books for tests: real etcd and ZooKeeper, and stubs of those that cannot be had as packages."""

import asyncio
import json
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from mainspring.clock import SystemClock
from mainspring.errors import ConfigError
from tests.support.pgbouncer import free_port
from tests.support.services import find_program

JARS = Path("/usr/share/java")


class ProcessBook:
    """One real server process on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.peer = folder, free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        raise NotImplementedError

    def arguments(self) -> Sequence[str]:
        raise NotImplementedError

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.arguments(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


class EtcdBook(ProcessBook):
    """A real etcd."""

    @property
    def address(self) -> str:
        return f"etcd://127.0.0.1:{self.port}/test/fleet"

    def arguments(self) -> Sequence[str]:
        url, peer = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.peer}"
        return [
            *(find_program("etcd"), "--data-dir", str(self.folder / "data"), "--unsafe-no-fsync"),
            *("--listen-client-urls", url, "--advertise-client-urls", url, "--listen-peer-urls", peer),
            *("--initial-advertise-peer-urls", peer, "--initial-cluster", f"default={peer}"),
        ]


class ZooKeeperBook(ProcessBook):
    """A real ZooKeeper."""

    @property
    def address(self) -> str:
        return f"zookeeper://127.0.0.1:{self.port}/test/fleet"

    def arguments(self) -> Sequence[str]:
        if not (JARS / "zookeeper.jar").exists():
            raise ConfigError("zookeeper is missing: scripts/install_test_needs installs it")
        settings = {"dataDir": self.folder / "data", "clientPort": self.port, "tickTime": 200}
        more = {"admin.enableServer": "false", "clientPortAddress": "127.0.0.1", "maxSessionTimeout": 40_000}
        lines = (f"{name}={value}\n" for name, value in {**settings, **more}.items())
        (self.folder / "zoo.cfg").write_text("".join(lines))
        java, main = find_program("java"), "org.apache.zookeeper.server.quorum.QuorumPeerMain"
        return [java, "-Xmx64m", "-cp", str(JARS / "zookeeper.jar"), main, "zoo.cfg"]


class DnsServer(ProcessBook):
    """A real dnsmasq that knows one service with two servers, and asks no other."""

    @property
    def address(self) -> str:
        return "dns+srv://_mainspring._tcp.fleet.test"

    def arguments(self) -> Sequence[str]:
        records = [
            "_mainspring._tcp.fleet.test,s1.fleet.test,8484,10,60",
            "_mainspring._tcp.fleet.test,s2.fleet.test,8485,20,0",
        ]
        return [
            *(find_program("dnsmasq"), "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts"),
            *("--listen-address=127.0.0.1", "--bind-interfaces", f"--port={self.port}", "--user=", "--pid-file="),
            *(f"--srv-host={record}" for record in records),
        ]


class ConsulStub:
    """Not Consul, but a stub of its agent's documented HTTP API: no package of Consul was to be had here."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"consul://127.0.0.1:{self.port}/fleet"
        self._clock = SystemClock()
        self._services: dict[str, tuple[dict[str, Any], float]] = {}
        """By id, the registration and when its check lapses."""
        self.index = 1
        """Counts changes: a question with the newest one stays open until there is another."""
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def shut(self) -> None:
        """As a restart of a development agent: all services are forgotten."""
        self._services.clear()
        self._note_change()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.split(" ", 2)
        size = next((int(line[15:]) for line in head.splitlines() if line.lower().startswith("content-length:")), 0)
        sent = await reader.readexactly(size)
        if f"index={self.index}&" in target:
            await self._changed.wait()
        status, content = self._answer(method, target, sent)
        body = json.dumps(content).encode() if content is not None else b""
        fields = f"content-length: {len(body)}\r\nx-consul-index: {self.index}\r\nconnection: close"
        writer.write(f"HTTP/1.1 {status} X\r\n{fields}\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    def _note_change(self) -> None:
        self.index += 1
        self._changed.set()
        self._changed = asyncio.Event()

    def _answer(self, method: str, target: str, body: bytes) -> tuple[int, Any]:
        path, now = unquote(urlsplit(target).path), self._clock.monotonic()
        assert "wait" not in parse_qs(target) or method == "GET"
        if path == "/v1/agent/service/register":
            made = json.loads(body)
            self._services[made["ID"]] = made, now
            self._note_change()
            return 200, None
        name = path.rpartition("/")[2]
        if path.startswith("/v1/agent/check/pass/"):
            id_ = name.removeprefix("service:")
            if id_ not in self._services:
                return 404, None
            made = self._services[id_][0]
            self._services[id_] = made, now + float(made["Check"]["TTL"].removesuffix("s"))
            return 200, None
        if path.startswith("/v1/agent/service/deregister/"):
            self._services.pop(name, None)
            self._note_change()
            return 200, None
        found = [made for made, until in self._services.values() if until > now and made["Name"] == name]
        return 200, [{"Service": made} for made in found]


class KubernetesStub(ConsulStub):
    """Not Kubernetes, but a stub of one documented path: a list and a watch of EndpointSlices."""

    def __init__(self) -> None:
        super().__init__()
        self.address = "kubernetes://servers.fleet:8484?every=3600s"
        self.endpoints: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.watched = asyncio.Event()

    def change(self, endpoints: list[dict[str, Any]]) -> None:
        self.endpoints = endpoints
        self._note_change()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = (await reader.readuntil(b"\r\n\r\n")).decode().split(" ", 2)[1]
        self.asked.append(target)
        if "watch=1" not in target:
            content = {"metadata": {"resourceVersion": str(self.index)}, "items": [{"endpoints": self.endpoints}]}
            body = json.dumps(content).encode()
            writer.write(f"HTTP/1.1 200 X\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        else:
            writer.write(b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n" + _chunk({"type": "BOOKMARK"}))
            self.watched.set()
            if parse_qs(target)["resourceVersion"] == [str(self.index)]:
                await self._changed.wait()
            writer.write(_chunk({"type": "MODIFIED", "object": {}}))
        await writer.drain()
        writer.close()


def _chunk(event: dict[str, Any]) -> bytes:
    line = json.dumps(event).encode() + b"\n"
    return f"{len(line):x}\r\n".encode() + line + b"\r\n"
