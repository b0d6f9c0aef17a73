"""An executor that lies in every field of every message: the server stays, and nothing of others changes."""

import pytest

from mainspring.domain.ids import RunId
from mainspring.wire import messages
from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_executor
from mainspring.wire.messages import FromServer, Refused, Welcome
from tests.hostile.lies import MESSAGES, Own, honest, lies_about, lying, places_of
from tests.hostile.stage import BLUE, RED, Stage

NOBODY = Own(b"r" * 16, b"t" * 16, b"s" * 16, b"x" * 32, BLUE)
SAID = [tag for tag in MESSAGES if tag not in ("hello", "goodbye")]


def test_every_message_is_from_an_executor_or_from_a_server() -> None:
    defined = {kind for kind in vars(messages).values() if isinstance(kind, type) and issubclass(kind, Message)}

    assert defined - {Message} == {*MESSAGES.values(), *FromServer.__args__}


@pytest.mark.parametrize("tag", MESSAGES)
def test_there_is_a_lie_for_every_field_of_a_message(tag: str) -> None:
    message = MESSAGES[tag]
    places = places_of(message)
    fields = {place.path[0] for place in places}

    assert fields == set(range(1, len(message.__struct_fields__) + 1))
    assert all(lies_about(place, NOBODY, message) for place in places)


@pytest.mark.parametrize("tag", MESSAGES)
def test_a_message_without_a_lie_is_understood(tag: str) -> None:
    said = lying(MESSAGES[tag], NOBODY, (0,), tag)

    assert [type(each) for each in decode_from_executor(said)] == [MESSAGES[tag]]


@pytest.mark.parametrize("tag", SAID)
async def test_a_lie_in_any_field_disturbs_nobody(stage: Stage, tag: str) -> None:
    message = MESSAGES[tag]
    for place in places_of(message):
        owns = await stage.attempts(len(lies_about(place, NOBODY, message)))
        for own, lie in zip(owns, lies_about(place, owns[0], message), strict=True):
            await stage.say(lying(message, own, place.path, lie))
        await stage.work()
        await stage.assert_all_is_well(*(RunId(own.run) for own in owns))

    await stage.assert_all_can_be_read(RunId(own.run) for own in owns)
    await stage.assert_the_victim_works()


async def test_a_lie_in_any_field_of_a_hello_is_refused_or_understood(stage: Stage) -> None:
    message = MESSAGES["hello"]
    for place in places_of(message):
        for lie in lies_about(place, NOBODY, message):
            fresh = NOBODY._replace(session=stage.scene.ids.session())
            answer = await stage.greet(lying(message, fresh, place.path, lie))
            assert isinstance(answer, Welcome | Refused), (place.label, lie)
        await stage.work()
        await stage.assert_all_is_well()

    await stage.assert_all_can_be_read([])
    await stage.assert_the_victim_works()


@pytest.mark.parametrize("namespace", [RED, BLUE])
async def test_a_hello_with_the_session_of_another_is_refused(stage: Stage, namespace: str) -> None:
    for secret in (bytes(32), stage.liar.secret):
        thief = stage.of_victim()._replace(namespace=namespace, secret=secret)
        answer = await stage.greet(lying(MESSAGES["hello"], thief, (0,), "hello"))

        assert isinstance(answer, Refused)
        assert answer.code == "session_dead"
    await stage.assert_all_is_well()
    await stage.assert_the_victim_works()


@pytest.mark.parametrize("tag", [tag for tag in MESSAGES if tag != "hello"])
async def test_the_truth_about_an_attempt_of_another_changes_nothing(stage: Stage, tag: str) -> None:
    """With the very token that it has, as an executor would know it whose runs the same claim took."""
    said = honest(MESSAGES[tag], stage.of_victim())
    await stage.say(lying(MESSAGES[tag], stage.of_victim(), (0,), said[0]), again=False)
    await stage.work()

    await stage.assert_all_is_well()
    await stage.assert_the_victim_works()
