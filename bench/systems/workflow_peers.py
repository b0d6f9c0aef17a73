"""The peers of workflows; bench/README.md says how each is configured, and what it keeps if its machine dies."""

from bench.systems import Sizes
from bench.systems.workflow_peer import WorkflowPeer

NOTHING = Sizes(single=0, bulk=0, drain=0)

PEERS = (
    WorkflowPeer(
        name="celery-canvas",
        script="celery_canvas_peer.py",
        store="redis",
        left=(),
        sizes=NOTHING,
        processes=2,
        forks=True,
        works=True,
        shapes={"chain": 1_000, "layers": 100, "mapped": 3_000, "chains": 300},
        note="chain, chord and groups; prefork with 2 children, prefetch multiplier 128, results in Redis",
    ),
    WorkflowPeer(
        name="dbos",
        script="dbos_peer.py",
        store="postgres",
        left=(),
        sizes=NOTHING,
        durable=True,
        shapes={"chain": 1_000, "layers": 100, "mapped": 1_000, "chains": 300},
        note="steps and child workflows in the caller's process, start_workflow and get_result",
    ),
    WorkflowPeer(
        name="prefect",
        script="prefect_peer.py",
        store="sqlite",
        left=(),
        sizes=NOTHING,
        processes=2,
        works=True,
        answers="/api/health",
        shapes={"chain": 1_000, "layers": 50, "mapped": 1_000, "chains": 30},
        settings={
            "PREFECT_API_URL": "http://127.0.0.1:{port}/api",
            "PREFECT_HOME": "{files}",
            "PREFECT_LOGGING_LEVEL": "ERROR",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
        },
        note="a server on SQLite as installed; tasks in the caller's process, map on 50 threads",
    ),
)
