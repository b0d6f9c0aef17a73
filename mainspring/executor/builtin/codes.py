"""The meaning of an HTTP status for the run that sent the request."""

import re

from mainspring.errors import InvalidInputError

CODE = re.compile(r"([1-5])xx|([1-5][0-9]{2})(?:-([1-5][0-9]{2}))?")


class Codes:
    """A set of codes, written as `2xx`, `404` or `500-504`."""

    def __init__(self, texts: list[str], *, field: str) -> None:
        self._ranges = [parse_codes(text, field) for text in texts]

    def __contains__(self, code: int) -> bool:
        return any(code in codes for codes in self._ranges)


def parse_codes(text: str, field: str) -> range:
    found = CODE.fullmatch(text)
    if found is None:
        raise InvalidInputError(field, f"{text!r} is not a code such as 2xx, 404 or 500-504", code="bad_codes")
    if found[1]:
        return range(int(found[1]) * 100, int(found[1]) * 100 + 100)
    return range(int(found[2]), int(found[3] or found[2]) + 1)
