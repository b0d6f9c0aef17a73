"""Cold acts of runs in one class."""

from mainspring.store.acts.runs.cancel import CancelActs
from mainspring.store.acts.runs.change import ChangeActs
from mainspring.store.acts.runs.checkpoints import CheckpointActs
from mainspring.store.acts.runs.retry import RetryActs
from mainspring.store.acts.runs.suspend import SuspendActs
from mainspring.store.acts.runs.telemetry import TelemetryActs


class RunActs(CancelActs, ChangeActs, RetryActs, SuspendActs, CheckpointActs, TelemetryActs):
    """The verbs of runs that both databases share; each adds the hot ones."""
