"""What applying an owner's triggers does, decided without a store."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from mainspring.domain.jobs.definition import FieldChange
from mainspring.domain.triggers.plan import Act, digest_of, plan_triggers
from mainspring.domain.triggers.spec import Cron, TriggerSpec
from mainspring.domain.triggers.trigger import Trigger
from mainspring.errors import ConflictError, InvalidInputError, StaleError

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def spec(name: str, cron: str = "@daily", **fields: Any) -> TriggerSpec:
    return TriggerSpec(name=name, job="report", when=Cron(expressions=(cron,)), **fields)


def there(*triggers: Trigger) -> dict[str, Trigger]:
    return {each.name: each for each in triggers}


def trigger(made: TriggerSpec, owner: str = "shop", applied: TriggerSpec | None = None, revision: int = 1) -> Trigger:
    was = made if owner and applied is None else applied
    return Trigger(
        id=1,
        namespace="n",
        spec=made,
        owner=owner,
        applied=was,
        revision=revision,
        created_at=NOW,
        updated_at=NOW + timedelta(hours=revision),
    )


def test_the_owner_s_triggers_become_exactly_what_is_wanted() -> None:
    present = there(trigger(spec("kept")), trigger(spec("changed")), trigger(spec("gone")))

    plan = plan_triggers(present, [spec("kept"), spec("changed", "@hourly"), spec("new")], owner="shop")

    assert {item.name: item.act for item in plan.items} == {
        "kept": Act.KEEP,
        "changed": Act.CHANGE,
        "gone": Act.REMOVE,
        "new": Act.ADD,
    }
    [changed] = plan.of(Act.CHANGE)
    assert changed.changes == [FieldChange("when.expressions", ["@daily"], ["@hourly"])]
    assert not plan.is_empty


def test_nobody_else_s_triggers_are_touched() -> None:
    present = there(trigger(spec("theirs"), owner="bank"), trigger(spec("by-hand"), owner=""))

    assert plan_triggers(present, [], owner="shop").items == []


@pytest.mark.parametrize(("owner", "words"), [("bank", "belongs to 'bank'"), ("", "was made by hand")])
def test_a_name_that_somebody_else_has_is_a_conflict_unless_it_is_adopted(owner: str, words: str) -> None:
    present, wanted = there(trigger(spec("nightly"), owner=owner)), [spec("nightly")]

    refused = plan_triggers(present, wanted, owner="shop")
    adopted = plan_triggers(present, wanted, owner="shop", adopt=True)

    assert words in refused.items[0].reason
    with pytest.raises(ConflictError, match=words) as error:
        refused.check(None)
    assert error.value.code == "trigger_owned"
    assert [(item.act, item.changes) for item in adopted.items] == [(Act.CHANGE, [FieldChange("owner", owner, "shop")])]
    adopted.check(None)


def test_what_was_edited_elsewhere_is_told_apart_from_what_code_changes() -> None:
    edited = trigger(spec("nightly", priority=9), applied=spec("nightly"), revision=2)

    [item] = plan_triggers(there(edited), [spec("nightly", "@hourly")], owner="shop").items

    assert item.drift is not None
    assert (item.drift.changes, item.drift.at) == ([FieldChange("priority", msgspec.UNSET, 9)], edited.updated_at)
    assert [change.path for change in item.changes] == ["priority", "when.expressions"]


def test_an_edit_that_code_has_caught_up_with_is_kept() -> None:
    edited = trigger(spec("nightly", "@hourly"), applied=spec("nightly"))

    assert plan_triggers(there(edited), [spec("nightly", "@hourly")], owner="shop").is_empty


def test_the_spelling_of_an_input_does_not_matter() -> None:
    one, other = (spec("nightly", input=msgspec.Raw(raw)) for raw in (b'{"a":1,"b":2}', b'{ "b": 2, "a": 1 }'))
    empty = spec("nightly", input=msgspec.Raw(b"{ }"))

    assert plan_triggers(there(trigger(one)), [other], owner="shop").is_empty
    assert plan_triggers(there(trigger(spec("nightly"))), [empty], owner="shop").is_empty
    assert digest_of(one) == digest_of(other) != digest_of(empty) == digest_of(spec("nightly"))


def test_a_plan_holds_only_for_what_it_was_based_on() -> None:
    before, wanted = trigger(spec("nightly")), [spec("nightly", "@hourly")]
    plan = plan_triggers(there(before), wanted, owner="shop")
    edited = msgspec.structs.replace(before, spec=spec("nightly", "@weekly"), revision=2)
    paused = msgspec.structs.replace(before, fired=7, next_due=NOW)

    plan.check(plan.based_on)
    plan_triggers(there(paused), wanted, owner="shop").check(plan.based_on)
    with pytest.raises(StaleError, match="have changed since it was shown"):
        plan_triggers(there(edited), wanted, owner="shop").check(plan.based_on)
    with pytest.raises(StaleError):
        plan_triggers({}, wanted, owner="shop").check(plan.based_on)


def test_two_triggers_of_one_name_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"triggers\[1\].name: 'nightly' is there twice"):
        plan_triggers({}, [spec("nightly"), spec("nightly", "@hourly")], owner="shop")


@pytest.mark.parametrize("owner", ["", " shop", "caf\u00e9", "x" * 201, "a\nb"])
def test_an_owner_is_a_word_that_can_be_seen(owner: str) -> None:
    with pytest.raises(InvalidInputError, match="owner") as refused:
        plan_triggers({}, [], owner=owner)

    assert refused.value.code == "bad_owner"
