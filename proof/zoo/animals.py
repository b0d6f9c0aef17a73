"""All of them."""

from proof.zoo import (
    alert_bugs,
    batch_bugs,
    bundle_bugs,
    children_bugs,
    executor_bugs,
    firing_bugs,
    flow_bugs,
    flow_decision_bugs,
    limit_bugs,
    payload_bugs,
    permit_bugs,
    policy_bugs,
    postgres_bugs,
    server_bugs,
    store_bugs,
    suspension_bugs,
)
from proof.zoo.bug import Bug

BUGS: list[Bug] = [
    *store_bugs.BUGS,
    *payload_bugs.BUGS,
    *server_bugs.BUGS,
    *executor_bugs.BUGS,
    *children_bugs.BUGS,
    *suspension_bugs.BUGS,
    *firing_bugs.BUGS,
    *flow_bugs.BUGS,
    *flow_decision_bugs.BUGS,
    *batch_bugs.BUGS,
    *limit_bugs.BUGS,
    *policy_bugs.BUGS,
    *permit_bugs.BUGS,
    *postgres_bugs.BUGS,
    *bundle_bugs.BUGS,
    *alert_bugs.BUGS,
]
