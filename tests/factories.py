"""Things to test with, sensible unless told otherwise."""

from datetime import datetime, timedelta

from mainspring.domain.access.permissions import SYSTEM, AuditEntry, Namespace
from mainspring.domain.cluster.server import Server
from mainspring.domain.cluster.session import Abilities, PoolSize, Session, SessionState
from mainspring.domain.ids import Ids, RunId, ServerId, SessionId, Token
from mainspring.domain.jobs.job import JobSpec, Pool, RetryPolicy
from mainspring.domain.runs.attempt import Ended, Outcome, Successes
from mainspring.domain.runs.log import LogEntry
from mainspring.domain.runs.run import Failure, NewRun
from mainspring.store.interface import Store
from mainspring.testing.clock import START

NAMESPACE = "default"
LEASE = timedelta(seconds=10)

ids = Ids()


async def add_namespace(store: Store, name: str) -> None:
    entry = AuditEntry(at=START, actor=SYSTEM, namespace=name, act="namespace.create", kind="namespace", key=name)
    await store.access.create_namespace(Namespace(name=name, created_at=START), entry)


def run_ids(count: int, now: datetime = START) -> list[RunId]:
    return ids.runs(count, now)


def token() -> Token:
    return ids.token()


def new_run(
    job: int = 1,
    line: int = 1,
    *,
    now: datetime = START,
    due_at: datetime | None = None,
    priority: int = 5,
    input: bytes = b'{"args":[]}',  # noqa: A002 — the field's name
    key: str | None = None,
    digest: bytes | None = None,
    token: Token | None = None,
    session: SessionId | None = None,
) -> NewRun:
    return NewRun(
        id=run_ids(1, now)[0],
        job=job,
        line=line,
        priority=priority,
        due_at=due_at or now,
        input=input,
        key=key,
        digest=digest or (b"digest" if key else None),
        token=token,
        session=session,
    )


def job_spec(name: str = "report", *, queue: str = "default", attempts: int = 1) -> JobSpec:
    return JobSpec(name=name, handler=name, queue=queue, retry=RetryPolicy(attempts=attempts))


def abilities() -> Abilities:
    return Abilities(queues=["default"], handlers={"report": Pool.LOOP}, pools=[PoolSize(Pool.LOOP, 1, 100, 0)])


def session(
    executor: str = "executor-1",
    *,
    namespace: str = NAMESPACE,
    lease_until: datetime = START + LEASE,
    state: SessionState = SessionState.LIVE,
    server: ServerId | None = None,
) -> Session:
    return Session(
        id=ids.session(),
        namespace=namespace,
        executor=executor,
        server=server or ids.server(),
        state=state,
        lease_until=lease_until,
        abilities=abilities(),
    )


def server_info(name: str = "server-1", *, lease_until: datetime = START + LEASE) -> Server:
    return Server(id=ids.server(), name=name, lease_until=lease_until)


def successes(pairs: list[tuple[RunId, Token]], *, result: bytes = b"null", wait: int = 0) -> Successes:
    count = len(pairs)
    return Successes(
        runs=[run for run, _ in pairs],
        tokens=[token for _, token in pairs],
        results=[result] * count,
        waits=[wait] * count,
        durations=[1000] * count,
    )


def ended(run: RunId, token: Token, outcome: Outcome = Outcome.FAILED, *, error: str = "ValueError") -> Ended:
    failure = Failure(error=error, message="it broke", traceback="line 1") if outcome is Outcome.FAILED else None
    return Ended(run=run, token=token, outcome=outcome, failure=failure, wait=5, duration=1000)


def log_entry(run: RunId, token: Token, seq: int = 0, message: str = "hello") -> LogEntry:
    return LogEntry(run, token, seq, 1_900_000_000_000_000 + seq, 20, message)
