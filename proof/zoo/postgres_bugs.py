"""Bugs that only concurrent transactions show: the interleavings on real PostgreSQL must catch them."""

import asyncpg

from mainspring.store.postgres.connection import Database
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites, sets, together

UNLOCKED = ("FOR UPDATE", "")
RERUN_HEAD = """WITH claimed AS (
    UPDATE mainspring.runs AS r
    SET state = 2, attempt = r.attempt + 1, session = slots[1], token = p_token, claimed_at = p_now
    WHERE r.state = 1 AND r.line = ANY (p_lines) AND EXISTS (SELECT FROM ("""
RERUN_TAIL = """) AS q
  ), claimed AS (
    UPDATE mainspring.runs AS r
    SET state = 2, attempt = r.attempt + 1, session = slots[picked.position], token = p_token, claimed_at = p_now
    FROM picked
    WHERE r.ctid = picked.place
    RETURNING r.session, picked.position,"""
"""The popular way to write a claim, in which nothing keeps the sub-select from being run once for every row."""

BUGS = [
    Bug(
        name="a claim locks nothing",
        origin="https://github.com/agronholm/apscheduler/issues/959",
        breaks="S5: a run has one owner",
        functions={
            "claim": (
                ("FOR UPDATE SKIP LOCKED", ""),
                ("c.ctid AS place", "c.id AS place"),
                ("r.ctid = picked.place", "r.id = picked.place"),
            )
        },
        caught_by="claim x claim",
    ),
    Bug(
        name="the limit of a claim is in a sub-select that runs again for every row",
        origin="PostgreSQL: LIMIT in a sub-select that is not materialised",
        breaks="S20: nobody is given more than it asked for",
        functions={
            "claim": (
                (
                    "WITH picked AS MATERIALIZED (\n    SELECT q.place, row_number() OVER () AS position\n    FROM (",
                    RERUN_HEAD,
                ),
                (RERUN_TAIL, ") AS q WHERE q.place = r.ctid)\n    RETURNING r.session, 1 AS position,"),
            )
        },
        caught_by="two of three x two of three",
    ),
    Bug(
        name="in PostgreSQL a success is accepted by the run's id alone",
        origin="https://github.com/rails/solid_queue/issues/589",
        breaks="S7: no outcome of a stale attempt is applied",
        functions={"succeed": (("AND r.token = e.token", ""),)},
        caught_by="stale succeed x claim",
    ),
    Bug(
        name="lapsed sessions are read first and buried later, whatever happened between",
        origin="https://github.com/riverqueue/river/issues/1302",
        breaks="S5: a renewed lease is good",
        change=requeries("lapsed", ("FOR UPDATE SKIP LOCKED", ""), database="postgres"),
        caught_by="renew x expire session",
    ),
    Bug(
        name="a claim does not lock the session it is for",
        origin="https://github.com/procrastinate-org/procrastinate/issues/1518",
        breaks="L5: what a dead session holds is found",
        functions={"claim": (("FOR KEY SHARE", ""),)},
        caught_by="claim x expire session x lay to rest",
    ),
    Bug(
        name="a run is born claimed for a session that is not locked",
        origin="https://github.com/procrastinate-org/procrastinate/issues/1518",
        breaks="L5: what a dead session holds is found",
        functions={"create_claimed": (("FOR KEY SHARE", ""),)},
        caught_by="born claimed x close session x lay to rest",
    ),
    Bug(
        name="a session is closed without waiting for a claim under way",
        origin="a plain UPDATE does not conflict with FOR KEY SHARE",
        breaks="L5: what a dead session holds is found",
        change=requeries("close_session", UNLOCKED, database="postgres"),
        caught_by="claim x close session x lay to rest",
    ),
    Bug(
        name="an ending attempt is read without a lock, then written",
        origin="https://github.com/apache/airflow/issues/12396",
        breaks="S8: an attempt is settled once",
        change=requeries("hold", UNLOCKED, database="postgres"),
        caught_by="fail x reclaim",
    ),
    Bug(
        name="a cancel reads a run without a lock, then writes",
        origin="check, then act",
        breaks="S18: what is cancelled never runs",
        change=requeries("lock_live", ("FOR UPDATE OF r", ""), database="postgres"),
        caught_by="claim x cancel",
    ),
    Bug(
        name="in PostgreSQL a doubtful claim is put back although its run is to be cancelled",
        origin="https://github.com/celery/celery/issues/1628",
        breaks="S18: what is cancelled never runs",
        change=requeries(
            "unclaim",
            ("AND (r.reason IS NULL OR r.reason NOT IN ('cancelling', 'suspending'))", ""),
            database="postgres",
        ),
        caught_by="unclaim x cancel",
    ),
    Bug(
        name="in PostgreSQL a doubtful claim is put back although its run is to yield",
        origin="a second kind of wish, and a clean-up that knows of the first",
        breaks="S35: what is suspended is given to nobody",
        change=requeries("unclaim", ("NOT IN ('cancelling', 'suspending')", "<> 'cancelling'"), database="postgres"),
        caught_by="unclaim x suspend",
    ),
    Bug(
        name="who owns a run is read without a lock, then something is remembered for it",
        origin="check, then act",
        breaks="S31: only the attempt that owns a run adds to what it remembers",
        change=requeries("lock_owned", ("FOR UPDATE", ""), database="postgres"),
        caught_by="remember x reclaim",
    ),
    Bug(
        name="two retries put one run back twice",
        origin="https://github.com/apache/airflow/issues/19038",
        breaks="S3: a run exists once",
        change=requeries("lock_past", ("FOR UPDATE OF h", ""), database="postgres"),
        caught_by="retry x retry",
    ),
    Bug(
        name="a key is looked up before it is taken",
        origin="check, then act",
        breaks="S15: one key, one run",
        functions={
            "create_full": (
                (
                    "g.id IN (SELECT w.run FROM won AS w)",
                    "NOT EXISTS (SELECT FROM mainspring.keys AS k WHERE k.namespace = p_namespace AND k.key = g.key)",
                ),
            )
        },
        caught_by="create x create, one key",
    ),
    Bug(
        name="a connection goes back to the pool inside a transaction that failed",
        origin="a pool that lends what it was given back, as it is",
        breaks="S1: what is accepted is durable",
        change=together(
            rewrites(
                Database,
                "transaction",
                ("async with connection.transaction():", "await connection.execute('BEGIN')\n        if connection:"),
                (
                    "return await work(connection)",
                    "return (await work(connection), await connection.execute('COMMIT'))[0]",
                ),
            ),
            sets(asyncpg.Connection, "is_in_transaction", lambda _: False),
        ),
        caught_by="a failed transaction leaves no trace",
    ),
]
