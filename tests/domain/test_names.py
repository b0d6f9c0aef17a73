"""Names that people can tell apart, and see all of."""

import pytest

from mainspring.domain.names import check_job_name, check_queue_name, check_text
from mainspring.errors import InvalidInputError

RLO, ZERO_WIDTH, BOM, FILLER, SELECTOR = "\u202e", "\u200b", "\ufeff", "\u3164", "\ufe0f"
CYRILLIC_A, GREEK_OMICRON, FULLWIDTH_A, BOLD_A = "\u0430", "\u03bf", "\uff41", "\U0001d41a"


@pytest.mark.parametrize(
    "name",
    [
        "report",
        "shop.welcome_mail",
        "Nightly report (EU) no. 7",
        "rechnungs-prüfung",
        "отчёт",
        "αναφορά 2",
        "日次レポート",
        "report-日次",
        "보고서",
        "x" * 200,
    ],
)
def test_a_name_in_one_script_is_a_name(name: str) -> None:
    assert check_job_name(name) == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 200"),
        ("x" * 201, "1 to 200"),
        ("a\nb", "printable"),
        ("a\x00", "printable"),
        (f"gnp{RLO}exe", "printable"),
        (f"re{ZERO_WIDTH}port", "printable"),
        (f"{BOM}report", "printable"),
        ("a\ud800", "printable"),
        (f"report{FILLER}", "show nothing"),
        (f"report{SELECTOR}", "show nothing"),
        ("pru\u0308fung", "composed"),
        (" report", "space"),
        ("report ", "space"),
        (f"rep{GREEK_OMICRON}rt", "Greek and Latin"),
        (f"d{CYRILLIC_A}ta", "Cyrillic and Latin"),
        (f"{FULLWIDTH_A}bc", "stand for others"),
        (f"{BOLD_A}bc", "stand for others"),
        ("ﬁle", "stand for others"),
    ],
)
def test_a_name_that_hides_or_pretends_something_is_refused(name: str, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason) as refusal:
        check_job_name(name)
    assert (refusal.value.code, refusal.value.field) == ("bad_job", "job")


def test_a_queue_may_mix_scripts_but_hides_nothing() -> None:
    assert check_queue_name(f"d{CYRILLIC_A}ta") == f"d{CYRILLIC_A}ta"
    with pytest.raises(InvalidInputError) as refusal:
        check_queue_name(f"mail{ZERO_WIDTH}")
    assert refusal.value.code == "bad_queue"
    with pytest.raises(InvalidInputError, match="1 to 100"):
        check_queue_name("x" * 101)


def test_the_field_and_the_code_are_the_callers() -> None:
    with pytest.raises(InvalidInputError) as refusal:
        check_text("", "tags[3]", most=7, code="bad_tags")
    assert (refusal.value.field, refusal.value.reason, refusal.value.code) == (
        "tags[3]",
        "needs 1 to 7 printable characters",
        "bad_tags",
    )
