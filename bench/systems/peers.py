"""The peers, each configured for throughput; bench/README.md says which values are documented and which were tried."""

from bench.systems import Sizes
from bench.systems.peer import BENCHES, Peer

WITH_WORKLOADS = BENCHES | {"mail", "io", "mixed", "steady", "payload"}

GRAPHILE = Peer(
    name="graphile-worker",
    script="graphile_peer.mjs",
    store="postgres",
    left=(
        "SELECT EXISTS (SELECT FROM graphile_worker._private_jobs WHERE attempts < max_attempts OR locked_at IS NOT NULL)",
    ),
    sizes=Sizes(single=2000, bulk=50_000, drain=150_000),
    processes=2,
    benches=WITH_WORKLOADS,
    note="24 concurrent jobs, local queue of 500, batched completion, add_jobs in 5,000s",
)
PG_BOSS = Peer(
    name="pg-boss",
    script="pgboss_peer.mjs",
    store="postgres",
    left=("SELECT EXISTS (SELECT FROM pgboss.job WHERE name = 'noop' AND state < 'completed')",),
    sizes=Sizes(single=2000, bulk=50_000, drain=120_000),
    processes=1,
    note="work() with batchSize 5,000, localConcurrency 2 and burstWhenBatchFull, LISTEN/NOTIFY on, insert() of 5,000",
)
PGQUEUER = Peer(
    name="pgqueuer",
    script="pgqueuer_peer.py",
    store="postgres",
    left=("SELECT EXISTS (SELECT FROM pgqueuer)",),
    sizes=Sizes(single=2000, bulk=50_000, drain=60_000),
    processes=2,
    benches=WITH_WORKLOADS,
    note="asyncpg, uvloop, batch_size 250, statistics fresh, enqueue of 5,000",
)
BULLMQ = Peer(
    name="bullmq",
    script="bullmq_peer.mjs",
    store="redis",
    left=("LLEN bull:noop:wait", "LLEN bull:noop:active"),
    sizes=Sizes(single=5000, bulk=30_000, drain=40_000),
    processes=1,
    note="concurrency 100, removeOnComplete, addBulk of 1,000",
)
HUEY = Peer(
    name="huey",
    script="huey_peer.py",
    store="sqlite",
    left=("SELECT EXISTS (SELECT 1 FROM task)",),
    sizes=Sizes(single=5000, bulk=20_000, drain=25_000),
    processes=1,
    forks=True,
    note="SQLite with write-ahead log and fsync off, no results",
)
DRAMATIQ = Peer(
    name="dramatiq",
    script="dramatiq_peer.py",
    store="redis",
    left=("HLEN dramatiq:default.msgs",),
    sizes=Sizes(single=3000, bulk=10_000, drain=15_000),
    processes=2,
    forks=True,
    note="8 threads in each process, prefetch of 1,000, no results",
)
TASKIQ = Peer(
    name="taskiq",
    script="taskiq_peer.py",
    store="redis",
    left=("LLEN taskiq",),
    sizes=Sizes(single=3000, bulk=10_000, drain=15_000),
    processes=2,
    forks=True,
    note="ListQueueBroker (no acknowledgements), 200 at once and 200 prefetched, uvloop, no results",
)
CELERY = Peer(
    name="celery",
    script="celery_peer.py",
    store="redis",
    left=("LLEN celery", "HLEN unacked"),
    sizes=Sizes(single=2000, bulk=3000, drain=3000),
    processes=2,
    forks=True,
    note="prefork, prefetch multiplier 128, early acknowledgement, no results, gossip and mingle off",
)
PROCRASTINATE = Peer(
    name="procrastinate",
    script="procrastinate_peer.py",
    store="postgres",
    left=("SELECT EXISTS (SELECT FROM procrastinate_jobs WHERE status IN ('todo', 'doing'))",),
    sizes=Sizes(single=1000, bulk=10_000, drain=2000),
    processes=2,
    note="concurrency 20, uvloop, finished jobs deleted, batch_defer of 1,000",
)

# Fastest first, so that in each round of a drain ours stands next to the peers that matter most.
PEERS = (GRAPHILE, PG_BOSS, PGQUEUER, BULLMQ, HUEY, DRAMATIQ, TASKIQ, CELERY, PROCRASTINATE)
