"""A real Kubernetes API server with its etcd, on loopback; there is no kubelet and no controller."""

import ssl
import subprocess
from pathlib import Path
from typing import Any

import httpx2

from mainspring.discovery.http import HttpBook
from tests.support.processes import eventually
from tests.support.registries import EtcdBook, ProcessBook

ADMIN = "admin-of-this-trial"


class ApiServer(ProcessBook):
    """Authorization is RBAC; one token is for an admin, others are asked of it."""

    def __init__(self, folder: Path, program: Path) -> None:
        super().__init__(folder)
        self._program = program
        (folder / "etcd").mkdir()
        self._etcd = EtcdBook(folder / "etcd")
        (folder / "tokens.csv").write_text(f"{ADMIN},admin,1,system:masters\n")
        subprocess.run(["openssl", "genrsa", "-out", folder / "sa.key", "2048"], check=True, capture_output=True)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def authority(self) -> Path:
        return self.folder / "certs" / "apiserver.crt"

    def arguments(self) -> list[str]:
        key = self.folder / "sa.key"
        return [
            *(str(self._program), f"--etcd-servers=http://127.0.0.1:{self._etcd.port}", "--authorization-mode=RBAC"),
            *(f"--service-account-key-file={key}", f"--service-account-signing-key-file={key}"),
            *("--service-account-issuer=https://kubernetes.test", "--service-cluster-ip-range=10.0.0.0/24"),
            *(f"--token-auth-file={self.folder}/tokens.csv", f"--cert-dir={self.folder}/certs"),
            *("--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", f"--secure-port={self.port}"),
        ]

    async def open(self) -> None:
        self._etcd.start()
        self.start()
        await eventually(self._ready, "the API server", within=120.0)

    def close(self) -> None:
        self.kill()
        self._etcd.kill()

    async def _ready(self) -> bool:
        try:
            return (await self.call("GET", "/readyz")).status_code == httpx2.codes.OK
        except (httpx2.HTTPError, OSError):
            return False

    async def call(self, method: str, path: str, body: Any = None, *, as_: str = ADMIN) -> httpx2.Response:
        trusted = ssl.create_default_context(cafile=str(self.authority))
        async with httpx2.AsyncClient(verify=trusted, base_url=self.url) as client:
            return await client.request(method, path, json=body, headers={"authorization": f"Bearer {as_}"})

    async def make(self, path: str, body: Any) -> dict[str, Any]:
        answer = await self.call("POST", path, body)
        answer.raise_for_status()
        return dict(answer.json())

    def book(self, token: str) -> HttpBook:
        """As an adapter in a pod has it."""
        trusted = ssl.create_default_context(cafile=str(self.authority))
        book = HttpBook([("127.0.0.1", self.port)], port=self.port, tls=trusted)
        book.fields |= {"authorization": f"Bearer {token}"}
        return book

    def kubeconfig(self) -> str:
        """For Helm, as the admin."""
        cluster = {"server": self.url, "certificate-authority": str(self.authority)}
        return str(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "trial",
                "clusters": [{"name": "trial", "cluster": cluster}],
                "users": [{"name": "admin", "user": {"token": ADMIN}}],
                "contexts": [{"name": "trial", "context": {"cluster": "trial", "user": "admin", "namespace": "fleet"}}],
            }
        ).replace("'", '"')
