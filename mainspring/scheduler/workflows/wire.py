"""Builds the parts of workflows."""

from mainspring.clock import Clock
from mainspring.domain.ids import Ids
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.dispatch.dispatch_runs import DispatchRuns
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.observation import Observation
from mainspring.scheduler.intake.build_runs import Validate
from mainspring.scheduler.operations.workflows import WorkflowOperations
from mainspring.scheduler.sessions.relay_requests import RelayRequests
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.scheduler.workflows.advance_workflows import AdvanceWorkflows
from mainspring.scheduler.workflows.advancing import Advancing
from mainspring.scheduler.workflows.approvals import ApprovalOperations
from mainspring.scheduler.workflows.batches import BatchOperations
from mainspring.scheduler.workflows.begin_workflows import BeginWorkflows
from mainspring.scheduler.workflows.changing import Accept, FlowChanges
from mainspring.scheduler.workflows.check_workflows import CheckWorkflows
from mainspring.scheduler.workflows.follow_waits import FollowWaits
from mainspring.scheduler.workflows.sweep_flows import SweepFlows
from mainspring.scheduler.workflows.sweep_workflows import SweepWorkflows
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class WorkflowParts:
    """Each part subscribes to the facts that it needs."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        ids: Ids,
        catalog: Catalog,
        validate: Validate,
        observation: Observation,
        dispatch: DispatchRuns,
        hints: ExchangeHints,
        relaying: RelayRequests,
        settling: SettleAttempts,
        facts: Facts,
        accept: Accept,
    ) -> None:
        self.running = Advancing(clock, ids, catalog, dispatch, hints, relaying, facts)
        self.beginning = BeginWorkflows(store, settings, clock, catalog, self.running, facts)
        self.advancing = AdvanceWorkflows(store, settings, catalog, self.running, facts)
        settling.workflows = self.advancing
        self.checks = CheckWorkflows(catalog)
        self.operations = WorkflowOperations(store, clock, catalog, self.running, facts)
        self.changing = FlowChanges(store, clock, self.operations, self.checks, accept)
        self.sweeps = SweepFlows(store, clock, self.operations, self.changing)
        self.batches = BatchOperations(
            store, clock, catalog, validate, observation.budgets, self.operations, self.checks, facts
        )
        self.waits = FollowWaits(store, settings, clock, catalog, facts)
        self.approvals = ApprovalOperations(store, clock, self.waits)
        self.sweeping = SweepWorkflows(store, clock, catalog, self.running)

    @property
    def duties(self) -> list[Duty]:
        return [self.beginning, self.advancing, self.waits, self.sweeping]
