"""`mainspring tokens`, `namespaces` and `audit` against a real server."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.scene import Place, Shell


@pytest.fixture
def call(place: Place, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("MAINSPRING_URL", place.url)
    monkeypatch.setenv("MAINSPRING_HOME", str(place.home))
    return shell


def made(call: Shell, *arguments: str) -> dict[str, object]:
    code, out, err = call("tokens", "create", *arguments, "-o", "json")
    assert (code, err) == (0, "")
    issued: dict[str, object] = json.loads(out)
    return issued


def id_of(issued: dict[str, object]) -> str:
    token = issued["token"]
    assert isinstance(token, dict)
    return str(token["id"])


def facts(out: str) -> dict[str, str]:
    lines = (re.split(r" {2,}", line, maxsplit=1) for line in out.splitlines())
    return {line[0]: line[1] for line in lines}


def test_a_token_is_printed_alone_on_stdout_and_opens_what_it_may(call: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    code, text, said = call("tokens", "create", "ci", "--role", "viewer", "--all-namespaces", "--expires-in", "30d")
    monkeypatch.setenv("MAINSPRING_TOKEN", text.strip())
    reads = call("namespaces", "list")
    writes = call("tokens", "list")

    assert code == 0
    assert text.startswith("ms_")
    assert text.count("\n") == 1
    assert "viewer of all namespaces; its text is shown only now" in said
    assert reads[0] == 0
    assert (writes[0], writes[1]) == (3, "")
    assert "tokens:read needs the role admin; the caller's is viewer" in writes[2]


def test_no_secret_is_on_the_disk_but_in_the_two_files_for_this_machine(call: Shell, place: Place) -> None:
    issued = str(made(call, "secretive", "--role", "viewer")["text"])
    kept = [(place.home / name).read_text().strip() for name in ("api.token", "executor.token")]
    secrets = [text.rpartition("_")[2].encode() for text in (issued, *kept)]
    others = [path for path in place.home.iterdir() if path.suffix != ".token"]

    assert any(path.name.startswith("mainspring.db") for path in others)
    assert [path.name for path in others if any(secret in path.read_bytes() for secret in secrets)] == []


def test_a_token_goes_through_its_life(call: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    issued = made(call, "robot", "--role", "operator")
    token = id_of(issued)
    shown = call("tokens", "show", token)
    rotated = json.loads(call("tokens", "rotate", token, "--overlap", "10m", "-o", "json")[1])
    listed = call("tokens", "list", "-o", "name")[1].split()
    revoked = call("tokens", "revoke", token)
    listed_after = call("tokens", "list", "-o", "name")[1].split()
    with_dead = call("tokens", "list", "--all", "-o", "name")[1].split()
    monkeypatch.setenv("MAINSPRING_TOKEN", rotated["text"])
    denied = call("namespaces", "list")

    assert shown[0] == 0
    assert facts(shown[1])["role"] == "operator"
    assert facts(shown[1])["namespace"] == "default"
    assert rotated["text"] != issued["text"]
    assert rotated["token"]["overlap_until"]
    assert token in listed
    assert facts(revoked[1])["state"] == "revoked"
    assert token not in listed_after
    assert token in with_dead
    assert denied[0] == 3
    assert f"token {token} was revoked" in denied[2]


def test_an_executor_s_token_is_bound_to_queues(call: Shell) -> None:
    issued = made(call, "mailers", "--role", "executor", "--queue", "mail", "--queue", "slow")
    _, shown, _ = call("tokens", "show", id_of(issued))

    assert facts(shown)["queues"] == "mail, slow"


def test_rotating_this_machine_s_own_token_does_not_lock_it_out(call: Shell, place: Place) -> None:
    before = (place.home / "api.token").read_text().strip()
    code, text, said = call("tokens", "rotate", before.split("_")[1])
    after = (place.home / "api.token").read_text().strip()

    assert code == 0
    assert text.strip() == after != before
    assert "the new secret is kept in" in said
    assert call("tokens", "list")[0] == 0


def test_the_last_admin_token_stays(call: Shell, place: Place) -> None:
    first = (place.home / "api.token").read_text().split("_")[1]
    code, _, said = call("tokens", "revoke", first)

    assert code == 3
    assert "is the last admin token for all namespaces: make another one first" in said
    assert call("tokens", "list")[0] == 0


def test_namespaces_are_made_used_and_deleted(call: Shell) -> None:
    unknown = call("tokens", "list", "--namespace", "team")
    created = call("namespaces", "create", "team", "--description", "the others", "--namespace", "team")
    found = call("tokens", "list", "--namespace", "team")
    token = id_of(made(call, "theirs", "--role", "viewer", "--namespace", "team"))
    full = call("namespaces", "delete", "team")
    call("tokens", "revoke", token)
    listed = call("namespaces", "list", "-o", "name")[1].split()
    deleted = call("namespaces", "delete", "team")

    assert unknown[0] == 3
    assert "make it with 'mainspring namespaces create team'" in unknown[2]
    assert created[0] == 0
    assert created[1].splitlines()[1].split()[0] == "team"
    assert found[0] == 0
    assert full[0] == 3
    assert "is not empty: it holds tokens" in full[2]
    assert listed == ["default", "team"]
    assert deleted == (0, "", "namespace team is deleted\n")


def test_a_bound_token_needs_no_namespace_to_be_named(call: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    call("namespaces", "create", "bound")
    issued = made(call, "theirs", "--role", "viewer", "--namespace", "bound")
    monkeypatch.setenv("MAINSPRING_TOKEN", str(issued["text"]))
    own = call("namespaces", "list", "-o", "name")
    foreign = call("namespaces", "list", "--namespace", "default")

    assert own[:2] == (0, "bound\n")
    assert foreign[0] == 3
    assert "this token is for namespace 'bound' only" in foreign[2]


def test_the_log_says_who_did_what(call: Shell) -> None:
    token = id_of(made(call, "watched", "--role", "viewer"))
    call("tokens", "revoke", token)
    _, table, _ = call("audit", "--key", token)
    _, text, more = call(
        "audit", "--kind", "token", "--actor", "first admin", "--since", "1h", "--limit", "1", "-o", "json"
    )
    _, first, said = call("audit", "--key", token, "--limit", "1")
    _, second, _ = call("audit", "--key", token, "--limit", "1", "--cursor", said.split()[-1])

    assert table.splitlines()[0].split() == ["at", "actor", "act", "key", "namespace", "details"]
    assert [
        line.count(f"token.{act}") for line, act in zip(table.splitlines()[1:], ("revoke", "create"), strict=True)
    ] == [1, 1]
    assert json.loads(text)["entries"][0]["actor"]["name"] == "first admin"
    assert more == ""
    assert ("token.revoke" in first, "token.create" in second) == (True, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("tokens", "create", "x"), 2, "--role"),
        (("tokens", "create", "x", "--role", "king"), 2, "'king' is not one of"),
        (("tokens", "create", "x", "--role", "viewer", "--expires-in", "soon"), 2, "not a length of time"),
        (("tokens", "create", "x", "--role", "viewer", "--expires-in", "0"), 3, "expires_in"),
        (("tokens", "create", "x", "--role", "viewer", "--queue", "q"), 3, "queues: are for executor tokens only"),
        (("tokens", "create", "\u0430", "--role", "viewer"), 3, "name"),
        (("tokens", "show", "nobody"), 3, "unknown token 'nobody'"),
        (("tokens", "rotate", "nobody", "--overlap", "31d"), 3, "overlap"),
        (("tokens", "list", "--cursor", "x"), 3, "cursor"),
        (("namespaces", "create", "No Such"), 3, "name"),
        (("namespaces", "delete", "default"), 3, "is always there"),
        (("namespaces", "delete", "nowhere"), 3, "unknown namespace 'nowhere'"),
        (("audit", "--since", "yesterday"), 2, "neither an instant"),
        (("audit", "--cursor", "1"), 3, "cursor"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_mistakes_are_said_in_one_line(call: Shell, arguments: tuple[str, ...], code: int, said: str) -> None:
    found, out, err = call(*arguments)

    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def test_whoever_has_the_database_gets_in_again(shell: Shell, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'm.db'}"
    unready = shell("tokens", "create", "rescue", "--role", "admin", "--all-namespaces", "--database-url", url)
    shell("migrate", "--database-url", url)
    code, text, said = shell("tokens", "create", "rescue", "--role", "admin", "--all-namespaces", "--database-url", url)
    nowhere = shell("tokens", "create", "x", "--role", "admin", "--namespace", "nowhere", "--database-url", url)

    assert unready[0] == 4
    assert "mainspring migrate" in unready[2]
    assert code == 0
    assert text.startswith("ms_")
    assert "admin of all namespaces" in said
    assert nowhere[0] == 3
