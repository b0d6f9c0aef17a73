"""The API as one application."""

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from mainspring.api.auth import Authenticator, BoundRoute, fixed_grants
from mainspring.api.engine_gate import EngineGate
from mainspring.api.errors import answer_bug, install_error_handlers, problem_of, problem_response
from mainspring.api.http.fast_path import answer_at_once
from mainspring.api.http.paths import keep_slashes
from mainspring.api.http.shared_answers import SharedAnswers
from mainspring.api.input.bodies import Intake
from mainspring.api.openapi import document
from mainspring.api.routes import events, feed, webhooks
from mainspring.api.routes.access import audit, namespaces, preferences, providers, sign_in, tokens, users, whoami
from mainspring.api.routes.alerts import ack_links, alerts, channels, slos
from mainspring.api.routes.alerts import define as define_alerts
from mainspring.api.routes.bulk import dead_letters
from mainspring.api.routes.bulk import operate as operate_bulk
from mainspring.api.routes.calendars import define as define_calendars
from mainspring.api.routes.cluster import database, health, invariants, metrics, servers
from mainspring.api.routes.executors import connect as connect_executors
from mainspring.api.routes.executors import operate as operate_executors
from mainspring.api.routes.insights import figures, herds, histogram, lookups, overview, saved_views, what_if
from mainspring.api.routes.jobs import define as define_jobs
from mainspring.api.routes.limits import breakers, canaries, pauses, why
from mainspring.api.routes.limits import rules as limit_rules
from mainspring.api.routes.queues import operate as operate_queues
from mainspring.api.routes.runs import cancel as cancel_runs
from mainspring.api.routes.runs import create as create_runs
from mainspring.api.routes.runs import list as list_runs
from mainspring.api.routes.runs import logs as run_logs
from mainspring.api.routes.runs import search as search_runs
from mainspring.api.routes.runs import suspend as suspend_runs
from mainspring.api.routes.triggers import apply as apply_triggers
from mainspring.api.routes.triggers import backfills, crontabs, fire_times
from mainspring.api.routes.triggers import define as define_triggers
from mainspring.api.routes.workflows import approvals as approve_runs
from mainspring.api.routes.workflows import batches as operate_batches
from mainspring.api.routes.workflows import change as change_workflows
from mainspring.api.routes.workflows import definitions as define_workflows
from mainspring.api.routes.workflows import grid as grid_workflows
from mainspring.api.routes.workflows import list as list_workflow_runs
from mainspring.api.routes.workflows import operate as operate_workflows
from mainspring.api.routes.workflows import texts as workflow_texts
from mainspring.api.traffic import Overload, Traffic
from mainspring.clock import Clock, SystemClock
from mainspring.errors import MainspringError
from mainspring.scheduler.interface import Engine
from mainspring.settings import ServerSettings

PARTS = (
    create_runs,
    histogram,
    herds,
    figures,
    what_if,
    lookups,
    list_runs,
    search_runs,
    cancel_runs,
    suspend_runs,
    dead_letters,
    operate_bulk,
    run_logs,
    overview,
    saved_views,
    define_jobs,
    operate_queues,
    pauses,
    canaries,
    limit_rules,
    breakers,
    define_workflows,
    workflow_texts,
    operate_workflows,
    grid_workflows,
    list_workflow_runs,
    change_workflows,
    approve_runs,
    operate_batches,
    why,
    define_alerts,
    ack_links,
    alerts,
    channels,
    slos,
    crontabs,
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
    users,
    sign_in,
    providers,
    whoami,
    preferences,
    audit,
    invariants,
    database,
    servers,
    connect_executors,
    health,
    metrics,
    document,
)
"""Modules with routes, in the order in which paths are matched."""


class Api(Starlette):
    """An application whose direct routes are reached without its middleware, for the path of every enqueue."""

    def open_shortcuts(self) -> None:
        bound = [route for route in self.routes if isinstance(route, BoundRoute)]
        self.shortcuts = {(route.operation.method, route.path): route.handler for route in bound if route.is_direct}
        self.literal_paths = {route.path for route in bound if "{" not in route.path}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handler = self.shortcuts.get((scope.get("method", ""), scope["path"]))
        if handler is None:
            if b"%" in (scope.get("raw_path") or b""):
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
            # As the middleware does it: the server of this application logs where it happened.
            raise
        if not answer_at_once(scope, response):
            await response(scope, receive, send)


def create_app(engine: Engine | EngineGate, settings: ServerSettings, *, clock: Clock | None = None) -> Api:
    """The API of an engine, or of a gate that an engine will open."""
    app = Api()
    # A redirect to the path with another slash at its end would take its address from the caller's own `Host`.
    app.router.redirect_slashes = False
    app.state.gate = engine if isinstance(engine, EngineGate) else EngineGate(engine)
    app.state.authenticator = Authenticator(app.state.gate, fixed_grants(settings))
    app.state.intake, app.state.traffic, app.state.overload = Intake(), Traffic(), Overload()
    app.state.clock = clock or SystemClock()
    app.state.shared_answers, app.state.frames = SharedAnswers(app.state.clock), feed.Frames()
    app.state.serves_metrics = settings.metrics
    app.state.settings = settings
    app.state.trace_url = settings.trace_url
    app.state.public_details = settings.public_details
    app.state.trusted_proxies = settings.trusted_proxies
    app.state.doors = providers.open_doors(settings, app.state.clock)
    install_error_handlers(app)
    for part in PARTS:
        app.router.routes.extend(part.router.routes)
    app.open_shortcuts()
    return app
