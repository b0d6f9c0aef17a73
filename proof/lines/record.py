"""The base of every line in the records of a trial; `proof/records.py` says what each channel is."""

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, tag_field="t", omit_defaults=True):
    """Base of all lines."""

    at: float
