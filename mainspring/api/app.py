"""The API as one application."""

from fastapi import FastAPI, Request
from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from mainspring.api.auth import DirectRoute, Doorkeeper, fixed_grants
from mainspring.api.engine_gate import Seat
from mainspring.api.errors import Problem, answer_bug, install_error_handlers, problem_of, problem_response
from mainspring.api.http.bodies import Intake
from mainspring.api.http.fast_path import answer_at_once
from mainspring.api.http.paths import keep_slashes
from mainspring.api.openapi import document
from mainspring.api.routes import events, feed, webhooks
from mainspring.api.routes.access import audit, namespaces, tokens, whoami
from mainspring.api.routes.bulk import dead_letters
from mainspring.api.routes.bulk import operate as operate_bulk
from mainspring.api.routes.calendars import define as define_calendars
from mainspring.api.routes.cluster import health, invariants
from mainspring.api.routes.executors import connect as connect_executors
from mainspring.api.routes.executors import operate as operate_executors
from mainspring.api.routes.jobs import define as define_jobs
from mainspring.api.routes.queues import operate as operate_queues
from mainspring.api.routes.runs import cancel as cancel_runs
from mainspring.api.routes.runs import create as create_runs
from mainspring.api.routes.runs import list as list_runs
from mainspring.api.routes.runs import logs as run_logs
from mainspring.api.routes.runs import suspend as suspend_runs
from mainspring.api.routes.triggers import apply as apply_triggers
from mainspring.api.routes.triggers import backfills, fire_times
from mainspring.api.routes.triggers import define as define_triggers
from mainspring.clock import Clock, SystemClock
from mainspring.errors import MainspringError
from mainspring.scheduler.interface import Engine
from mainspring.settings import ServerSettings
from mainspring.version import __version__

PARTS = (
    create_runs,
    list_runs,
    cancel_runs,
    suspend_runs,
    dead_letters,
    operate_bulk,
    run_logs,
    define_jobs,
    operate_queues,
    fire_times,
    define_triggers,
    backfills,
    define_calendars,
    apply_triggers,
    feed,
    events,
    webhooks,
    operate_executors,
    namespaces,
    tokens,
    whoami,
    audit,
    invariants,
    connect_executors,
    health,
    document,
)
"""Modules with routes, in the order in which paths are matched; each may list STRUCTS and LIMITS for the OpenAPI document."""


class Api(FastAPI):
    """A FastAPI application whose direct routes are reached without its middleware, for the path of every enqueue."""

    def open_shortcuts(self) -> None:
        direct = [route for route in self.routes if isinstance(route, DirectRoute)]
        self.shortcuts = {
            (method, route.path): route.get_route_handler() for route in direct for method in route.methods or ()
        }
        self.literal_paths = {
            route.path for route in self.routes if isinstance(route, APIRoute) and "{" not in route.path
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self.shortcuts.get((scope.get("method", ""), scope["path"]))
        if handler is None:
            keep_slashes(scope)
            await super().__call__(scope, receive, send)
            return
        scope["app"] = self
        request = Request(scope, receive)
        try:
            response = await handler(request)
        except MainspringError as error:
            response = problem_response(problem_of(error))
        except ClientDisconnect:
            return
        except Exception as error:
            response = await answer_bug(request, error)
            await response(scope, receive, send)
            # As the middleware does it: whoever serves this application logs where it happened.
            raise
        if not answer_at_once(scope, response):
            await response(scope, receive, send)


def create_app(engine: Engine | Seat, settings: ServerSettings, *, clock: Clock | None = None) -> Api:
    """Put the API on an engine, or on the seat that one will take."""
    # The stock documentation pages load scripts from other people's servers.
    # Nor is a caller sent on to a path with another slash at its end: the address for that would come from its own `Host`.
    app = Api(
        title="Mainspring",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.seat = engine if isinstance(engine, Seat) else Seat(engine)
    app.state.doorkeeper = Doorkeeper(app.state.seat, fixed_grants(settings))
    app.state.intake = Intake()
    app.state.clock = clock or SystemClock()
    app.state.public_details = settings.public_details
    app.state.structs = [Problem, *(struct for part in PARTS for struct in getattr(part, "STRUCTS", ()))]
    app.state.limits = {struct: fields for part in PARTS for struct, fields in getattr(part, "LIMITS", {}).items()}
    install_error_handlers(app)
    for part in PARTS:
        # Not include_router: it nests, and each request would pay for the nesting.
        app.router.routes.extend(part.router.routes)
    app.open_shortcuts()
    return app
