"""Sets of values: those that have to render, and those that have to be refused with their reason."""

import re
from pathlib import Path
from typing import Any

import yaml

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "install-helm.md"


def shown_in_guide() -> dict[str, Any]:
    """The values file that the guide on Kubernetes shows."""
    found = re.search(r'title="values.yaml"\n(.*?)```', GUIDE.read_text(), re.DOTALL)
    assert found, f"{GUIDE} shows no values.yaml"
    return dict(yaml.safe_load(found[1]))


NEEDED: dict[str, Any] = {
    "database": {"existingSecret": "db", "key": "url"},
    "secrets": {"existingSecret": "tokens"},
    "tls": {"existingSecret": "cert"},
}
MAIL: dict[str, Any] = {"image": "shop/jobs:42", "app": "shop.jobs:app", "queues": ["mail"]}
SCALED: dict[str, Any] = {"by": "keda", "min": 0, "max": 40, "slots": 8, "within": "60s"}

FROM_NODE: dict[str, Any] = {"fromPodLabel": "topology.kubernetes.io/zone"}

GOOD: dict[str, dict[str, Any]] = {
    "least": {},
    "one server": {"servers": {"replicas": 1}},
    "insecure": {"tls": {"existingSecret": ""}, "insecure": True},
    "zone and delay": {"servers": {"replicas": 3, "zone": "eu-1a", "drainDelay": "10s"}},
    "zone of the node": {"servers": {"zone": FROM_NODE}, "executors": {"mail": MAIL | {"zone": FROM_NODE}}},
    "environment": {"servers": {"env": {"MAINSPRING_SCHEDULER_REQUIRE_DURABILITY": "sync"}}},
    "executors": {"executors": {"mail": MAIL | {"replicas": 2, "grace": "120s", "pools": "threads=4:32:64"}}},
    "long grace": {"executors": {"mail": MAIL | {"grace": "10m", "namespace": "acme", "zone": "eu-1a"}}},
    "keda": {"executors": {"burst": MAIL | {"scale": SCALED}}},
    "several groups": {"executors": {"mail": MAIL, "burst": MAIL | {"queues": ["a", "b"], "scale": SCALED}}},
    "ingress": {"ingress": {"enabled": True, "host": "jobs.example.com", "className": "nginx", "tlsSecret": "edge"}},
    "no policy": {"networkPolicy": {"enabled": False}},
    "keda jobs": {"executors": {"long": MAIL | {"scale": SCALED | {"by": "keda-job", "runs": 1, "idle": "30s"}}}},
    "own authority": {
        "tls": {"caSecret": "authority"},
        "executors": {"mail": MAIL},
        "serviceMonitor": {"enabled": True},
    },
    "private registry": {"imagePullSecrets": ["registry"], "executors": {"mail": MAIL}},
    "rules": {"prometheusRule": {"enabled": True}},
    "viewer": {
        "secrets": {"viewerToken": "viewer_token"},
        "executors": {"burst": MAIL | {"scale": SCALED}},
        "serviceMonitor": {"enabled": True},
    },
    "monitor": {"serviceMonitor": {"enabled": True, "interval": "30s"}},
    "all": {
        "servers": {"replicas": 3, "zone": "eu-1a"},
        "executors": {"mail": MAIL | {"resources": {"limits": {"memory": "512Mi"}}}, "burst": MAIL | {"scale": SCALED}},
        "ingress": {"enabled": True, "host": "jobs.example.com"},
        "serviceMonitor": {"enabled": True},
    },
    "guide": shown_in_guide(),
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no database": ({"database": {"existingSecret": ""}}, "database.existingSecret is required"),
    "no secrets": ({"secrets": {"existingSecret": ""}}, "secrets.existingSecret is required"),
    "exposed without TLS": ({"tls": {"existingSecret": ""}}, "insecure: true"),
    "a group without an app": ({"executors": {"mail": {"queues": ["mail"]}}}, "app"),
    "most below fewest": ({"executors": {"mail": MAIL | {"scale": SCALED | {"min": 5, "max": 2}}}}, "below min"),
    "a scaler that is none": ({"executors": {"mail": MAIL | {"scale": SCALED | {"by": "cron"}}}}, "scale"),
    "an unknown key": ({"serverz": {}}, "serverz"),
    "an ingress without a host": ({"ingress": {"enabled": True}}, "ingress.host is required"),
    "a zone that is none": ({"servers": {"zone": {"fromNodeLabel": "zone"}}}, "zone"),
    "a grace beyond the pod's": (
        {"executors": {"mail": MAIL | {"env": {"MAINSPRING_EXECUTOR_GRACE": "600"}}}},
        "executors.mail.grace",
    ),
    "a delay beyond the pod's": ({"servers": {"env": {"MAINSPRING_DRAIN_DELAY": "60"}}}, "servers.drainDelay"),
    "a delay that is none": ({"servers": {"drainDelay": "soon"}}, "drainDelay"),
}


def merged(changes: dict[str, Any]) -> dict[str, Any]:
    """The needed values with these changes."""
    return NEEDED | {
        key: {**NEEDED.get(key, {}), **value} if isinstance(value, dict) else value for key, value in changes.items()
    }
