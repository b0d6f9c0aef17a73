"""Requirements of an executor's labels: `gpu`, `cuda >= 12`, `zone in (eu, us)`, `!spot`."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from mainspring.domain.suggest import did_you_mean
from mainspring.errors import InvalidInputError

REQUIREMENTS_MAX, TEXT_MAX = 20, 200
NAME = r"[A-Za-z0-9][A-Za-z0-9._/-]{0,62}"
PRESENT = re.compile(rf"(!?)\s*({NAME})")
COMPARED = re.compile(rf"({NAME})\s*(==|=|!=|>=|<=|>|<)\s*([^\s()<>=!]+)")
AMONG = re.compile(rf"({NAME})\s+(in|not in)\s*\(([^()]+)\)")
WORD = re.compile(rf"{NAME}\s*([^\w\s(]+|\w+)\s*.+")
WEIGHT = re.compile(r"\d{1,4}(?:\.\d{1,3})?")
COMPARATORS = ("=", "!=", ">=", "<=", ">", "<", "in", "not in")


class Requirement(msgspec.Struct, frozen=True):
    """One comparison with a label."""

    name: str
    comparator: str
    """Empty: the label is there; `!`: it is not."""
    values: tuple[str, ...] = ()
    text: str = ""

    def met_by(self, labels: Mapping[str, str]) -> bool:
        label = labels.get(self.name)
        if self.comparator == "!":
            return label is None or label in ("", "false")
        if label is None:
            return self.comparator in ("!=", "not in")
        match self.comparator:
            case "":
                return label not in ("", "false")
            case "=":
                return equal(label, self.values[0])
            case "!=":
                return not equal(label, self.values[0])
            case "in":
                return label in self.values
            case "not in":
                return label not in self.values
        order = compare(label, self.values[0])
        return {">": order > 0, ">=": order >= 0, "<": order < 0, "<=": order <= 0}[self.comparator]


@lru_cache(maxsize=4096)
def parse_requirement(text: str, field: str = "requires") -> Requirement:
    """Raises InvalidInputError."""
    said = text.strip()
    if found := PRESENT.fullmatch(said):
        return Requirement(found[2], found[1], (), said)
    if found := AMONG.fullmatch(said):
        values = tuple(value.strip() for value in found[3].split(","))
        return Requirement(found[1], found[2], values, said)
    if found := COMPARED.fullmatch(said):
        return Requirement(found[1], "=" if found[2] == "==" else found[2], (found[3],), said)
    hint = did_you_mean(odd[1], COMPARATORS) if (odd := WORD.fullmatch(said)) else ""
    reason = f"{text!r} is no requirement, such as gpu, cuda >= 12 or zone in (eu, us){hint}"
    raise InvalidInputError(field, reason, code="bad_requirement")


def check_requirements(texts: Sequence[str], field: str) -> None:
    """Raises InvalidInputError for text that cannot be read, and for requirements that no executor can meet."""
    if len(texts) > REQUIREMENTS_MAX:
        raise InvalidInputError(field, f"{len(texts)} are more than {REQUIREMENTS_MAX}", code="bad_requirement")
    exact: dict[str, Requirement] = {}
    parsed = []
    for position, text in enumerate(texts):
        if len(text) > TEXT_MAX:
            raise InvalidInputError(f"{field}[{position}]", "is too long", code="bad_requirement")
        one = parse_requirement(text, f"{field}[{position}]")
        parsed.append(one)
        if one.comparator == "=":
            other = exact.setdefault(one.name, one)
            if other.values != one.values:
                raise contradiction(field, other, one)
    for one in parsed:
        fixed = exact.get(one.name)
        if fixed is not None and not one.met_by({one.name: fixed.values[0]}):
            raise contradiction(field, fixed, one)


def split_weight(text: str) -> tuple[str, float]:
    """`ssd * 3` as `ssd` and 3; without a number the weight is 1."""
    said, star, number = text.rpartition("*")
    if not star or not WEIGHT.fullmatch(number.strip()):
        return text, 1.0
    return said.strip(), float(number)


def check_preferences(texts: Sequence[str], field: str) -> None:
    """Raises InvalidInputError; preferences may exclude each other."""
    if len(texts) > REQUIREMENTS_MAX:
        raise InvalidInputError(field, f"{len(texts)} are more than {REQUIREMENTS_MAX}", code="bad_requirement")
    for position, text in enumerate(texts):
        check_requirements([split_weight(text)[0]], f"{field}[{position}]")


def contradiction(field: str, one: Requirement, other: Requirement) -> InvalidInputError:
    return InvalidInputError(field, f"{one.text!r} and {other.text!r} exclude each other", code="incompatible")


def unmet(texts: Sequence[str], labels: Mapping[str, str]) -> list[Requirement]:
    """The requirements that these labels do not meet."""
    return [one for one in map(parse_requirement, texts) if not one.met_by(labels)]


def equal(label: str, value: str) -> bool:
    return label == value or (numbers(label) is not None and numbers(label) == numbers(value))


def compare(label: str, value: str) -> int:
    """As versions if both are numbers with dots, otherwise as texts."""
    left, right = numbers(label), numbers(value)
    if left is not None and right is not None:
        longest = max(len(left), len(right))
        padded = [(*part, *(0,) * (longest - len(part))) for part in (left, right)]
        return (padded[0] > padded[1]) - (padded[0] < padded[1])
    return (label > value) - (label < value)


def numbers(text: str) -> tuple[int, ...] | None:
    """`12.4` as (12, 4)."""
    parts = text.split(".")
    return tuple(map(int, parts)) if all(part.isascii() and part.isdigit() for part in parts) else None
