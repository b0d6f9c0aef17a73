"""What handlers are given beside their arguments: who makes it, how often, and what is refused before anything runs."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import msgspec
import pytest

from mainspring import INJECTED, Context, Inject, Pool
from mainspring.errors import ConfigError
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.lifespan import opened
from tests.executor.trial import attempted_in, failure, result


class Session:
    """Something that is opened and closed."""

    def __init__(self, trace: list[str] | None = None) -> None:
        self.trace = trace if trace is not None else []


def added(function: Callable[..., Any], **options: Any) -> Handlers:
    handlers = Handlers()
    handlers.add(function, **options)
    return handlers


async def test_every_form_of_provider_serves_an_async_handler() -> None:
    trace: list[str] = []

    def plain() -> str:
        return "plain"

    async def awaited() -> str:
        return "awaited"

    def around() -> Iterator[str]:
        trace.append("enter around")
        yield "around"
        trace.append("leave around")

    async def around_async() -> AsyncIterator[str]:
        trace.append("enter async")
        yield "async"
        trace.append("leave async")

    @contextmanager
    def decorated() -> Iterator[str]:
        yield "decorated"

    class Made:
        def __str__(self) -> str:
            return "class"

    async def handler(
        word: str,
        one: Annotated[str, Inject(plain)],
        two: Annotated[str, Inject(awaited)],
        *,
        three: Annotated[str, Inject(around)],
        four: Annotated[str, Inject(around_async)],
        five: Annotated[str, Inject(decorated)],
        six: Annotated[Made, Inject(Made)],
    ) -> list[str]:
        trace.append("handler")
        return [word, one, two, three, four, five, str(six)]

    assert await result(added(handler), "handler", word="w") == [
        "w", "plain", "awaited", "around", "async", "decorated", "class",
    ]  # fmt: skip
    assert trace == ["enter around", "enter async", "handler", "leave async", "leave around"]


async def test_a_plain_handler_is_given_what_plain_providers_make() -> None:
    trace: list[str] = []

    def session() -> Iterator[Session]:
        yield Session(trace)
        trace.append("closed")

    def handler(number: int, db: Annotated[Session, Inject(session)] = INJECTED, *, note: str = "n") -> list[Any]:
        db.trace.append("used")
        return [number, note]

    assert await result(added(handler), "handler", number=7) == [7, "n"]
    assert trace == ["used", "closed"]


async def test_an_attempt_has_one_of_each_and_the_next_attempt_another() -> None:
    made: list[Session] = []

    def session() -> Session:
        made.append(Session())
        return made[-1]

    def repository(db: Annotated[Session, Inject(session)]) -> Session:
        return db

    def handler(one: Annotated[Session, Inject(session)], two: Annotated[Session, Inject(repository)]) -> bool:
        return one is two

    handlers = added(handler)
    async with opened(handlers) as served:
        same = [(await attempted_in(served, "handler")).result for _ in range(2)]

    assert same == [b"true", b"true"]
    assert len(made) == 2
    assert made[0] is not made[1]


async def test_a_process_has_one_for_all_its_attempts() -> None:
    trace: list[str] = []

    async def engine() -> AsyncIterator[list[str]]:
        trace.append("open")
        yield trace
        trace.append("close")

    def session(on: Annotated[list[str], Inject(engine, scope="process")], ctx: Context) -> list[str]:
        return [*on, ctx.job]

    def handler(db: Annotated[list[str], Inject(session)], on: Annotated[Any, Inject(engine, scope="process")]) -> Any:
        return [db, on is trace]

    async with opened(added(handler)) as served:
        first, second = [(await attempted_in(served, "handler")).result for _ in range(2)]

    assert first == second == b'[["open","handler"],true]'
    assert trace == ["open", "close"]


async def test_what_a_provider_cleans_up_it_cleans_up_after_a_failure_as_well() -> None:
    seen: list[str] = []

    def session() -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            seen.append(f"rolled back: {error}")
            raise

    def handler(db: Annotated[None, Inject(session)]) -> None:
        raise ValueError("no luck")

    error, message, traceback = await failure(added(handler), "handler")

    assert (error, message, seen) == ("ValueError", "no luck", ["rolled back: no luck"])
    assert 'raise ValueError("no luck")' in traceback
    assert "composition.py" not in traceback.splitlines()[1]


async def test_a_provider_that_fails_is_the_attempt_s_failure() -> None:
    def session() -> None:
        raise ConnectionError("the database is away")

    def handler(db: Annotated[None, Inject(session)]) -> None: ...

    error, message, traceback = await failure(added(handler), "handler")

    assert (error, message) == ("ConnectionError", "the database is away")
    assert "in session" in traceback


async def test_what_is_injected_is_not_an_argument() -> None:
    def handler(word: str, db: Annotated[Session, Inject(Session)], ctx: Context = INJECTED) -> None: ...

    handler_ = added(handler).get("handler")
    assert handler_ is not None

    assert set(msgspec.json.decode(handler_.schema)["properties"]) == {"word"}
    assert handler_.signature.filled == {"db", "ctx"}


async def test_an_override_lasts_as_long_as_its_block() -> None:
    def session() -> str:
        return "real"

    def settings() -> str:
        return "of the test"

    def fake(how: Annotated[str, Inject(settings)]) -> str:
        return f"fake {how}"

    def handler(db: Annotated[str, Inject(session)]) -> str:
        return db

    handlers = added(handler)
    with handlers.override(session, fake):
        inside = await result(handlers, "handler")

    assert inside == "fake of the test"
    assert await result(handlers, "handler") == "real"


async def test_what_a_process_keeps_can_be_overridden_before_it_starts() -> None:
    def engine() -> str:
        raise ConnectionError

    def handler(db: Annotated[str, Inject(engine, "process")]) -> str:
        return db

    handlers = added(handler)
    with handlers.override(engine, lambda: "fake"):
        assert await result(handlers, "handler") == "fake"
    with pytest.raises(ConfigError, match="engine failed at the start: ConnectionError"):
        await result(handlers, "handler")


async def test_an_override_reaches_processes_that_serve_already_except_for_what_they_keep() -> None:
    def engine() -> str:
        return "engine"

    def session() -> str:
        return "real"

    def handler(on: Annotated[str, Inject(engine, "process")], db: Annotated[str, Inject(session)]) -> list[str]:
        return [on, db]

    handlers = added(handler)
    async with opened(Handlers(handlers)) as served:
        with handlers.override(session, lambda: "fake"):
            during = (await attempted_in(served, "handler")).result
        after = (await attempted_in(served, "handler")).result
        with (
            pytest.raises(ConfigError, match="engine was made when the process started: override it before that"),
            handlers.override(engine, lambda: "fake"),
        ):
            pass

    assert (during, after) == (b'["engine","fake"]', b'["engine","real"]')


def test_overriding_what_nobody_injects_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"Session is injected nowhere"), Handlers().override(Session, Session):
        pass


def test_a_handler_says_what_it_lacks_when_no_process_was_started() -> None:
    def handler(db: Annotated[Session, Inject(Session, "process")]) -> None: ...

    found = added(handler).get("handler")
    assert found is not None

    with pytest.raises(ConfigError, match="handler needs Session, which is made when a process starts"):
        found.bind(None, None)  # type: ignore[arg-type]


def one(other: "Annotated[str, Inject(two)]") -> str:
    return other


def two(other: Annotated[str, Inject(one)]) -> str:
    return other


def unfilled(url: str) -> str:
    return url


def per_attempt(ctx: Context) -> str:
    return ctx.run


async def coroutine() -> str:
    return ""


def needs_attempt(value: Annotated[str, Inject(per_attempt)]) -> str:
    return value


def circular(value: Annotated[str, Inject(one)]) -> None: ...


def missing(value: Annotated[str, Inject(unfilled)]) -> None: ...


def too_short(value: Annotated[str, Inject(needs_attempt, "process")]) -> None: ...


def context_for_process(value: Annotated[str, Inject(per_attempt, "process")]) -> None: ...


def unawaited(value: Annotated[str, Inject(coroutine)]) -> None: ...


def two_scopes(a: Annotated[Session, Inject(Session)], b: Annotated[Session, Inject(Session, "process")]) -> None: ...


def unmarked(value: Session = INJECTED) -> None: ...


def marker_as_default(value: Session = Inject(Session)) -> None: ...  # type: ignore[assignment] # noqa: B008


@pytest.mark.parametrize(
    ("handler", "words"),
    [
        (circular, "one → two → one: providers need each other in a circle"),
        (missing, "unfilled: nothing provides its parameter 'url'"),
        (too_short, "cannot need per_attempt, which is made for each attempt: give that one scope='process'"),
        (context_for_process, "its 'ctx' cannot be the context"),
        (unawaited, "nothing awaits coroutine, which is async"),
        (two_scopes, "Session is injected with scope 'attempt' here and 'process' there"),
        (unmarked, "'value' does not say who makes it"),
        (marker_as_default, "'value' does not say who makes it"),
    ],
)
def test_what_could_never_be_made_is_refused_when_the_handler_is_added(handler: Callable[..., Any], words: str) -> None:
    handlers = Handlers()
    with pytest.raises(ConfigError) as refused:
        handlers.add(handler)

    assert words in str(refused.value)
    assert len(handlers) == 0


def test_two_handlers_cannot_keep_one_provider_s_value_for_different_times() -> None:
    def short(db: Annotated[Session, Inject(Session)]) -> None: ...

    def long(db: Annotated[Session, Inject(Session, "process")]) -> None: ...

    handlers = added(short)
    with pytest.raises(ConfigError, match="choose one"):
        handlers.add(long)


def test_a_marker_names_something_that_can_be_called_and_a_known_scope() -> None:
    with pytest.raises(TypeError, match="a provider is a function"):
        Inject("session")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a scope is 'attempt' or 'process'"):
        Inject(Session, "request")  # type: ignore[arg-type]


def test_what_only_an_executor_fills_in_says_so_when_the_function_is_called_in_place() -> None:
    def handler(db: Annotated[Session, Inject(Session)] = INJECTED) -> None:
        db.trace.append("x")

    with pytest.raises(AttributeError, match="only an executor fills this parameter in"):
        handler()
    assert repr(INJECTED) == "INJECTED"


def test_handlers_without_injection_are_called_as_they_are() -> None:
    def handler(number: int) -> int:
        return number

    plain = added(handler, pool=Pool.PROCESSES).get("handler")

    assert plain is not None
    assert plain.call is handler
