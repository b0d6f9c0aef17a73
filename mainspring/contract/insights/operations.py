"""Operations of overviews and histograms, and their queries."""

from typing import Annotated

import msgspec

from mainspring.contract.base.operation import Operation, Query
from mainspring.contract.insights.views import OverviewInfo, RunHistogram
from mainspring.domain.access.permissions import Permission
from mainspring.domain.runs.query import QUERY_MAX

STEPS_MAX = 200


class HistogramQuery(Query):
    q: Annotated[
        str, msgspec.Meta(max_length=QUERY_MAX, description="As in the list of runs; without since: the last hour.")
    ] = ""
    steps: Annotated[int, msgspec.Meta(ge=1, le=STEPS_MAX, description="At most so many steps.")] = 60


GET_OVERVIEW = Operation(
    "get_overview",
    "GET /api/v1/overview",
    Permission.RUNS_READ,
    "Get a namespace as it stands: findings, totals, rates, late queues, failures, next fires and open approvals.",
    OverviewInfo,
    tag="insights",
)
GET_HISTOGRAM = Operation(
    "get_histogram",
    "GET /api/v1/runs/histogram",
    Permission.RUNS_READ,
    "Count the runs that match a query by time: from roll-ups where they have the answer, else the newest 500.",
    RunHistogram,
    query=HistogramQuery,
    tag="insights",
)
