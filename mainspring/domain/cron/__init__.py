"""Cron: the instants that an expression names, in a zone, also where clocks change."""

from mainspring.domain.cron.expression import Expression, parse_cron
from mainspring.domain.cron.zoned import Fold, Gap, Zoned

__all__ = ["Expression", "Fold", "Gap", "Zoned", "parse_cron"]
