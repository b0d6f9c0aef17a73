"""Not Kubernetes, but a stub of its API server: it tells which kinds there are, and takes whatever is created."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

GROUPS: dict[str, list[tuple[str, str]]] = {
    "v1": [("services", "Service"), ("secrets", "Secret"), ("namespaces", "Namespace")],
    "apps/v1": [("deployments", "Deployment")],
    "policy/v1": [("poddisruptionbudgets", "PodDisruptionBudget")],
    "networking.k8s.io/v1": [("ingresses", "Ingress"), ("networkpolicies", "NetworkPolicy")],
    "keda.sh/v1alpha1": [
        ("scaledobjects", "ScaledObject"),
        ("scaledjobs", "ScaledJob"),
        ("triggerauthentications", "TriggerAuthentication"),
    ],
    "monitoring.coreos.com/v1": [("servicemonitors", "ServiceMonitor"), ("prometheusrules", "PrometheusRule")],
}
"""By API version, the kinds that the chart uses or that Helm keeps its releases in."""
RELEASE: dict[str, Any] = {"kind": "Secret", "apiVersion": "v1", "metadata": {"name": "release", "namespace": "jobs"}}


class ApiStub:
    """Answers on loopback, and remembers what was created."""

    def __init__(self) -> None:
        self.created: list[dict[str, Any]] = []
        stub = self

        class Answering(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._say(*stub.found(urlsplit(self.path).path))

            def do_POST(self) -> None:
                made = self._body()
                if made is not RELEASE:
                    stub.created.append(made)
                self._say(201, made)

            def do_PUT(self) -> None:
                self._say(200, self._body())

            def log_message(self, *_: object) -> None:
                """Nothing is logged."""

            def _body(self) -> dict[str, Any]:
                sent = self.rfile.read(int(self.headers["content-length"]))
                # Helm keeps its releases in secrets, which its client sends in another format.
                is_json = "json" in self.headers.get("content-type", "")
                return json.loads(sent) if is_json else RELEASE

            def _say(self, status: int, content: Any) -> None:
                body = json.dumps(content).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def kubeconfig(self) -> str:
        """The text of a file that leads Helm here."""
        at = {"cluster": "stub", "user": "stub"}
        return json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "clusters": [{"name": "stub", "cluster": {"server": f"http://127.0.0.1:{self._server.server_port}"}}],
                "users": [{"name": "stub", "user": {}}],
                "contexts": [{"name": "stub", "context": at}],
                "current-context": "stub",
            }
        )

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def found(self, path: str) -> tuple[int, Any]:
        if path == "/version":
            return 200, {"major": "1", "minor": "33", "gitVersion": "v1.33.0"}
        if path == "/api":
            return 200, {"kind": "APIVersions", "versions": ["v1"]}
        if path == "/apis":
            return 200, {
                "kind": "APIGroupList",
                "apiVersion": "v1",
                "groups": [_group(name) for name in GROUPS if "/" in name],
            }
        version = path.removeprefix("/apis/").removeprefix("/api/")
        if version in GROUPS:
            return 200, _resources(version)
        if path.endswith("/secrets"):
            return 200, {"kind": "SecretList", "apiVersion": "v1", "items": []}
        status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}
        return 404, status | {"message": f"{path} not found"}


def _group(version: str) -> dict[str, Any]:
    name, _, short = version.partition("/")
    one = {"groupVersion": version, "version": short}
    return {"name": name, "versions": [one], "preferredVersion": one}


def _resources(version: str) -> dict[str, Any]:
    verbs = ["create", "delete", "get", "list", "patch", "update", "watch"]
    kinds = [
        {"name": plural, "singularName": kind.lower(), "namespaced": kind != "Namespace", "kind": kind, "verbs": verbs}
        for plural, kind in GROUPS[version]
    ]
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": kinds}
