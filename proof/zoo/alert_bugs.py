"""Bugs in how alerts change, and in which channels are told."""

from mainspring.domain.alerts import decide
from proof.zoo.bug import TEST, Bug
from proof.zoo.changing import rewrites

TRIALS = "tests/proof/test_alerts_simulation.py::test_each_transition_is_written_once_and_each_notice_is_sent"

BUGS = [
    Bug(
        name="the alerts of a rule that was deleted end without a word",
        origin="found here: an incident elsewhere stayed open for good",
        breaks="a channel that was told of an alert is told of its end",
        change=rewrites(
            decide,
            "followed",
            ("return over(", "return Transition(alert=ended(alert, by.now), before=alert.revision) or over("),
        ),
        caught_by=TEST,
        test=TRIALS,
    ),
    Bug(
        name="a silence keeps back the end of what was told before it",
        origin="found here: an incident elsewhere stayed open for good",
        breaks="a channel that was told of an alert is told of its end",
        change=rewrites(decide, "over", ("if told else ()", "if told and not by.silenced(alert) else ()")),
        caught_by=TEST,
        test=TRIALS,
    ),
]
