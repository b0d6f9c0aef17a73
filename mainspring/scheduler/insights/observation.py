"""What a server keeps in view: how full queues are, what passes through them, and what has just changed."""

from mainspring.clock import Clock
from mainspring.domain.ids import ServerId
from mainspring.scheduler.catalog import Roster
from mainspring.scheduler.duty import Duty
from mainspring.scheduler.hints import ExchangeHints
from mainspring.scheduler.insights.feed import Changes
from mainspring.scheduler.insights.feed_publisher import SpotChanges
from mainspring.scheduler.insights.roll_up import RollUp
from mainspring.scheduler.insights.survey_queues import SurveyQueues
from mainspring.scheduler.intake.budgets import Budgets
from mainspring.scheduler.operations.queues import SteerQueues
from mainspring.scheduler.sessions.gateway import Gateway
from mainspring.scheduler.settlement.settle_attempts import SettleAttempts
from mainspring.store.interface import Store


class Observation:
    """The parts that look on while runs pass by, and who of them hears of what."""

    def __init__(self, store: Store, clock: Clock, server: ServerId, roster: Roster, hints: ExchangeHints) -> None:
        self.budgets = Budgets(roster, clock)
        self.surveying = SurveyQueues(store, clock, self.budgets)
        self.rolling = RollUp(store, clock)
        self.changes = Changes(clock, server)
        self.spotting = SpotChanges(clock, roster, self.changes, hints)
        self.queues = SteerQueues(store, clock, roster, self.surveying, hints)
        roster.on_change(self.budgets.changed)
        roster.on_change(self.spotting.wake.set)
        hints.on_word(self.spotting.heard)
        self.surveying.on_survey(self.spotting.surveyed)

    def attend(self, gateway: Gateway, settling: SettleAttempts) -> None:
        """Hear of what is started and settled here."""
        gateway.on_start(self.budgets.started)
        gateway.on_start(self.spotting.started)
        gateway.on_change(lambda: self.spotting.executors_changed(gateway.attached))
        settling.on_outcomes(self.spotting.succeeded, self.spotting.ended)

    @property
    def duties(self) -> list[Duty]:
        return [self.surveying, self.rolling, self.spotting]
