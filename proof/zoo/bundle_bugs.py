"""Bugs of attempts that are kept in bundles: the interleavings on real PostgreSQL must catch them."""

from proof.zoo.bug import Bug
from proof.zoo.changing import requeries

BUGS = [
    Bug(
        name="a bundle counts as settled although it is gone",
        origin="a statement that matches nothing and is taken for done",
        breaks="S7: the outcome of a run's owner is applied",
        functions={
            "succeed_bundled": (
                ("found_count IS DISTINCT FROM p_count + p_left", "false"),
                ("moved_count <> p_count", "false"),
                ("RETURN moved_count", "RETURN p_count"),
            )
        },
        caught_by="succeed its own bundle x undo",
    ),
    Bug(
        name="a bundle that is undone is kept as well",
        origin="two tables, and one of the deletes forgotten",
        breaks="S3: a run exists once",
        functions={"unbundle_old": (("IF p_runs IS NULL THEN\n    DELETE", "IF false THEN\n    DELETE"),)},
        caught_by="cancel x undo",
    ),
    Bug(
        name="a run that is taken out of its bundle stays in it",
        origin="two tables, and one of the deletes forgotten",
        breaks="S3: a run exists once",
        functions={"take_out": (("(h.id IN (SELECT unnest(p_runs))) IS NOT TRUE", "true"),)},
        caught_by="fail one of its own bundle x undo",
    ),
    Bug(
        name="what is left of a bundle goes with those that succeeded",
        origin="a clean-up that takes what lies together for what belongs together",
        breaks="S1: what is accepted is durable",
        functions={
            "succeed_bundled": (
                (
                    "PERFORM mainspring.keep_rest_1(p_torn, p_torn_parts, p_runs) WHERE p_left > 0",
                    (
                        "DELETE FROM mainspring.bundles AS b USING unnest(p_torn, p_torn_parts) AS t(token, part)"
                        " WHERE b.token = t.token AND b.part = t.part"
                    ),
                ),
            )
        },
        caught_by="succeed one of its own bundle x undo",
    ),
    Bug(
        name="a cancel does not look for runs in bundles",
        origin="a second place for what is live, and an act that knows of the first",
        breaks="S18: what is cancelled never runs",
        change=requeries("unbundle_of", ("ANY (:ids::uuid[])", "ANY (:ids::uuid[]) AND false"), database="postgres"),
        caught_by="bundled claim x cancel",
    ),
    Bug(
        name="what is claimed in bundles is given to sessions that may be dead",
        origin="https://github.com/procrastinate-org/procrastinate/issues/1518",
        breaks="S5: only who has a lease is given runs",
        functions={"claim_bundled": (("AND s.state = 0", ""),)},
        caught_by="bundled claim x expire session",
    ),
    Bug(
        name="who finds no bundle to undo takes its runs for gone",
        origin="check, then act",
        breaks="S7: the outcome of a run's owner is applied",
        functions={
            "succeed": (
                (
                    "PERFORM mainspring.unbundle_under_1(p_tokens)",
                    "EXIT WHEN mainspring.unbundle_under_1(p_tokens) = 0",
                ),
            )
        },
        caught_by="succeed another's bundle x undo",
    ),
]
