"""Takes out of what was printed whatever differs from one time to the next."""

import re
import socket

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
RULES = (
    (ID, "<id>"),
    (re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)"), "<instant>"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "http://127.0.0.1:8484"),
    (re.compile(r"(?<=[ /\"])(?:/[\w.-]+)+/\.mainspring"), ".mainspring"),
    (re.compile(rf"\b{re.escape(socket.gethostname())}\b"), "<host>"),
    (re.compile(r"\bpress-1\b|\bvm\b"), "<host>"),
    (re.compile(r'"since":"[^"]*"'), '"since":"…"'),
    (re.compile(r"\b[0-9a-f]{12}\.\d+-\d+\b"), "<event>"),
    (re.compile(r"[ \t]+"), " "),
)
LEFT_OUT = "…"
"""A line of a page that stands for any number of lines."""


def normal(text: str) -> list[str]:
    for pattern, replacement in RULES:
        text = pattern.sub(replacement, text)
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


def agrees(shown: str, printed: str) -> bool:
    """Whether that was printed, where the page may leave lines out with an ellipsis."""
    wanted = "".join(r"(?:.*\n)*" if line == LEFT_OUT else f"{re.escape(line)}\n" for line in normal(shown))
    return re.fullmatch(wanted, "".join(f"{line}\n" for line in normal(printed))) is not None


def pair_ids(shown: str, printed: str) -> dict[str, str]:
    """Which run of this time each run of the page is."""
    return dict(zip(ID.findall(shown), ID.findall(printed), strict=False))
