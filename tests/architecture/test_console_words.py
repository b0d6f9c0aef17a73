"""What the server says of a crontab, and of a store, is said in Chinese too."""

import re
from pathlib import Path

from mainspring.domain.cluster.invariants import INVARIANTS
from mainspring.domain.imports.crontab import LEFT_OUT, OF_ALL, TZ_SAYS, WITHOUT

PAGES = Path(__file__).parents[2] / "console" / "pages"


def test_remarks_on_crontabs_are_known_to_the_console() -> None:
    text = (PAGES / "triggers" / "words.ts").read_text()
    known = set(re.findall(r'^      "([^"]+)": "', text, re.MULTILINE))

    assert known == {*LEFT_OUT.values(), *OF_ALL, TZ_SAYS, *WITHOUT.values()}


def test_invariants_are_known_to_the_console() -> None:
    text = (PAGES / "cluster" / "words.ts").read_text()
    told = re.search(r"invariants: (\{\"live_state.*\})", text)

    assert told is not None
    assert set(re.findall(r'"(\w+)": "', told[1])) == set(INVARIANTS)
