"""Write docs/reference/settings.md from the settings themselves, so that the page cannot lie."""

import ast
import inspect
from itertools import pairwise
from pathlib import Path

import msgspec

from mainspring.settings import sections
from mainspring.settings.sections import Section
from mainspring.settings.sources import SECTIONS
from mainspring.settings.text import to_text

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "settings.md"

HEAD = """\
# Settings

<!-- Written from the code by `make docs-settings`; a test compares. -->

## Where a setting comes from

The first of these that has it:

1. a **flag** of the command;
2. the **environment**, `MAINSPRING_…`. A secret may be in a file instead, named by `MAINSPRING_…_FILE`, as containers
   mount them;
3. the **context** in use, for the settings of `[client]` (below);
4. the **file** that `--config` or `MAINSPRING_CONFIG` names, or else `mainspring.toml` in the current folder (commands only;
   the SDK reads no file that nobody named);
5. the **home** of a server on this machine, for tokens;
6. the **default**.

`mainspring config show --origin` prints every setting with its value and where that came from, secrets hidden.
`mainspring config check FILE` says all that is wrong with a file. A variable, table or key that is not known is an error,
with the nearest that is.

A `mainspring.toml` that is read only because it lies in the current folder may not have a `[client]` table: a folder that
one happens to stand in must not say where one's token is sent.

The token in a home that nobody named (`.mainspring` of the current folder) is sent to this machine only.

## Contexts

A context is a server by name: its address, a namespace, and a token or where to find it.

```sh
mainspring context add prod --url https://mainspring.example.com --token-file ~/.secrets/mainspring
mainspring context add test --url https://test.example.com --token-env TEST_TOKEN --use
mainspring context list
mainspring context use prod
mainspring runs list --context test
```

They are kept in `$XDG_CONFIG_HOME/mainspring/contexts.toml` (`~/.config` if that is not set), which only its owner can
read. A token itself is in there only if it was added by `--store-token`. A token file, or a contexts file with a token in
it, that others can read is refused.

- `--context NAME` counts as a flag: it wins over the environment. It cannot be given with `--url`.
- `MAINSPRING_CONTEXT`, or else the context in use, counts below the environment.
- A client of the SDK that is made without an address finds its server in the same way.
- An address may be several with commas between them, as below.
- A command that names an address, by `--url` or (unless `--context` is given) by `MAINSPRING_URL`, uses no context: the token
  of one server is never sent to another.

## Several servers

Servers that work on one PostgreSQL are one to callers. `MAINSPRING_URL=http://a:8484,http://b:8484`, `--url` with the same,
a context, `url = ["http://a:8484", "http://b:8484"]` in a file, and `Client(["http://a:8484", "http://b:8484"])` name them all.

An executor takes the same variable: `MAINSPRING_URL` names the servers that it connects to, unless `--server` (once for each,
or with commas) or `MAINSPRING_EXECUTOR_SERVERS` names others. It uses no context.

- A call goes to the first. If nothing listens there, or the server drains or starts, the call goes to the next at once.
- A server that failed is tried last for a second, then two, up to a minute, and after that in its place again.
- A call whose connection breaks before the answer comes is repeated only if a second time makes no difference: everything that
  reads, a cancel, an enqueue with a `key`, an event with an `id`. Any other call fails, and may have been done all the same.
- `result()`, `wait()`, streams and followed logs go on where they were, through another server.
"""


def page() -> str:
    return "\n".join([HEAD, *(table(section) for section in SECTIONS)])


def table(section: type[Section]) -> str:
    meanings = descriptions()[section.__name__]
    rows = [row(section, field, meanings.get(field.name, "")) for field in listed(section)]
    head = [
        f"## [{section.table}]",
        "",
        section.__doc__ or "",
        "",
        "| setting | variable | default | |",
        "|---|---|---|---|",
    ]
    return "\n".join([*head, *rows, ""])


def row(section: type[Section], field: msgspec.structs.FieldInfo, meaning: str) -> str:
    variable = section.prefix + field.name.upper()
    secret = f", or `{variable}_FILE`" if field.name in section.secrets else ""
    default = to_text(field.default if field.default is not msgspec.NODEFAULT else field.default_factory())
    return f"| `{field.name}` | `{variable}`{secret} | {f'`{default}`' if default else ''} | {meaning} |"


def listed(section: type[Section]) -> list[msgspec.structs.FieldInfo]:
    """Its own settings; a section inside it has a table of its own."""
    return [field for field in msgspec.structs.fields(section) if not isinstance(field.default, Section)]


def descriptions() -> dict[str, dict[str, str]]:
    """The text below each setting in the code, by class and name."""
    found: dict[str, dict[str, str]] = {}
    for part in ast.parse(inspect.getsource(sections)).body:
        if isinstance(part, ast.ClassDef):
            found[part.name] = described(part.body)
    return found


def described(body: list[ast.stmt]) -> dict[str, str]:
    found = {}
    for setting, text in pairwise(body):
        match setting, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                found[name] = " ".join(words.split())
    return found


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page())
