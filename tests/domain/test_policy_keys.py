"""The keys of a job's policies, against the schema of its input."""

import msgspec
import pytest

from mainspring.domain.jobs.job import JobSpec
from mainspring.domain.limits.policy import Debounce, Fair, Policy, Rate
from mainspring.domain.limits.rules import check_policy
from mainspring.domain.routing.route import Route, Strategy
from mainspring.errors import InvalidInputError

SCHEMA = msgspec.json.encode(
    {
        "type": "object",
        "properties": {
            "customer": {"type": "string"},
            "order": {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": False},
            "lines": {"type": "array"},
        },
        "additionalProperties": False,
    }
)


def checked(policy: Policy) -> None:
    check_policy(JobSpec(name="sync", handler="sync", schema=SCHEMA, policy=policy))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("custmer", "did you mean customer"),
        ("$.order.idd", "did you mean id"),
        ("order", "is an object"),
        ("lines", "is an array"),
    ],
)
def test_a_key_by_which_no_run_could_be_placed_is_refused(key: str, said: str) -> None:
    policies = {
        "policy.limit_key": Policy(at_once=1, limit_key=(key,)),
        "policy.rate.key": Policy(rate=Rate("5/s", key=key)),
        "policy.fair.key": Policy(fair=Fair(key=(key,))),
        "policy.debounce.key": Policy(debounce=Debounce(5, key=key)),
        "policy.route.key": Policy(route=Route(Strategy.HASH, key=(key,))),
    }
    for field, policy in policies.items():
        with pytest.raises(InvalidInputError, match=said) as refused:
            checked(policy)
        assert (refused.value.field, refused.value.code) == (field, "bad_key")


def test_a_key_that_the_schema_has_is_taken() -> None:
    checked(Policy(at_once=1, limit_key=("customer", "$.order.id")))
