"""What makes an invented request a valid one where a document cannot say it.

Requests that are to be refused are left as they were invented.
"""

import datetime as dt
from typing import Any

import schemathesis
from schemathesis import GenerationMode

from mainspring.clock import SystemClock

BODIES_MAX = 100
WAIT_MAX = 0.05
EXCLUSIVE = (("due_at", "delay"), ("deadline", "deadline_in"))


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if case.meta is None or case.meta.generation.mode != GenerationMode.POSITIVE:
        return
    if isinstance(case.query, dict):
        case.query = printable(case.query)
        ask_for_a_page(case.query)
    if case.headers and "If-Match" in case.headers:
        case.headers.pop("If-None-Match", None)
    if isinstance(case.body, dict):
        case.body = printable(case.body)
    for body in bodies_in(case.body):
        make_possible(body)
        if "act" in body:
            make_sweep_possible(body)


def ask_for_a_page(query: dict[str, Any]) -> None:
    """Only the page before knows the next one's cursor, and pages with whole bodies are smaller."""
    query.pop("cursor", None)
    if query.get("bodies") and "limit" in query:
        query["limit"] = min(int(query["limit"]), BODIES_MAX)
    if "wait" in query:
        query["wait"] = min(float(query["wait"]), WAIT_MAX)
    if isinstance(query.get("label"), list):
        # Of one key, two values are too many.
        query["label"] = query["label"][:1]


def printable(value: Any) -> Any:
    """Schemas have no word for "printable"."""
    if isinstance(value, str):
        return "".join(character for character in value if character.isprintable()) or ("x" if value else value)
    if isinstance(value, dict):
        return {key: printable(each) for key, each in value.items()}
    return [printable(each) for each in value] if isinstance(value, list) else value


def bodies_in(body: Any) -> list[dict[str, Any]]:
    if not isinstance(body, dict):
        return []
    runs = body.get("runs")
    return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else [body]


def make_sweep_possible(body: dict[str, Any]) -> None:
    """Without a filter it takes everything by a word; canaries, fingerprints and states each belong to one act."""
    body["all"] = True
    chosen = body["filter"] if isinstance(body.get("filter"), dict) else {}
    if body["act"] == "cancel":
        chosen.pop("fingerprint", None)
    else:
        chosen.pop("states", None)
    if body["act"] != "retry":
        body.pop("canaries", None)


def make_possible(body: dict[str, Any]) -> None:
    """Instants lie in the near future, a deadline behind what is due, and of two ways to say a thing one is used."""
    now = SystemClock().now()
    if isinstance(body.get("deadline_in"), float | int):
        body.pop("delay", None)
        body.pop("due_at", None)
    for one, other in EXCLUSIVE:
        if one in body and other in body:
            del body[one]
    for name, ahead in (("due_at", 1), ("resume_at", 2), ("until", 2), ("deadline", 3)):
        if isinstance(body.get(name), str):
            body[name] = (now + dt.timedelta(days=ahead)).isoformat()
