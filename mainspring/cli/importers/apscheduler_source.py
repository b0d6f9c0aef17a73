"""Where a program adds jobs to APScheduler: calls, Flask-APScheduler's `JOBS`, or a list as JSON."""

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from mainspring.cli.importers.apscheduler_settings import dotted_last, shared_by_all
from mainspring.cli.importers.source import CalledName, Named, PythonSource, assigned, keys
from mainspring.domain.imports.found import UnfitError
from mainspring.errors import ConfigError

ADD_JOB = (
    *("func", "trigger", "args", "kwargs", "id", "name", "misfire_grace_time", "coalesce", "max_instances"),
    *("next_run_time", "jobstore", "executor", "replace_existing"),
)
SCHEDULED_JOB = ADD_JOB[1:-1]
"""Both in the order of their positions."""
LATER = frozenset({"pause_job", "resume_job", "remove_job", "modify_job", "reschedule_job", "remove_all_jobs"})
OF_JOBS = frozenset({"pause", "resume", "remove", "modify", "reschedule"})
JOB = frozenset({"func", "trigger"})


class SourceJob(msgspec.Struct, frozen=True):
    """Everything that is said of one job, or why that cannot be read."""

    line: int
    title: str
    said: dict[str, Any] = {}
    problem: str = ""


def listed(text: str, name: str, zone: str | None, local: str) -> Iterator[SourceJob]:
    if name.endswith(".json"):
        yield from from_json(text, name)
        return
    source = PythonSource(text, name)
    shared, unread = shared_by_all(source, zone, local)
    yield from (SourceJob(at.lineno, source.line_text(at), problem=problem) for at, problem in unread)
    for at in jobs_in(source):
        yield read_job(source, at, shared)
    for changed, problem in changes_in(source):
        yield SourceJob(getattr(changed, "lineno", 0), source.line_text(changed), problem=problem)


def read_job(source: PythonSource, at: ast.Call | ast.Dict, shared: dict[str, Any]) -> SourceJob:
    title = source.line_text(at)
    try:
        source.scopes.refuse_doubt(at, "is added")
        said = source.value(at)
        said = called(said) if isinstance(said, CalledName) else said
    except UnfitError as error:
        return SourceJob(at.lineno, title, problem=str(error))
    if isinstance(at, ast.Call) and dotted_last(at) == "scheduled_job":
        said.setdefault("func", decorated(source.tree, at))
    return SourceJob(at.lineno, title, {**shared, **said})


def jobs_in(source: PythonSource) -> Iterator[ast.Call | ast.Dict]:
    yield from source.calls("add_job", "scheduled_job")
    for at in ast.walk(source.tree):
        if isinstance(at, ast.Dict | ast.Call) and keys(at) >= JOB:
            yield at


def changes_in(source: PythonSource) -> Iterator[tuple[ast.AST, str]]:
    """Everything that makes other jobs of those that are added, or more."""
    for at in source.calls(*LATER):
        yield at, f"{dotted_last(at)} changes jobs while the program runs, which is not read"
    added = {
        each.name
        for each in assigned(source.tree)
        if isinstance(each.value, ast.Call) and dotted_last(each.value) == "add_job"
    }
    for at in source.calls(*OF_JOBS):
        if isinstance(at.func, ast.Attribute) and isinstance(at.func.value, ast.Name) and at.func.value.id in added:
            yield at, f"{dotted_last(at)} changes a job while the program runs, which is not read"
    for at in source.calls("start"):
        if any(each.arg == "paused" and ast.unparse(each.value) != "False" for each in at.keywords):
            yield at, "starts the scheduler paused: these jobs would not run"
    for each in assigned(source.tree):
        if each.last == "JOBS":
            yield from unread_jobs(each.value)


def unread_jobs(at: ast.expr) -> Iterator[tuple[ast.AST, str]]:
    items = at.elts if isinstance(at, ast.List | ast.Tuple) else [at]
    for item in items:
        if not keys(item) >= JOB:
            yield item, f"cannot be read without running it: {ast.unparse(item)[:80]}"


def decorated(tree: ast.AST, call: ast.Call) -> Any:
    owners = (at for at in ast.walk(tree) if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef))
    owner = next((at for at in owners if call in at.decorator_list), None)
    return None if owner is None else Named(owner.name)


def called(call: CalledName) -> dict[str, Any]:
    """The call's arguments by their names. Raises UnfitError."""
    names = ADD_JOB if call.last == "add_job" else SCHEDULED_JOB
    if len(call.args) > len(names):
        raise UnfitError(f"{call.last} takes {len(names)} arguments by position, and not {len(call.args)}")
    return {**dict(zip(names, call.args, strict=False)), **call.kwargs}


def from_json(text: str, name: str) -> Iterator[SourceJob]:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ConfigError(f"{name}: is no JSON: {error}") from None
    jobs = found.get("jobs") if isinstance(found, dict) else found
    if not isinstance(jobs, list) or not all(isinstance(each, dict) for each in jobs):
        raise ConfigError(f"{name}: is no list of jobs, each with func and trigger")
    defaults = found.get("job_defaults", {}) if isinstance(found, dict) else {}
    if not isinstance(defaults, dict):
        raise ConfigError(f"{name}: job_defaults is no object")
    for line, each in zip(lines_of(text), jobs, strict=True):
        yield SourceJob(line, str(each.get("id") or each.get("func")), {**defaults, **each})


def lines_of(text: str) -> list[int]:
    """The lines on which the jobs of a JSON list begin."""
    import yaml  # noqa: PLC0415 few commands read a file

    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if isinstance(root, yaml.MappingNode):
        root = next(value for key, value in root.value if key.value == "jobs")
    return [node.start_mark.line + 1 for node in root.value]
