"""A real OpenID Connect provider on this machine, and people who sign in there."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PEOPLE = {
    "1-anna": {"name": "Anna", "preferred_username": "Anna", "groups": ["platform", "all"]},
    "2-ben": {"name": "Ben", "preferred_username": "ben", "groups": ["billing"]},
    "3-cleo": {"name": "Cleo\u202e", "preferred_username": "cleo", "groups": ["strangers"]},
}
LOOPBACK = ("127.0.0.0/8", "::1/128")


@contextmanager
def providing() -> Iterator[str]:
    """The issuer of a provider that knows PEOPLE, in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.identity.provider"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
        process.terminate()


def provide() -> None:
    """Serve until the standard input ends, as it does when the test's process has died."""
    from oidc_provider_mock import User, run_server_in_thread  # type: ignore[import-untyped]

    people = [User(sub=subject, claims=claims) for subject, claims in PEOPLE.items()]
    with run_server_in_thread(user_claims=people, require_nonce=True) as server:
        print(f"http://localhost:{server.server_port}", flush=True)
        sys.stdin.read()


def describe(folder: Path, issuer: str, **more: str) -> str:
    """A file that describes the provider, with roles for two groups."""
    path = folder / "corp.toml"
    lines = {"issuer": issuer, "client_id": "mainspring", "client_secret": "a secret", "title": "Example", **more}
    text = "".join(f'{name} = "{value}"\n' for name, value in lines.items())
    path.write_text(text + '[roles]\nplatform = "admin"\nbilling = { default = "operator", other = "viewer" }\n')
    return str(path)


if __name__ == "__main__":
    provide()
