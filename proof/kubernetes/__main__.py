"""`python -m proof.kubernetes API_SERVER`: discovery and the chart against a real API server, 1.20.2 out of Debian 11.

There is no kubelet: pods are never started. EndpointSlices are v1beta1 there, and budgets of disruption are not v1 yet, so
the chart, which asks for 1.29, is installed without that line and with one server.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import helm_sdkpy

from mainspring.clock import SystemClock
from mainspring.discovery.address import parse_address
from mainspring.discovery.interface import RegistryAwayError
from mainspring.discovery.kubernetes import Kubernetes
from proof.chart.__main__ import CHART
from proof.chart.values import GOOD, merged
from proof.kubernetes.api_server import ApiServer
from tests.support.limits import HANG
from tests.support.processes import eventually

SLICES = "/apis/discovery.k8s.io/v1beta1/namespaces/fleet/endpointslices"
RIGHTS = "/apis/rbac.authorization.k8s.io/v1/namespaces/fleet"
SETS = ("one server", "insecure", "executors", "long grace", "ingress", "own authority")
"""Of the sets of values, those without objects of KEDA and the Prometheus operator."""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="mainspring-kubernetes-") as folder:
        return asyncio.run(play(ApiServer(Path(folder), Path(sys.argv[1]).resolve())))


async def play(server: ApiServer) -> int:
    try:
        await server.open()
        await server.make("/api/v1/namespaces", {"metadata": {"name": "fleet"}})
        await discovers(server)
        await installs(server)
    finally:
        server.close()
    print("held")
    return 0


async def discovers(server: ApiServer) -> None:
    """An account without the right is refused; with it, the list, its changes and a restart of the server are seen."""
    token = await account(server)
    book = Kubernetes(
        parse_address("kubernetes://servers.fleet:8484?every=3600s"),
        SystemClock(),
        http=server.book(token),
        version="v1beta1",
    )
    check(not await answers(book), "an account without the right is refused")
    await allow(server)
    await eventually(lambda: answers(book), "the right is known")
    check(await urls(book) == [], "no server is there")
    made = await server.make(SLICES, endpoint_slice([("10.0.0.1", True), ("10.0.0.2", False)]))
    check(await urls(book) == ["http://10.0.0.1:8484"], "only the ready one is named")
    waiting = asyncio.create_task(book.changed())
    await asyncio.sleep(0)
    made["endpoints"] = endpoint_slice([("10.0.0.1", True), ("10.0.0.2", True)])["endpoints"]
    (await server.call("PUT", f"{SLICES}/servers-1", made)).raise_for_status()
    async with asyncio.timeout(HANG):
        await waiting
    check(await urls(book) == ["http://10.0.0.1:8484", "http://10.0.0.2:8484"], "a change is told by the watch")
    server.kill()
    check(not await answers(book), "a server that is away is no empty list")
    server.start()
    await eventually(lambda: answers(book), "the API server is back", within=60.0)
    check(len(await urls(book)) == 2, "the list is the same after a restart")


async def installs(server: ApiServer) -> None:
    """Helm's own library installs, upgrades and removes the chart."""
    chart = older_chart(server.folder)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as config:
        config.write(server.kubeconfig())
        config.flush()
        helm = helm_sdkpy.Configuration(namespace="fleet", kubeconfig=config.name)
        for name in SETS:
            values = merged(GOOD[name] | {"servers": {**GOOD[name].get("servers", {}), "replicas": 1}})
            values |= {"serviceMonitor": {"enabled": False}}
            await helm_sdkpy.Install(helm).run("jobs", chart, values=values, wait=False, timeout=60)
            deployed = await names(server, "/apis/apps/v1/namespaces/fleet/deployments")
            check("jobs-servers" in deployed, f"{name}: {', '.join(deployed)} are there")
            await helm_sdkpy.Upgrade(helm).run(
                "jobs", chart, values=values | {"image": "mainspring:next"}, wait=False, timeout=60
            )
            await helm_sdkpy.Uninstall(helm).run("jobs", wait=False)
            check(not await names(server, "/api/v1/namespaces/fleet/services"), f"{name}: nothing is left")


def older_chart(folder: Path) -> str:
    """The chart for a server that is older than it asks for."""
    copy = shutil.copytree(CHART, folder / "chart")
    asked = copy / "Chart.yaml"
    lines = asked.read_text().splitlines(keepends=True)
    asked.write_text("".join(line for line in lines if not line.startswith("kubeVersion:")))
    return str(copy)


async def account(server: ApiServer) -> str:
    """The token of an account that may do nothing yet."""
    await server.make("/api/v1/namespaces/fleet/serviceaccounts", {"metadata": {"name": "executor"}})
    asked = {"spec": {"audiences": ["https://kubernetes.test"]}}
    made = await server.make("/api/v1/namespaces/fleet/serviceaccounts/executor/token", asked)
    return str(made["status"]["token"])


async def allow(server: ApiServer) -> None:
    rule = {"apiGroups": ["discovery.k8s.io"], "resources": ["endpointslices"], "verbs": ["list", "watch"]}
    await server.make(f"{RIGHTS}/roles", {"metadata": {"name": "directory"}, "rules": [rule]})
    who = {"kind": "ServiceAccount", "name": "executor", "namespace": "fleet"}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "directory"}
    await server.make(f"{RIGHTS}/rolebindings", {"metadata": {"name": "directory"}, "subjects": [who], "roleRef": role})


def endpoint_slice(endpoints: list[tuple[str, bool]]) -> dict[str, Any]:
    return {
        "metadata": {"name": "servers-1", "labels": {"kubernetes.io/service-name": "servers"}},
        "addressType": "IPv4",
        "endpoints": [{"addresses": [host], "conditions": {"ready": ready}} for host, ready in endpoints],
        "ports": [{"name": "http", "port": 8484}],
    }


async def urls(book: Kubernetes) -> list[str]:
    return [one.url for one in await book.entries()]


async def answers(book: Kubernetes) -> bool:
    try:
        await book.entries()
    except RegistryAwayError:
        return False
    return True


async def names(server: ApiServer, path: str) -> list[str]:
    found = await server.call("GET", path)
    return [one["metadata"]["name"] for one in found.json()["items"]]


def check(held: bool, what: str) -> None:  # noqa: FBT001 as an assertion reads
    print(f"{'held' if held else 'NOT HELD'}: {what}", flush=True)
    if not held:
        raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
