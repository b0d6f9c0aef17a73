"""The parts that observe runs: depths of queues, budgets, roll-ups and the feed."""

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.scheduler.catalog import Catalog
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.facts import Facts
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.feed import Changes
from mainspring.scheduler.insights.feed_publisher import SpotChanges
from mainspring.scheduler.insights.roll_up import RollUp
from mainspring.scheduler.insights.survey_queues import SurveyQueues
from mainspring.scheduler.insights.watch_database import WatchDatabase
from mainspring.scheduler.intake.budgets import Budgets
from mainspring.scheduler.intake.hold_requests import HoldRequests
from mainspring.scheduler.intake.shed_runs import ShedRuns
from mainspring.scheduler.operations.queues import QueueOperations
from mainspring.settings import SchedulerSettings
from mainspring.store.interface import Store


class Observation:
    """Builds the parts; each subscribes to the facts that it needs."""

    def __init__(
        self,
        store: Store,
        settings: SchedulerSettings,
        clock: Clock,
        server: ServerId,
        catalog: Catalog,
        hints: ExchangeHints,
        facts: Facts,
    ) -> None:
        self.budgets = Budgets(catalog, clock, facts)
        self.holding = HoldRequests(self.budgets, catalog, clock, facts)
        self.shedding = ShedRuns(store, clock, catalog, self.budgets, facts)
        self.surveying = SurveyQueues(store, clock, self.budgets, facts)
        self.rolling = RollUp(store, clock, facts)
        self.watching = WatchDatabase(store, clock, facts, required=settings.require_durability)
        self.changes = Changes(clock, server)
        self.spotting = SpotChanges(clock, catalog, self.changes, hints, facts)
        self.queues = QueueOperations(store, clock, catalog, self.surveying, hints)

    @property
    def duties(self) -> list[Duty]:
        return [self.surveying, self.rolling, self.watching, self.spotting]
