"""Bugs in what the store compares, counts and keeps."""

from mainspring.domain.ids import Ids
from mainspring.store.acts.runs import retry as retrying
from mainspring.store.sqlite.hot import create as creation
from proof.zoo.bug import CUT_OFF, DEATHS, Bug
from proof.zoo.changing import requeries, rewrites, together

OWNER = "AND r.token = substr(:tokens, 16 * e.key + 1, 16)"

BUGS = [
    Bug(
        name="a success is accepted by the run's id alone",
        origin="https://github.com/rails/solid_queue/issues/589",
        breaks="S7: no outcome of a stale attempt is applied",
        # Mostly an executor that stood still: its connection knows the attempt as its own, though it was reclaimed since.
        needs=CUT_OFF | {"pause_server"},
        change=requeries("finish", (OWNER, "")),
    ),
    Bug(
        name="a failure is accepted by the run's id alone",
        origin="https://github.com/riverqueue/river/issues/1302",
        breaks="S16: a failure is one of the attempt that owns the run",
        needs=CUT_OFF,
        change=together(requeries("hold", (OWNER, "")), requeries("record_attempts", (OWNER, ""))),
    ),
    Bug(
        name="a dead session may still claim",
        origin="https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html",
        breaks="S21: a claim is for a session that lives",
        needs=CUT_OFF,
        change=requeries("living", ("WHERE s.state = 0", "")),
    ),
    Bug(
        name="a session is laid to rest together with its attempts",
        origin="https://github.com/procrastinate-org/procrastinate/issues/1518",
        breaks="L5: what a dead session holds is found",
        needs=CUT_OFF | DEATHS,
        change=requeries("mark_dead", ("SET state = 2,", "SET state = 2, reclaimed = 1,")),
    ),
    Bug(
        name="attempts are reclaimed while their session lives on",
        origin="https://github.com/riverqueue/river/issues/1302",
        breaks="S16: a loss is one of a session that died",
        change=together(
            requeries("mark_dead", ("SET state = 2, closed_at = :now", "SET closed_at = :now")),
            requeries(
                "ended_sessions",
                ("s.state = 2 AS dead", "s.closed_at IS NOT NULL AS dead"),
                ("(s.state = 2 OR", "(s.closed_at IS NOT NULL OR"),
            ),
        ),
    ),
    Bug(
        name="tokens are counted instead of drawn",
        origin="a counter that a fail-over gives out again",
        breaks="S6: run and token name one attempt for ever",
        change=rewrites(Ids, "token", ("self._entropy(16)", "bytes(15) + b'1'")),
    ),
    Bug(
        name="an attempt has the number of the one before",
        origin="a counter that is not moved with the claim",
        breaks="S4: attempts are numbered without a gap",
        change=requeries("claim", ("attempt = attempt + 1", "attempt = max(attempt, 1)")),
    ),
    Bug(
        name="a retry begins to count attempts anew",
        origin="a counter that is set back by hand",
        breaks="S4: attempts are numbered without a gap",
        needs=frozenset({"retry"}),
        change=requeries("retry", ("1, h.attempt, 0, 0", "1, 0, 0, 0")),
    ),
    Bug(
        name="a key is not looked at when a request comes again",
        origin="a key that only the first request is checked by",
        breaks="S15: one key, one run",
        change=rewrites(creation, "take_keys", ("if not runs:", "if True:")),
    ),
    Bug(
        name="a run is started before it is due",
        origin="a due time that is looked at when the run is stored, and not again",
        breaks="S12: never early",
        change=requeries("due", ("AND r.due_at <= :now", "")),
    ),
    Bug(
        name="a run is started behind its deadline",
        origin="a deadline that is looked at only while the run is under way",
        breaks="S17: behind its deadline a run is given to nobody",
        change=together(
            requeries("due", ("AND (r.deadline_at IS NULL OR r.deadline_at > :now)", "")),
            requeries("late", ("deadline_at <= :now", "deadline_at <= :now - 60000000")),
        ),
    ),
    Bug(
        name="putting a doubtful claim back takes what others claimed",
        origin="a clean-up that names whom, and not which",
        breaks="S9: nobody else works on it while it is held here",
        needs=frozenset({"store_mutes"}),
        change=requeries("unclaim", ("AND token = :token", "")),
    ),
    Bug(
        name="log lines that are sent again are kept again",
        origin="a retry of a write that nothing tells from another write",
        breaks="S26: a log line is kept once",
        needs=frozenset({"store_mutes", "doubles"}),
        change=requeries("add_logs_day", (",\n  UNIQUE (run, token, seq)", "")),
    ),
    Bug(
        name="a cancelled run stays in its line",
        origin="two places, and one of the writes forgotten",
        breaks="S18: what is cancelled never runs",
        needs=frozenset({"cancel"}),
        change=requeries("finish_idle", ("WHERE state < 2 AND", "WHERE false AND")),
    ),
    Bug(
        name="a payload is deleted while its run is retried",
        origin="two places, and one of them tidied up too early",
        breaks="S16: a failure is one of a handler that began",
        needs=frozenset({"retry"}),
        change=rewrites(retrying, "start_again", ("if edited is not None:", "if edited is None:")),
    ),
]
