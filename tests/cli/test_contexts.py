"""Contexts: several servers by name, kept in a file of the user's own."""

import socket
import stat
from io import StringIO
from pathlib import Path

import msgspec
import pytest

from mainspring.errors import ConfigError
from mainspring.settings import ClientSettings, load
from mainspring.settings.sources import NO_CONTEXT
from tests.cli.scene import Place, Shell

PROD = "https://prod.example.com"


@pytest.fixture
def file(user_folder: Path) -> Path:
    return user_folder / "mainspring" / "contexts.toml"


@pytest.fixture
def env(user_folder: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(user_folder)}


@pytest.fixture
def prod(shell: Shell, env: dict[str, str]) -> dict[str, str]:
    """A user with one context, in use, whose token is in the variable PROD_TOKEN."""
    assert shell("context", "add", "prod", "--url", PROD, "--namespace", "shop", "--token-env", "PROD_TOKEN")[0] == 0
    return {**env, "PROD_TOKEN": "of-prod"}


def test_the_first_context_is_in_use_and_the_file_is_its_owner_s(shell: Shell, file: Path) -> None:
    shell("context", "add", "prod", "--url", PROD)
    shell("context", "add", "test", "--url", "http://127.0.0.1:1", "--namespace", "t")
    _, listed, _ = shell("context", "list")

    assert listed.splitlines() == [
        "current  name  url                       namespace  token",
        "*        prod  https://prod.example.com  default    -",
        "         test  http://127.0.0.1:1        t          -",
    ]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["contexts.toml"]


def test_use_show_and_remove(shell: Shell) -> None:
    shell("context", "add", "a", "--url", PROD)
    shell("context", "add", "b", "--url", PROD, "--use")
    _, shown, _ = shell("context", "show", "--output", "json")
    used = shell("context", "use", "a")
    _, names, _ = shell("context", "list", "--output", "name")
    removed = shell("context", "remove", "a")
    gone, _, said = shell("context", "show")
    none = shell("context", "use", "--none")

    assert msgspec.json.decode(shown)["name"] == "b"
    assert (used[0], used[2]) == (0, "in use: a\n")
    assert names == "a\nb\n"
    assert (removed[0], removed[2]) == (0, "removed a, which was in use: now none is\n")
    assert (gone, said) == (
        2,
        "mainspring: no context is in use: name one, or choose one by 'mainspring context use NAME'\n",
    )
    assert none[0] == 0


def test_a_stored_token_is_read_from_stdin_and_never_shown(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("s3cret\n"))
    shell("context", "add", "prod", "--url", PROD, "--store-token")
    said = "".join(shell("context", "show")[1:]) + "".join(shell("context", "list")[1:])

    monkeypatch.setattr("sys.stdin", StringIO(""))
    missing = shell("context", "add", "other", "--url", PROD, "--store-token")

    assert load(ClientSettings, env=env).token == "s3cret"
    assert (missing[0], "there is no token on stdin" in missing[2]) == (2, True)
    assert "s3cret" in file.read_text()
    assert "s3cret" not in said
    assert "***" in said


def test_a_flag_wins_over_a_variable_that_over_the_context_that_over_the_file(
    prod: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "c.toml").write_text('[client]\nurl = "http://file"\nnamespace = "file"\nhome = "/file"\n')
    config = str(tmp_path / "c.toml")
    by_context = load(ClientSettings, env=prod, config=config)
    by_variable = load(ClientSettings, env={**prod, "MAINSPRING_NAMESPACE": "variable", "MAINSPRING_TOKEN": "t"})
    by_flag = load(ClientSettings, {"namespace": "flag"}, env={**prod, "MAINSPRING_NAMESPACE": "variable"})

    assert by_context == ClientSettings(home="/file", url=(PROD,), token="of-prod", namespace="shop")
    assert (by_variable.url, by_variable.namespace, by_variable.token) == ((PROD,), "variable", "t")
    assert by_flag.namespace == "flag"


def test_a_context_named_by_a_flag_wins_over_variables(prod: dict[str, str]) -> None:
    env = {**prod, "MAINSPRING_URL": "http://variable", "MAINSPRING_TOKEN": "t", "MAINSPRING_NAMESPACE": "n"}

    assert load(ClientSettings, env=env, context="prod") == ClientSettings(
        url=(PROD,), token="of-prod", namespace="shop"
    )


def test_whoever_names_an_address_uses_no_context_so_its_token_goes_nowhere_else(prod: dict[str, str]) -> None:
    by_flag = load(ClientSettings, {"url": "http://other"}, env=prod)
    by_variable = load(ClientSettings, env={**prod, "MAINSPRING_URL": "http://other", "MAINSPRING_CONTEXT": "prod"})

    assert by_flag == by_variable == ClientSettings(url=("http://other",))


def test_an_executor_depends_on_no_person_s_contexts(prod: dict[str, str]) -> None:
    assert load(ClientSettings, env=prod, context=NO_CONTEXT) == ClientSettings()


def test_a_variable_chooses_another_context(shell: Shell, prod: dict[str, str]) -> None:
    shell("context", "add", "test", "--url", "http://127.0.0.1:1")

    assert load(ClientSettings, env=prod).url == (PROD,)
    assert load(ClientSettings, env={**prod, "MAINSPRING_CONTEXT": "test"}).url == ("http://127.0.0.1:1",)


def test_commands_go_where_the_context_leads(place: Place, shell: Shell) -> None:
    shell("context", "add", "here", "--url", place.url, "--home", str(place.home))
    by_use = shell("runs", "list", "--limit", "1")
    shell("context", "use", "--none")
    by_name = shell("runs", "list", "--context", "here", "--limit", "1")
    unknown = shell("runs", "list", "--context", "her")
    twice = shell("runs", "list", "--context", "here", "--url", place.url)

    assert by_use[0] == by_name[0] == 0
    assert (unknown[0], twice[0]) == (2, 2)
    assert "did you mean here?" in unknown[2]
    assert "--url and --context both name a server" in twice[2]


def test_a_token_file_is_used_if_only_its_owner_can_read_it(shell: Shell, tmp_path: Path, env: dict[str, str]) -> None:
    token = tmp_path / "token"
    token.write_text("of-file\n")
    token.chmod(0o600)
    shell("context", "add", "prod", "--url", PROD, "--token-file", str(token))
    private = load(ClientSettings, env=env).token
    token.chmod(0o640)

    assert private == "of-file"
    with pytest.raises(ConfigError, match="can be read by others, so its token is not used: run chmod 600"):
        load(ClientSettings, env=env)
    assert load(ClientSettings, {"token": "given"}, env=env).token == "given"


def test_a_contexts_file_with_a_token_that_others_can_read_is_refused(file: Path, env: dict[str, str]) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(f'current = "a"\n[context.a]\nurl = "{PROD}"\ntoken = "t"\n')
    file.chmod(0o644)

    with pytest.raises(ConfigError, match="chmod 600"):
        load(ClientSettings, env=env)


def test_a_variable_that_is_not_set_is_said(prod: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="its token is in the variable PROD_TOKEN, which is not set"):
        load(ClientSettings, env={**prod, "PROD_TOKEN": ""})


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("a b", "--url", PROD), "'a b' is not a name"),
        (("prod", "--url", PROD), "There is a context 'prod' already; --force replaces it"),
        (("x", "--url", "prod.example.com"), "is not the address of a server"),
        (("x",), "Missing option '--url'"),
        (("x", "--url", PROD, "--token-env", "A-B"), "is not the name of a variable"),
        (("x", "--url", PROD, "--token-file", "/no/such"), "--token-file: '/no/such' cannot be read"),
        (("x", "--url", PROD, "--token-env", "A", "--token-file", __file__), "names its token more than once"),
    ],
)
def test_a_context_that_could_not_work_is_refused_and_nothing_is_written(
    shell: Shell, prod: dict[str, str], file: Path, arguments: tuple[str, ...], reason: str
) -> None:
    before = file.read_text()
    code, _, said = shell("context", "add", *arguments)

    assert code == 2
    assert reason in said
    assert file.read_text() == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[context", "contexts file"),
        ("curent = 'a'", "expected `current` and tables"),
        ("[context.a]\nnamespace = 'n'", "[context.a] needs a url"),
        ("[context.a]\nurl = 'http://a'\ntokn_file = 'f'", "tokn_file: unknown setting; did you mean token_file?"),
        ("[context.a]\nurl = 'http://a'\ntoken = 't'\ntoken_env = 'T'", "names its token more than once"),
        ("current = 'b'\n[context.a]\nurl = 'http://a'", "no context 'b'"),
    ],
)
def test_a_broken_contexts_file_is_one_clear_line(file: Path, env: dict[str, str], text: str, reason: str) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text)

    with pytest.raises(ConfigError) as refused:
        load(ClientSettings, env=env)
    assert reason in str(refused.value)


def test_quotes_and_backslashes_survive_the_file(shell: Shell, env: dict[str, str]) -> None:
    shell("context", "add", "odd", "--url", PROD, "--home", '/tmp/a"b\\c ü')

    assert load(ClientSettings, env=env).home == '/tmp/a"b\\c ü'


def test_a_context_may_have_several_addresses(shell: Shell, place: Place) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{held.getsockname()[1]}"
        added, _, _ = shell("context", "add", "both", "--url", f"{gone},{place.url}", "--home", str(place.home))
        listed, _, _ = shell("runs", "list", "--limit", "1", "--context", "both")
    refused, _, said = shell("context", "add", "bad", "--url", "http://127.0.0.1:1,ftp://127.0.0.1:2")

    assert (added, listed, refused) == (0, 0, 2)
    assert "'ftp://127.0.0.1:2' is not the address of a server" in said
