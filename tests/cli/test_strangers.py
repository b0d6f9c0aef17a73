"""The command line against what is not the server it expects: one clear line each, and what to do."""

import pytest

from mainspring import AsyncClient, Client, MainspringError, NotFoundError
from mainspring.cli.doctor.checks.server import check_versions
from mainspring.client.handles import RunHandle
from mainspring.client.sync.handles import SyncRunHandle
from mainspring.client.transport.versions import difference
from mainspring.version import __version__
from tests.cli.scene import Shell
from tests.cli.strangers import stranger

RUN = "01900000-0000-7000-8000-000000000000"
NO_ROUTE = b'{"code": "not_found", "detail": "Not Found", "status": 404}'
UNKNOWN_FIELD = b'{"code": "unknown_field", "detail": "object contains unknown field labels", "field": "labels"}'


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAINSPRING_TOKEN", "any")


@pytest.mark.parametrize(
    ("code", "content", "headers", "exit_code", "said"),
    [
        (404, b"<html>nope</html>", {}, 5, "is not a Mainspring server: it answered 404; look at the address"),
        (404, b'{"message": "no"}', {}, 5, "is not a Mainspring server: it answered 404"),
        (200, b"<html>hello</html>", {}, 5, "is not a Mainspring server"),
        (200, b"{}", {}, 5, "is not a Mainspring server"),
        (502, b"<html>bad gateway</html>", {}, 5, "answered 502 without a reason; is something between that gave up?"),
        (301, b"", {"location": "https://x/"}, 5, "sends callers on to https://x/: use that address"),
        (404, NO_ROUTE, {"mainspring_version": "0.0.1"}, 3, "older than {here} here: upgrade the server"),
        (404, NO_ROUTE, {"mainspring_version": "9.0"}, 3, "newer than {here} here: upgrade mainspring here"),
        (404, NO_ROUTE, {"mainspring_version": __version__}, 3, "does not know this request; is the address complete?"),
        (200, b'{"runs": 7}', {"mainspring_version": "9.0.0"}, 5, "cannot read"),
        (422, UNKNOWN_FIELD, {"mainspring_version": "0.0.9"}, 3, "labels; the server is 0.0.9, older than"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_whatever_answers_is_told_in_one_line(
    shell: Shell, code: int, content: bytes, headers: dict[str, str], exit_code: int, said: str
) -> None:
    with stranger(code, content, **headers) as url:
        found, out, err = shell("runs", "list", "--url", url)

    assert (found, out) == (exit_code, "")
    assert said.format(here=__version__) in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_nothing_there_is_told_with_what_to_do(shell: Shell) -> None:
    code, _, err = shell("runs", "list", "--url", "http://127.0.0.1:1")

    assert code == 5
    assert err.startswith("mainspring: http://127.0.0.1:1 cannot be reached: nothing listens there; ")
    assert err.endswith("start one with 'mainspring up', or name another by --url or --context\n")


def test_a_host_that_does_not_exist_is_told(shell: Shell) -> None:
    assert "the name of the host is not known" in shell("runs", "list", "--url", "http://no-such-host.invalid")[2]


def test_tls_where_none_is_spoken_is_told(shell: Shell) -> None:
    with stranger(200, b"") as url:
        err = shell("runs", "list", "--url", url.replace("http:", "https:"))[2]

    assert "it does not speak TLS as expected; is the address http or https?" in err


async def test_the_sdk_says_the_same() -> None:
    with stranger(404, b"<html>nope</html>") as url:
        foreign = await failure(url)
    with stranger(404, NO_ROUTE, mainspring_version="9.0") as url:
        newer = await failure(url)
    nothing = await failure("http://127.0.0.1:1")

    assert (foreign.code, "is not a Mainspring server" in str(foreign)) == ("not_mainspring", True)
    assert "upgrade mainspring here" in str(newer)
    assert (nothing.code, str(nothing)) == (
        "unreachable",
        "http://127.0.0.1:1 cannot be reached: nothing listens there",
    )


async def test_a_server_that_does_not_know_the_address_says_nothing_of_a_run() -> None:
    with stranger(404, NO_ROUTE, mainspring_version=__version__) as url:
        with Client(url, token="any") as client, pytest.raises(NotFoundError, match="does not know this request"):
            SyncRunHandle(client, RUN, existing=False).exists()
        async with AsyncClient(url, token="any") as client:
            with pytest.raises(NotFoundError, match="does not know this request"):
                await RunHandle(client, RUN, existing=False).exists()


async def failure(url: str) -> MainspringError:
    async with AsyncClient(url, token="any") as client:
        with pytest.raises(MainspringError) as raised:
            await client.get(RUN)
    return raised.value


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        ("", ""),
        ("1.2.3", ""),
        ("1.2.4", "; the server is 1.2.4, newer than 1.2.3 here: upgrade mainspring here"),
        ("1.10", "; the server is 1.10, newer than 1.2.3 here: upgrade mainspring here"),
        ("1.2.3rc1", "; the server is 1.2.3rc1, older than 1.2.3 here: upgrade the server"),
        ("0.9.9", "; the server is 0.9.9, older than 1.2.3 here: upgrade the server"),
    ],
)
def test_versions_are_compared_by_their_numbers(theirs: str, said: str) -> None:
    assert difference(theirs, "1.2.3") == said


@pytest.mark.parametrize(
    ("theirs", "grade"), [("1.2.3", "ok"), ("1.2.9", "ok"), ("1.3.0", "warn"), ("2.0.0", "warn"), ("0.2.3", "warn")]
)
def test_the_doctor_minds_only_versions_that_may_not_fit(theirs: str, grade: str) -> None:
    assert check_versions(theirs, "1.2.3").grade == grade
