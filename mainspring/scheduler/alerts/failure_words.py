"""The words of the newest errors that alerts are about, for channels that may carry them."""

from collections.abc import Mapping, Sequence

from mainspring.domain.alerts.alert import Alert, AlertId
from mainspring.domain.alerts.notice import WORST
from mainspring.domain.alerts.rule import AlertKind, AlertRule
from mainspring.settings.masking import mask
from mainspring.store.interface import Store

ABOUT_FAILURES = (AlertKind.RUN_FAILED, AlertKind.FAILURE_RATE, AlertKind.DEAD_LETTERS)
WORDS_MAX = 300
Rules = Mapping[tuple[str, str], AlertRule]
"""By namespace and name."""


async def failure_words(store: Store, alerts: Sequence[Alert], rules: Rules) -> dict[AlertId, str]:
    """By alert about a job whose runs fail, the words of the newest error among its dead letters."""
    found: dict[AlertId, str] = {}
    for alert in alerts[:WORST]:
        job = failing_job(alert, rules.get((alert.namespace, alert.rule)))
        groups = await store.bulk.dead_groups(alert.namespace, job=job, limit=1) if job else []
        if groups and groups[0].message:
            found[alert.id] = mask(" ".join(groups[0].message.split()))[:WORDS_MAX]
    return found


def failing_job(alert: Alert, rule: AlertRule | None) -> str:
    """The job whose runs fail; empty if the alert is about anything else."""
    if rule is None or rule.spec.kind not in ABOUT_FAILURES or not rule.spec.job:
        return ""
    name = alert.subject.removeprefix("job ")
    is_new = rule.spec.kind is AlertKind.DEAD_LETTERS and rule.spec.at_least is None
    # A new kind of failure has its fingerprint behind the job's name.
    return name.rpartition(" ")[0] if is_new else name
