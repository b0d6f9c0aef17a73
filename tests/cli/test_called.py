"""Webhooks and events from the command line."""

import hashlib
import hmac
import json
import re
from pathlib import Path

import httpx2

from tests.cli.scene import Place, Shell

GREETING = '{"name": "Anna"}'


def signature(secret: str, body: str) -> str:
    return hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()


def test_show_says_what_a_repeated_call_of_a_webhook_does(call: Shell, tmp_path: Path) -> None:
    rules: dict[str, tuple[dict[str, object], str]] = {
        "plain": ({}, "start another run at any time"),
        "timed": ({"timestamp_header": "x-time"}, "start another run within 300 s of signing"),
        "keyed": ({"key": "$.id"}, "start no second run with the same $.id"),
        "remembering": ({"remember_calls": True}, "start no second run: signed calls are remembered"),
    }
    file = tmp_path / "hooks.jsonl"
    lines = [{"name": name, "job": "greet", "when": {"kind": "webhook", **rule}} for name, (rule, _) in rules.items()]
    file.write_text("\n".join(json.dumps(line) for line in lines))
    assert call("triggers", "load", str(file))[0] == 0

    for name, (_, words) in rules.items():
        assert re.search(rf"repeated calls +{re.escape(words)}", call("triggers", "show", name)[1])


def test_a_webhook_gets_a_secret_is_tried_out_and_called(call: Shell, place: Place) -> None:
    assert call("triggers", "create", "hello", "--job", "greet", "--webhook")[0] == 0
    code, out, err = call("triggers", "secret", "hello")
    secret, address = out.strip(), err.partition("address: ")[2].strip()
    header = f"X-Mainspring-Signature: {signature(secret, GREETING)}"
    tried = json.loads(call("triggers", "test", "hello", "--body", GREETING, "--header", header, "-o", "json")[1])

    assert code == 0
    assert address.startswith(f"{place.url}/hooks/")
    assert (tried["would_run"], tried["signed"], tried["input"]) == (True, True, {"name": "Anna"})
    assert "has to hold a signature" in call("triggers", "test", "hello", "--body", GREETING)[1]

    headers = {"content-type": "application/json", "x-mainspring-signature": signature(secret, GREETING)}
    run = httpx2.post(address, content=GREETING, headers=headers).json()["id"]
    assert call("runs", "wait", run, "--timeout", "10")[0] == 0


def test_an_old_secret_may_stay_for_a_while(call: Shell) -> None:
    call("triggers", "create", "kept", "--job", "greet", "--webhook")
    call("triggers", "secret", "kept")
    made = json.loads(call("triggers", "secret", "kept", "--grace", "1h", "-o", "json")[1])

    assert made["hook"]["old_until"] is not None
    assert made["hook"]["path"] in call("triggers", "address", "kept")[1]
    assert json.loads(call("triggers", "address", "kept", "-o", "json")[1]) == made["hook"]
    assert call("triggers", "secret", "nothing")[0] == 3


def test_an_event_is_told_to_those_who_wait(call: Shell, tmp_path: Path) -> None:
    call("triggers", "create", "welcome", "--job", "greet", "--event", "user.new")
    code, out, err = call("events", "publish", "user.new", GREETING, "--id", "u-1")
    (tmp_path / "data.json").write_text(GREETING)
    again = call("events", "publish", "user.new", f"@{tmp_path / 'data.json'}", "--id", "u-1")

    assert (code, again[0], again[1]) == (0, 0, out)
    assert "trigger welcome" in err
    assert "had this event before" in again[2]
    assert call("runs", "wait", out.strip(), "--timeout", "10")[0] == 0
    assert "refused the event" in call("events", "publish", "user.new", '{"age": 5}')[2]


def test_what_nobody_waits_for_is_said(call: Shell) -> None:
    code, out, err = call("events", "publish", "nobody.waits")

    assert (code, out) == (0, "")
    assert "no trigger and no workflow run waits" in err
    assert call("events", "types", "--limit", "5")[1].split()[:3] == ["type", "told", "runs"]
    assert call("events", "publish", "user.new", "{")[0] == 2
    assert call("events", "publish", "user.new", "@nothing.json")[0] == 2
    assert call("triggers", "test", "hello", "--header", "nonsense")[0] == 2
