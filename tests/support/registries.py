"""Address books for tests: real etcd, ZooKeeper, Consul and dnsmasq, and a stub of Kubernetes."""

import asyncio
import json
import os
import signal
import subprocess
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import httpx2
from kazoo.client import KazooClient

from mainspring.discovery.consul import fields_of
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

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        # Its other threads may still answer until the last of them has stopped.
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def put(self, name: str, raw: bytes) -> None:
        """Write these bytes where an entry would be."""
        raise NotImplementedError


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

    async def put(self, name: str, raw: bytes) -> None:
        key, value = b64encode(f"/test/fleet/server/{name}".encode()).decode(), b64encode(raw).decode()
        await self.call("kv/put", {"key": key, "value": value})

    async def call(self, verb: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
        fields = {"authorization": token} if token else {}
        async with httpx2.AsyncClient(headers=fields) as http:
            return dict((await http.post(f"http://127.0.0.1:{self.port}/v3/{verb}", json=body)).json())


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

    async def put(self, name: str, raw: bytes) -> None:
        await asyncio.to_thread(self._create, name, raw)

    def _create(self, name: str, raw: bytes) -> None:
        client = KazooClient(hosts=f"127.0.0.1:{self.port}")
        client.start()
        client.create(f"/test/fleet/{name}", raw, makepath=True)
        client.stop()
        client.close()


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


class ConsulBook(ProcessBook):
    """A real Consul, as one agent for development: it forgets everything with its end."""

    @property
    def address(self) -> str:
        return f"consul://127.0.0.1:{self.port}/fleet"

    def arguments(self) -> Sequence[str]:
        others = {name: free_port() for name in ("serf_lan", "server")}
        ports = {"http": self.port, "dns": -1, "grpc": -1, "serf_wan": -1, **others}
        (self.folder / "consul.json").write_text(json.dumps({"ports": ports}))
        return [
            *(find_program("consul"), "agent", "-dev", "-bind=127.0.0.1"),
            f"-config-file={self.folder}/consul.json",
        ]

    async def put(self, name: str, raw: bytes) -> None:
        body = {"ID": name, "Name": "fleet", "Meta": fields_of(raw.decode())}
        async with httpx2.AsyncClient() as http:
            await http.put(f"http://127.0.0.1:{self.port}/v1/agent/service/register", json=body)


class KubernetesStub:
    """Not Kubernetes, but a stub of one documented path: a list and a watch of EndpointSlices."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = "kubernetes://servers.fleet:8484?every=3600s"
        self._version = 1
        self._changed = asyncio.Event()
        self._server: asyncio.Server | None = None
        self.endpoints: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.watched = asyncio.Event()
        self.has_forgotten = False
        """Whether it answers a watch with 410: the version is too old."""

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def shut(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    def change(self, endpoints: list[dict[str, Any]]) -> None:
        self.endpoints = endpoints
        self._version += 1
        self._changed.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = (await reader.readuntil(b"\r\n\r\n")).decode().split(" ", 2)[1]
        self.asked.append(target)
        if "watch=1" not in target:
            content = {"metadata": {"resourceVersion": str(self._version)}, "items": [{"endpoints": self.endpoints}]}
            body = json.dumps(content).encode()
            writer.write(f"HTTP/1.1 200 X\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)
        else:
            writer.write(b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n" + _chunk({"type": "BOOKMARK"}))
            self.watched.set()
            if parse_qs(target)["resourceVersion"] == [str(self._version)] and not self.has_forgotten:
                await self._changed.wait()
            writer.write(
                _chunk({"type": "ERROR", "object": {"code": 410}} if self.has_forgotten else {"type": "MODIFIED"})
            )
        await writer.drain()
        writer.close()


def _chunk(event: dict[str, Any]) -> bytes:
    line = json.dumps(event).encode() + b"\n"
    return f"{len(line):x}\r\n".encode() + line + b"\r\n"
