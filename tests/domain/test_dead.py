"""What dead letters have in common, whatever ids, numbers and names their messages carry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.domain.runs.dead_letter import MESSAGE_MAX, Cause, cause_of, general, parse_fingerprint
from mainspring.domain.runs.run import Failure
from mainspring.errors import InvalidInputError


@pytest.mark.parametrize(
    ("message", "common"),
    [
        ("timeout after 31.5 s", "timeout after <n> s"),
        ("order 8123 of 2030-01-01T09:00:00Z is late", "order <n> of <n>T<n>Z is late"),
        ("no run 01900000-0000-7000-8000-00000000000a", "no run <id>"),
        ("KeyError: 'customer_17'", "KeyError: <text>"),
        ('unknown host "db-3"', "unknown host <text>"),
        ("can't read what isn't there", "can't read what isn't there"),
        ("[Errno 2] No such file: /var/spool/job-17/in.csv", "[Errno <n>] No such file: <path>"),
        ("cannot open C:\\Users\\anna\\a.txt", "cannot open <path>"),
        ("GET https://api.example.com/v1/orders/17?x=1 said no", "GET <url> said no"),
        ("<Order object at 0x7f359ee11d50>", "<Order object at <hex>>"),
        ("commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is bad", "commit <hex> is bad"),
        ("mail to anna.k@example.com bounced", "mail to <address> bounced"),
        ("connection to 10.0.0.7:5432 refused", "connection to <n> refused"),
        ("too\n   many\tspaces", "too many spaces"),
        ("added beef and decade", "added beef and decade"),
    ],
)
def test_particulars_are_left_out_and_words_stay(message: str, common: str) -> None:
    assert general(message) == common


def test_job_error_and_message_make_the_fingerprint() -> None:
    mine = Cause("OSError", "timeout")
    others = [Cause("OSError", "refused").fingerprint(1), Cause("ValueError", "timeout").fingerprint(1)]

    assert mine.fingerprint(1) == Cause("OSError", "timeout").fingerprint(1)
    assert mine.fingerprint(1) not in [*others, mine.fingerprint(2)]


def test_what_a_rule_ended_is_known_by_the_rule() -> None:
    assert cause_of("quarantined", None) == Cause("quarantined", "")
    assert cause_of("attempts_spent", Failure(error="OSError", message="port 80")) == Cause("OSError", "port <n>")


@given(st.text(max_size=5000))
def test_any_text_has_a_short_general_form_without_numbers(message: str) -> None:
    found = general(message)

    assert len(found) <= MESSAGE_MAX
    assert not any(character.isdecimal() for character in found)
    assert len(Cause("Error", found).fingerprint(1)) == 8


@pytest.mark.parametrize("text", ["", "xyz", "0" * 15, "0" * 17, "A" * 16])
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parse_fingerprint(text)
    assert refused.value.code == "bad_fingerprint"
