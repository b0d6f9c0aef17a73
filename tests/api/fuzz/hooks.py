"""What makes an invented request a valid one where a document cannot say it.

Requests that are to be refused are left as they were invented.
"""

import datetime as dt
from typing import Any

import schemathesis
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation

from mainspring.clock import SystemClock
from tests.api.fuzz.limits import too_large_to_invent
from tests.api.fuzz.policies import fit_policies
from tests.api.fuzz.triggers import fit_triggers, plain_name

BODIES_MAX = 100
TIMES_MAX = 200
WAIT_MAX = 0.05
EXCLUSIVE = (("due_at", "delay"), ("deadline", "deadline_in"))


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    for _, words, limit in list(too_large_to_invent(raw_schema)):
        del words[limit]


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    if case.meta is not None:
        name_a_place_that_is_there(case)
        if case.meta.generation.mode == GenerationMode.POSITIVE:
            make_valid(case)


def make_valid(case: Any) -> None:
    if isinstance(case.query, dict):
        case.query = printable(case.query)
        ask_for_a_page(case.query)
        name_known_years(case.query)
    fit_headers(case)
    if isinstance(case.body, dict | list):
        case.body = printable(case.body)
    if "/calendars/" in case.operation.path:
        case.path_parameters = {name: plain_name(value) for name, value in case.path_parameters.items()}
        make_calendar_possible(case.body)
    if case.operation.path.endswith("/instants") and isinstance(case.query, dict):
        # A range that is invented may end before it begins.
        case.query.pop("since", None)
    if case.operation.path.endswith("/backfills"):
        make_backfill_possible(case.body)
    fit_triggers(case)
    fit_policies(case)
    fit_choices(case)
    for body in bodies_in(case.body):
        make_possible(body)
        if "act" in body:
            make_sweep_possible(body)


def fit_choices(case: Any) -> None:
    """A query has a grammar, people sign in by one of two ways, a change changes something, and days exist."""
    if isinstance(case.query, dict) and "q" in case.query:
        case.query = {name: value for name, value in case.query.items() if name in ("namespace", "limit")} | {
            "q": "state:failed"
        }
    if not isinstance(case.body, dict):
        return
    if case.operation.path.endswith("views/{name}"):
        case.body["q"] = "state:failed"
    if case.operation.path.endswith("/runs/change"):
        case.body["priority"] = 9
    if case.operation.path.endswith("/triggers/apply"):
        case.body.pop("calendars", None)


def name_known_years(query: dict[str, Any]) -> None:
    """Move times to a year that the server knows: the format of a time says nothing of years."""
    for name in ("since", "until", "after"):
        if isinstance(time := query.get(name), str) and "-" in time:
            query[name] = f"2032-{time.partition('-')[2]}"


def name_a_place_that_is_there(case: Any) -> None:
    """Any other namespace would be all that is wrong with a request."""
    for given, location, name in (
        (case.query, ParameterLocation.QUERY, "namespace"),
        (case.headers, ParameterLocation.HEADER, "Mainspring-Namespace"),
    ):
        if given and name in given and not case.meta.is_negative_at(location):
            given[name] = "default"


def fit_headers(case: Any) -> None:
    """Of two conditions one is enough; and a key in the head is for one run, which has no other one."""
    headers = case.headers or {}
    if "If-Match" in headers:
        headers.pop("If-None-Match", None)
    if "Idempotency-Key" in headers and isinstance(case.body, dict):
        case.body.pop("key", None)
        if "runs" in case.body:
            del headers["Idempotency-Key"]


def ask_for_a_page(query: dict[str, Any]) -> None:
    """Only the page before knows the next one's cursor, and pages with whole bodies or times are smaller."""
    query.pop("cursor", None)
    if query.get("bodies") and "limit" in query:
        query["limit"] = min(int(query["limit"]), BODIES_MAX)
    if str(query.get("times")).lower() == "true" and "limit" in query:
        query["limit"] = min(int(query["limit"]), TIMES_MAX)
    if str(query.get("step", "")).isdecimal():
        # The longest forecast has no room for finer ones.
        query["step"] = max(int(query["step"]), 3600)
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
    return [body, *(run for run in runs if isinstance(run, dict))] if isinstance(runs, list) else [body]


def make_calendar_possible(body: Any) -> None:
    """Days are such that exist, blackouts end after they begin, and something is left."""
    if not isinstance(body, dict):
        return
    for name in ("name", "zone", "holidays"):
        body.pop(name, None)
    fitting = {
        "ics": "BEGIN:VCALENDAR\nEND:VCALENDAR",
        "weekdays": ["sat"],
        "dates": {"12-24": ""},
        "counted": ["2030-12-24"],
        "blackouts": [{"since": "2030-01-01T00:00:00Z", "until": "2030-01-02T00:00:00Z"}],
        "daily_blackouts": [{"opens": "22:00", "closes": "06:00"}],
    }
    body |= {name: value for name, value in fitting.items() if name in body}


def make_backfill_possible(body: Any) -> None:
    """A range lies behind, and is not too long."""
    if isinstance(body, dict):
        body.pop("until", None)
        body["since"] = (SystemClock().now() - dt.timedelta(hours=1)).isoformat()


def make_sweep_possible(body: dict[str, Any]) -> None:
    """Without a filter it takes everything by a word; canaries, fingerprints and states each belong to one act.

    What a tag may be, spaces around it for one, is said nowhere in the document.
    """
    body["all"] = True
    chosen = body["filter"] if isinstance(body.get("filter"), dict) else {}
    name_known_years(chosen)
    chosen.pop("tags", None)
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
    if isinstance(body.get("route"), dict):
        fit_route(body)
    for name, ahead in (("due_at", 1), ("resume_at", 2), ("until", 2), ("deadline", 3)):
        if isinstance(body.get(name), str):
            body[name] = (now + dt.timedelta(days=ahead)).isoformat()


def fit_route(body: dict[str, Any]) -> None:
    """A route says who takes the run, as a named executor does; and each strategy needs fields of its own."""
    body.pop("executor", None)
    body["route"] = {"strategy": "random"}
