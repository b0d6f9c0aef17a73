"""The registry: what is registered how, and what is refused."""

import pytest

from mainspring.domain.job import Pool, RetryPolicy
from mainspring.errors import ConfigError, ConflictError, InvalidInputError
from mainspring.executor.attempt import Attempt
from mainspring.executor.context import Context
from mainspring.executor.handlers import Handlers
from mainspring.executor.loading import load_handlers
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink


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

    with pytest.raises(ConflictError, match="registered twice"):
        handlers.add(asleep, name="plain")


def test_a_function_without_a_name_needs_one() -> None:
    with pytest.raises(ConfigError, match="give it one"):
        Handlers().add(lambda: None)

    assert Handlers().add(lambda: None, name="nothing").name == "nothing"


def test_a_bad_priority_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        Handlers().add(plain, priority=10)


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


@pytest.mark.parametrize("app", ["tests.executor.nowhere:app", "tests.executor.sample:nothing", "json:loads"])
def test_an_app_that_is_not_there_is_a_clear_error(app: str) -> None:
    with pytest.raises(ConfigError, match=app.split(":", maxsplit=1)[0]):
        load_handlers(app)
