"""The query of a list of workflow runs, without I/O."""

from typing import Unpack

from mainspring.client.options import FlowFilters
from mainspring.client.values import instant_text, refuse_unknown, words_of
from mainspring.contract.workflows.lists import WorkflowRunQuery


def flow_query(workflow: str, *, limit: int, cursor: str | None, **filters: Unpack[FlowFilters]) -> WorkflowRunQuery:
    refuse_unknown(filters, FlowFilters.__annotations__)
    return WorkflowRunQuery(
        workflow=workflow,
        state=list(words_of(filters.get("states"), "states")),
        tag=list(words_of(filters.get("tags"), "tags")),
        label=[f"{key}={value}" for key, value in filters.get("labels", {}).items()],
        key=filters.get("key"),
        since=instant_text(filters.get("since"), "since"),
        until=instant_text(filters.get("until"), "until"),
        failed_step=filters.get("failed_step"),
        waiting_for=filters.get("waiting_for"),
        limit=limit,
        cursor=cursor,
    )
