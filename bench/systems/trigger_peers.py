"""The peers of triggers; bench/README.md says how many each was found to hold, and why not more."""

from bench.systems import Sizes
from bench.systems.trigger_peer import TriggerPeer

NOTHING = Sizes(single=0, bulk=0, drain=0)
THREADS = "1 process, 20 threads, CronTrigger, misfire_grace_time 600"

PEERS = (
    TriggerPeer(
        name="apscheduler-memory",
        script="apscheduler_peer.py",
        store="memory",
        left=(),
        sizes=NOTHING,
        count=60_000,
        note=THREADS,
    ),
    TriggerPeer(
        name="apscheduler-postgres",
        script="apscheduler_peer.py",
        store="postgres",
        left=(),
        sizes=NOTHING,
        count=6_000,
        note=f"SQLAlchemyJobStore over psycopg, {THREADS}",
    ),
    TriggerPeer(
        name="celery-beat",
        script="celery_beat_peer.py",
        store="redis",
        left=(),
        sizes=NOTHING,
        processes=2,
        roles=("work", "beat"),
        count=6_000,
        tells=False,
        note="beat and a prefork worker with 2 children, prefetch multiplier 128, no results; whole seconds by relative=True",
    ),
    TriggerPeer(
        name="bullmq-schedulers",
        script="bullmq_scheduler_peer.mjs",
        store="redis",
        left=(),
        sizes=NOTHING,
        count=60_000,
        note="upsertJobScheduler with patterns, 500 at a time; concurrency 100, removeOnComplete",
    ),
)
