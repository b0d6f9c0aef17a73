"""What a name may look like: people must be able to tell two names apart, and see all of each.

Printable leaves out control, bidirectional, zero-width and other format characters. Scripts are told by the first word
of a character's own name; whole words in one other script stay allowed, however much they look like Latin ones.
"""

import re
import unicodedata

from mainspring.errors import InvalidInputError

JOB_MAX = 200
EXECUTOR_MAX = 200
QUEUE_MAX = 100
NOTE_MAX = 500
REASON_MAX = 500

WORD = re.compile(r"[!-~]([ -~]*[!-~])?")
"""A name of printable ASCII characters."""
LINES = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]*")
"""Text of several lines."""

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Characters that count as printable and show nothing."""

LETTERS = frozenset({"Lu", "Ll", "Lt", "Lo"})

TOGETHER = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written side by side and not mistaken for one another."""


def check_job_name(name: str, field: str = "job") -> str:
    """A name of printable characters, in one form and of one script; raises InvalidInputError."""
    code = "bad_job"
    check_text(name, field, most=JOB_MAX, code=code)
    if unicodedata.normalize("NFKC", name) != name:
        raise InvalidInputError(field, f"{name!r} has characters that stand for others: write them plainly", code=code)
    scripts = scripts_of(name)
    if len(scripts) > 1 and not scripts <= TOGETHER:
        mixed = " and ".join(sorted(script.capitalize() for script in scripts))
        raise InvalidInputError(field, f"{name!r} mixes {mixed} letters, which look alike", code=code)
    return name


def check_queue_name(name: str, field: str = "queue") -> str:
    return check_text(name, field, most=QUEUE_MAX, code="bad_queue")


def check_text(text: str, field: str, *, most: int, code: str) -> str:
    """So many printable characters, none of them invisible, in the form in which equal texts are equal."""
    if not 0 < len(text) <= most or not text.isprintable():
        raise InvalidInputError(field, f"needs 1 to {most} printable characters", code=code)
    if text.isascii():
        return check_ends(text, field, code)
    if not BLANK.isdisjoint(text):
        raise InvalidInputError(field, f"{text!r} has characters that show nothing", code=code)
    if not unicodedata.is_normalized("NFC", text):
        raise InvalidInputError(field, f"{text!r} is not in Unicode's composed form (NFC)", code=code)
    return check_ends(text, field, code)


def check_ends(text: str, field: str, code: str) -> str:
    if text[0] == " " or text[-1] == " ":
        raise InvalidInputError(field, f"{text!r} begins or ends with a space", code=code)
    return text


def scripts_of(text: str) -> set[str]:
    """The scripts of a text's letters, by the names that Unicode gives them."""
    if text.isascii():
        return set()
    letters = (char for char in text if unicodedata.category(char) in LETTERS)
    return {unicodedata.name(char, "UNKNOWN").partition(" ")[0] for char in letters}
