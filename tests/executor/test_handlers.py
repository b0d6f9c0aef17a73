"""The registry: what is registered how, and what is refused."""

import abc
from collections.abc import Callable, Iterator

import pytest

from mainspring.domain.jobs.job import Pool, RetryPolicy
from mainspring.errors import ConfigError, ConflictError, InvalidInputError
from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.handlers.registry import Handlers
from mainspring.executor.process.lifespan import opened
from mainspring.executor.process.loading import load_handlers
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink
from tests.executor.trial import attempted_in


async def asleep() -> None: ...


def plain(user: int) -> None: ...


def test_async_functions_go_to_the_loop_and_others_to_threads() -> None:
    handlers = Handlers()

    assert handlers.add(asleep).pool is Pool.LOOP
    assert handlers.add(plain).pool is Pool.THREADS
    assert handlers.add(plain, name="isolated", pool=Pool.PROCESSES).pool is Pool.PROCESSES
    assert [handler.name for handler in handlers] == ["asleep", "plain", "isolated"]


def test_a_handler_describes_its_job() -> None:
    retry = RetryPolicy(attempts=3)

    spec = Handlers().add(plain, name="p", queue="mail", priority=9, retry=retry).spec

    assert (spec.name, spec.handler, spec.queue, spec.priority, spec.retry) == ("p", "p", "mail", 9, retry)
    assert b'"user"' in spec.schema


def test_pools_that_do_not_suit_the_function_are_refused() -> None:
    with pytest.raises(ConfigError, match="block the loop"):
        Handlers().add(plain, pool=Pool.LOOP)
    with pytest.raises(ConfigError, match="not on threads"):
        Handlers().add(asleep, pool=Pool.THREADS)


def test_a_name_is_given_once() -> None:
    handlers = Handlers()
    handlers.add(plain)

    with pytest.raises(ConflictError) as refused:
        handlers.add(asleep, name="plain")
    assert "registered twice, by " in str(refused.value)
    for place in (plain, asleep):
        line = place.__code__.co_firstlineno
        assert f"test_handlers.{place.__name__} ({__file__}:{line})" in str(refused.value)


def test_a_function_without_a_name_needs_one() -> None:
    with pytest.raises(ConfigError, match="give it one"):
        Handlers().add(lambda: None)

    assert Handlers().add(lambda: None, name="nothing").name == "nothing"


def test_a_bad_priority_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        Handlers().add(plain, priority=10)


def test_a_name_that_pretends_to_be_another_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="Cyrillic and Latin"):
        Handlers().add(plain, name="pl\u0430in")
    with pytest.raises(InvalidInputError, match="printable"):
        Handlers().add(plain, queue="mail\u200b")


def test_the_context_goes_where_it_was_asked_for() -> None:
    def handler(first: int, context: Context, *, last: str = "z") -> tuple[int, str, int, str]:
        return first, context.run, context.fence, last

    registered = Handlers().add(handler)
    attempt = Attempt(run_id(1), TOKEN, 3, b'{"first":1}', registered, 0.0)

    values = registered.bind(attempt, Sink())

    assert registered.call(*values) == (1, "00000000-0000-0000-0000-000000000001", 3, "z")


def test_an_app_is_found_by_module_and_name() -> None:
    assert load_handlers("tests.executor.sample").get("double") is not None
    assert load_handlers("tests.executor.sample:app").get("double") is not None
    assert load_handlers("tests.executor.sample:registry").get("double") is not None


def test_several_apps_are_served_as_one() -> None:
    handlers = load_handlers("tests.executor.sample:app tests.executor.children:app tests.executor.sample:app")

    assert handlers.get("double") is not None
    assert handlers.get("Count") is not None
    assert {"double", "Count"} <= {handler.name for handler in handlers}
    assert len(Handlers(handlers)) == len(handlers)


def test_two_apps_with_a_job_of_one_name_are_refused_with_both_places() -> None:
    one, other = Handlers(), Handlers()
    one.add(plain)
    other.add(asleep, name="plain")

    with pytest.raises(ConflictError, match=r"test_handlers.plain \(.+\) and by .+test_handlers.asleep \(.+\)"):
        Handlers(one, other)


class Mailer:
    """One instance for each process."""

    def __init__(self) -> None:
        self.sent = 0

    async def run(self, to: str, context: Context) -> str:
        self.sent += 1
        return f"{self.sent} to {to}"


async def test_a_class_has_one_instance_for_a_process() -> None:
    handlers = Handlers()
    handlers.add(Mailer)
    async with opened(handlers) as served:
        results = [(await attempted_in(served, "Mailer", to="anna")).result for _ in range(2)]
    async with opened(handlers) as served:
        again = (await attempted_in(served, "Mailer", to="anna")).result

    assert results == [b'"1 to anna"', b'"2 to anna"']
    assert again == b'"1 to anna"'


async def test_a_class_is_called_without_anything_in_between() -> None:
    handlers = Handlers()
    handlers.add(Mailer)
    async with opened(handlers) as served:
        handler = served.get("Mailer")
        assert handler is not None

        assert (handler.name, handler.pool) == ("Mailer", Pool.LOOP)
        assert handler.call.__func__ is Mailer.run  # type: ignore[attr-defined]


class Empty:
    pass


class Static:
    @staticmethod
    def run() -> None: ...


class Abstract(abc.ABC):
    def run(self) -> None:
        self.more()

    @abc.abstractmethod
    def more(self) -> None: ...


class Needy:
    def __init__(self, host: str) -> None: ...

    def run(self) -> None: ...


class Yielding:
    def run(self) -> Iterator[int]:
        yield 1


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (Empty, "Empty has no run method: write `def run(self, …)`"),
        (Static, "Static.run is not a method"),
        (Abstract, "Abstract is abstract"),
        (Needy, "Needy: nothing provides its parameter 'host'"),
        (Yielding, "Yielding.run yields, but a handler returns its result"),
        (Yielding().run, "Yielding.run yields"),
    ],
)
def test_targets_that_cannot_be_run_are_refused_with_what_to_do(target: Callable[..., object], words: str) -> None:
    handlers = Handlers()
    with pytest.raises(ConfigError) as refused:
        handlers.add(target)

    assert words in str(refused.value)
    assert len(handlers) == 0


def test_a_class_for_the_wrong_pool_is_refused_by_name() -> None:
    class Slow:
        def run(self) -> None: ...

    with pytest.raises(ConfigError, match="Slow: a plain function would block the loop; make it async or use threads"):
        Handlers().add(Slow, pool=Pool.LOOP)


@pytest.mark.parametrize("app", ["tests.executor.nowhere:app", "tests.executor.sample:nothing", "json:loads"])
def test_an_app_that_is_not_there_is_a_clear_error(app: str) -> None:
    with pytest.raises(ConfigError, match=app.split(":", maxsplit=1)[0]):
        load_handlers(app)
