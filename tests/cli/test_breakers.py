"""`mainspring breakers` against a real server."""

import json

from tests.cli.scene import Shell


def test_a_breaker_is_defined_and_shown(call: Shell) -> None:
    code, said, _ = call(
        *("breakers", "set", "sms", "--failures", "40%", "--slow", "80%", "--slow-after", "2s", "--window", "1m"),
        *("--min-calls", "10", "--wait", "5s", "--wait-max", "1m", "--probes", "3", "--ignore", "InvalidNumber"),
    )
    found = json.loads(call("breakers", "show", "sms", "-o", "json")[1])

    assert code == 0
    assert "40% failed or 80% over 2 s, of at least 10 calls in 60 s" in said
    assert (found["state"], found["rule"]["ignore"]) == ("closed", ["InvalidNumber"])
    assert "sms" in call("breakers", "list")[1]
    assert call("breakers", "delete", "sms")[0] == 0


def test_an_operator_steers_it_and_its_history_says_so(call: Shell) -> None:
    call("breakers", "set", "mail")

    for verb, state in (("force-open", "forced_open"), ("disable", "disabled"), ("watch-only", "metrics_only")):
        assert call("breakers", verb, "mail", "--reason", "drill")[:2] == (0, f"mail: {state}\n")
    assert call("breakers", "resume", "mail")[:2] == (0, "mail: closed\n")
    assert call("breakers", "reset", "mail")[:2] == (0, "mail: closed\n")
    changes = json.loads(call("breakers", "history", "mail", "-o", "json")[1])["changes"]
    assert [change["state"] for change in changes] == ["closed", "closed", "metrics_only", "disabled", "forced_open"]
    assert changes[-1]["reason"] == "drill"


def test_nonsense_is_refused_in_one_line(call: Shell) -> None:
    for words in (
        ("set", "x", "--failures", "150%"),
        ("set", "x", "--failures", "many"),
        ("set", "x", "--window", "0s"),
        ("set", "x", "--slow", "50%"),
        ("set", "x", "--window-calls", "5"),
        ("show", "maill"),
        ("force-open", "nobody"),
    ):
        code, _, said = call("breakers", *words)
        assert code != 0
        assert "Traceback" not in said


def test_a_rule_is_tried_and_what_nobody_knows_is_said(call: Shell) -> None:
    code, out, errors = call(
        "breakers", "what-if", "unnamed", "--failures", "40%", "--min-calls", "2", "--ignore", "Bad"
    )

    assert code == 0, errors
    assert "none names it" in out
    assert "calls that handlers make by ctx.breaker" in out
    assert "the bases of error classes" in out
