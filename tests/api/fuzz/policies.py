"""Make invented limits, breakers and workflows possible: a schema has no word for fields that depend on each other."""

from typing import Any

from mainspring.contract.breakers import BreakerBody
from tests.api.fuzz.triggers import plain_name

STEPS = {"only": {"job": "open"}}
POOL_MAX = 8
ENDINGS = ("on_success", "on_failure", "finally")


def fit_policies(case: Any) -> None:
    path, body = case.operation.path, case.body
    if case.method not in ("PUT", "POST", "PATCH") or not isinstance(body, dict):
        return
    if path == "/api/v1/breakers/{name}":
        fit_breaker(body)
    elif path.endswith("/limit") or path == "/api/v1/limits/{name}":
        fit_limit(body)
    elif path in ("/api/v1/workflows/{name}", "/api/v1/workflow-checks"):
        case.path_parameters = {name: plain_name(value) for name, value in (case.path_parameters or {}).items()}
        fit_workflow(body)
    elif path in ("/api/v1/queues/{name}", "/api/v1/namespaces/{name}/policy"):
        # No calendar is there to be named.
        body.pop("blackout", None)
    elif path == "/api/v1/executors/{name}/pools":
        fit_pools(body)
    elif path == "/api/v1/batches":
        # Endings run a job that is there.
        body |= {name: {"job": "open"} for name in ENDINGS if body.get(name) is not None}
    elif path == "/api/v1/jobs/{name}":
        # Which policies go together is more than an invented one gets right.
        body.pop("policy", None)


def fit_breaker(body: dict[str, Any]) -> None:
    """Waits grow, the window has room for the calls it takes, and slowness is said whole."""
    usual = BreakerBody()
    body["wait_max"] = max(body.get("wait", usual.wait), body.get("wait_max", usual.wait_max))
    if body.get("window_calls") is not None:
        body["min_calls"] = min(body.get("min_calls", usual.min_calls), body["window_calls"])
    if body.get("slow") is None or body.get("slow_after") is None:
        body.pop("slow", None)
        body.pop("slow_after", None)


def fit_pools(body: dict[str, Any]) -> None:
    """Of the slots that there may be, some are kept; and how many there may be depends on the pool."""
    for size in body["pools"].values():
        if size is not None:
            size |= {"core": min(size["core"], POOL_MAX), "max": POOL_MAX, "queue": min(size["queue"], POOL_MAX)}


def fit_limit(body: dict[str, Any]) -> None:
    """It limits something; a burst is one of a rate; and only those with a name have keys, which are places."""
    body.pop("key", None)
    if body.get("rate") is not None:
        body["rate"] = "100/s"
    else:
        body["at_once"] = body.get("at_once") or 1
        body.pop("burst", None)


def fit_workflow(body: dict[str, Any]) -> None:
    """Steps and endings run a job that is there, and the result is that of a step."""
    body |= {"steps": STEPS} | {name: {"job": "open"} for name in ENDINGS if body.get(name) is not None}
    body.pop("result", None)
    body.pop("schema", None)
