"""Every metric of a server. Those named `mainspring_cluster_…` are the same on all servers, others are a process's own."""

from mainspring.domain.metrics.family import NAMESPACE, Kind, Metric
from mainspring.domain.queues.rollup import EDGES

CLUSTER = "The same on every server: use max."
OWN = "Of this process: use sum."
LATE = "Counted by roll-ups, 10 to 15 s late."

RUN_EDGES = tuple(edge / 1_000_000 for edge in EDGES[::2])
"""Every second edge of the roll-ups, in seconds: 1 ms, 4 ms … 18.6 h."""
CALL_EDGES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCH_EDGES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0)
QUEUE = (NAMESPACE, "queue")
DIRECTION = "direction"
"""`in` or `out`, as this server sees it."""


def cluster(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"mainspring_cluster_{name}", Kind.GAUGE, f"{text} {CLUSTER}", labels)


def database(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"mainspring_database_{name}", Kind.GAUGE, f"{text} {CLUSTER}", labels)


def gauge(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"mainspring_{name}", Kind.GAUGE, f"{text} {OWN}", labels)


def counter(name: str, text: str, *labels: str) -> Metric:
    return Metric(f"mainspring_{name}_total", Kind.COUNTER, f"{text} {OWN}", labels)


def histogram(name: str, text: str, edges: tuple[float, ...], *labels: str) -> Metric:
    return Metric(f"mainspring_{name}_seconds", Kind.HISTOGRAM, f"{text} {OWN}", labels, edges)


def executor(name: str, text: str) -> Metric:
    return gauge(f"executor_{name}", f"{text} By the executor's last beat.", NAMESPACE, "executor")


QUEUE_RUNS = cluster("queue_runs", "Live runs of a queue by state: queued, later, waiting, running.", *QUEUE, "state")
QUEUE_OLDEST = cluster("queue_oldest_seconds", "How long the first run of a queue has been due.", *QUEUE)
QUEUE_RUNNING_OLDEST = cluster(
    "queue_running_oldest_seconds", "How long the longest attempt of a queue has been under way.", *QUEUE
)
QUEUE_EXECUTORS = cluster("queue_executors", "Executors that listen to a queue.", *QUEUE)
QUEUE_SLOTS = cluster("queue_slots", "Slots of the executors that listen to a queue.", *QUEUE)
QUEUE_PAUSED = cluster("queue_paused", "1 while a queue is paused.", *QUEUE)
EXECUTORS = cluster("executors", "Connected executors by state.", NAMESPACE, "state")
EXECUTOR_SLOTS = cluster(
    "executor_slots", "Slots of connected executors by pool and use: taken, free.", NAMESPACE, "pool", "use"
)
DEAD_LETTERS = cluster("dead_letters", "Open dead letters.", NAMESPACE)
TRIGGERS = cluster("triggers", "Triggers by state: active, paused, overdue.", NAMESPACE, "state")
SERVERS = cluster("servers", "Servers that are running.")
SHARD_UP = cluster("shard_up", "1 while this server reaches the database; `home` is the only one.", "shard")
ALERTS = cluster("alerts", "Open alerts by severity and state.", NAMESPACE, "severity", "state")
SLO_BUDGET_LEFT = cluster(
    "slo_budget_left_ratio",
    "The share of an error budget that is left, below 0 once it is overspent.",
    NAMESPACE,
    "slo",
)
SLO_BURN_RATE = cluster(
    "slo_burn_rate", "How many times faster than allowed an error budget is spent.", NAMESPACE, "slo", "window"
)
NOTICES_WAITING = cluster("notices_waiting", "Notices that are not sent yet, by kind of channel.", "channel_kind")
SURVEY_AGE = cluster("survey_age_seconds", "Age of the counts of queues.")
ROLLUP_AGE = cluster("rollup_age_seconds", "How far the roll-ups are from the present.")

DATABASE_SIZE = database("size_bytes", "Size of the database.")
DATABASE_DEAD_ROWS = database("dead_rows", "Dead rows of a table that vacuum has not removed.", "table")
DATABASE_XMIN_AGE = database("xmin_age_seconds", "For how long the oldest snapshot has held back vacuum.")
DATABASE_NOTIFY_QUEUE = database("notify_queue_ratio", "Used share of the queue of hints.")
DATABASE_DURABILITY = database("durability_info", "What a commit of the database survives; always 1.", "class")
DATABASE_REPLICATION_LAG = database("replication_lag_seconds", "How late the slowest standby is.")

ACCEPTED = counter("runs_accepted", "Runs that this server accepted.", *QUEUE)
REFUSED = counter("runs_refused", "Runs that this server refused, by reason.", NAMESPACE, "reason")
FINISHED = counter("runs_finished", f"Runs that reached a final state. {LATE}", *QUEUE, "state")
RUN_WAIT = histogram("run_wait", f"From when a run was due until its last attempt began. {LATE}", RUN_EDGES, *QUEUE)
RUN_DURATION = histogram("run_duration", f"Of a run's last attempt. {LATE}", RUN_EDGES, *QUEUE)
JOB_FINISHED = counter(
    "job_runs_finished", f"Runs of a job that reached a final state. {LATE}", NAMESPACE, "job", "state"
)
JOB_DURATION = histogram("job_duration", f"Of the last attempt of a job's runs. {LATE}", RUN_EDGES, NAMESPACE, "job")
ATTEMPTS = counter("attempts", "Attempts that ended, by outcome; successes are counted by roll-ups.", *QUEUE, "outcome")
FIRES = counter("fires", "Fire times of triggers: fired, or the reason why they were skipped.", NAMESPACE, "result")
FIRE_DELAY = histogram(
    "fire_delay", "From a fire time of a trigger until it was moved; prepared ones have none.", CALL_EDGES, NAMESPACE
)
NOTICES = counter("notices", "Tries to send a notice, by kind of channel and result.", "channel_kind", "result")
STALE = counter("outcomes_stale", "Outcomes that came too late: another attempt owned the run.")
LEASES_LOST = counter("leases_lost", "Executor sessions of this server whose lease had lapsed.")

SERVER_INFO = gauge("server_info", "1, with the version of the server.", "version", "protocol", "python")
START_TIME = gauge("server_start_time_seconds", "When the server started, in seconds since 1970.")
ATTACHED = gauge("server_attached_executors", "Executors connected to this server.")
READY = gauge("server_ready", "1 while this server can take work.")
DUTY_SECONDS = histogram("server_duty", "Ticks of a duty.", CALL_EDGES, "duty")
DUTY_FAILURES = counter("server_duty_failures", "Ticks of a duty that failed.", "duty")
DUTY_AGE = gauge("server_duty_age_seconds", "Since the last good tick of a duty.", "duty")
STORE_SECONDS = histogram("server_store", "Calls of the database by act.", CALL_EDGES, "act")
STORE_ERRORS = counter(
    "server_store_errors", "Calls of the database that failed, by act and kind of error.", "act", "kind"
)
STORE_CONNECTIONS = gauge("server_store_connections", "Connections to the database by state: busy, idle.", "state")
BATCH_RUNS = Metric(
    "mainspring_server_batch_runs",
    Kind.HISTOGRAM,
    f"Runs of a batch by act: create, claim, settle. {OWN}",
    ("act",),
    BATCH_EDGES,
)
REQUESTS = counter("server_requests", "HTTP requests by route, method and code.", "route", "method", "code")
REQUEST_SECONDS = histogram("server_request", "HTTP requests by route.", CALL_EDGES, "route")
FRAMES = counter("server_frames", "Frames from and to executors.", DIRECTION)
FRAME_BYTES = counter("server_frame_bytes", "Bytes of frames from and to executors.", DIRECTION)
HINTS = counter("server_hints", "Hints from and to other servers.", DIRECTION)
CLOCK_OFFSET = gauge("server_clock_offset_seconds", "By how much the database's clock is ahead of this server's.")
DISCOVERY_AGE = gauge(
    "server_discovery_age_seconds", "Since an address book last took this server's entries.", "source"
)
DISCOVERY_ENTRIES = gauge("server_discovery_entries", "Entries of this server in an address book.", "source")
LOOP_LAG = gauge("server_loop_lag_seconds", "How late the event loop was at its last look.")
FOLDED = gauge("metrics_folded", "Values of a label that share the series `_other`.", "label")

EXECUTOR_CPU = executor("cpu_cores", "Processor time of an executor, in cores.")
EXECUTOR_MEMORY = executor("memory_bytes", "Resident memory of an executor.")
EXECUTOR_STRAYS = executor("strays", "Threads of an executor that go on with attempts which were given up.")
EXECUTOR_BLOCKED = counter(
    "executor_blocked", "How often a handler blocked the event loop of an executor.", NAMESPACE, "executor"
)

PROCESS_CPU = Metric("process_cpu_seconds_total", Kind.COUNTER, "Processor time of the process.")
PROCESS_MEMORY = Metric("process_resident_memory_bytes", Kind.GAUGE, "Resident memory of the process.")
PROCESS_VIRTUAL = Metric("process_virtual_memory_bytes", Kind.GAUGE, "Virtual memory of the process.")
PROCESS_START = Metric("process_start_time_seconds", Kind.GAUGE, "Start of the process since the Unix epoch.")
PROCESS_FILES = Metric("process_open_fds", Kind.GAUGE, "Open file descriptors of the process.")
PROCESS_FILES_MAX = Metric("process_max_fds", Kind.GAUGE, "Most file descriptors that the process may open.")
