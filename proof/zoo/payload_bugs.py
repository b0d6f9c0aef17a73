"""Bugs in the keeping of inputs apart from their runs."""

from proof.zoo.bug import Bug
from proof.zoo.changing import requeries

BUGS = [
    Bug(
        name="a payload is deleted with that of another run",
        origin="a clean-up that takes what lies together for what belongs together",
        breaks="S2: what is executed was asked for",
        change=requeries(
            "forget_payloads",
            (
                "DELETE FROM payloads\nWHERE run IN (SELECT f.run FROM forgotten AS f ORDER BY f.run LIMIT 500)",
                "DELETE FROM payloads\nWHERE run <= (SELECT max(f.run) FROM forgotten AS f)",
            ),
        ),
    ),
]
