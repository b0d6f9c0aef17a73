"""Serves the approvals that steps of workflows wait for."""

from collections.abc import Sequence

import msgspec

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.paging import next_of, read_id_cursor
from mainspring.contract.operations import approvals
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.domain.waits.approval import Vote
from mainspring.store.interface import OpenApproval

router = Routes()


@router.bind(approvals.LIST_APPROVALS)
async def list_approvals(call: Call, query: approvals.ApprovalQuery) -> approvals.ApprovalPage:
    after = None if query.cursor is None else read_id_cursor(query.cursor)
    found = await call.engine.workflows.approvals.list(call.namespace, after=after, limit=query.limit)
    following = next_of(found, query.limit, lambda last: id_text(last.run))
    return approvals.ApprovalPage([show_approval(one) for one in found], following)


@router.bind(approvals.APPROVE_RUN)
async def approve_run(call: Call, identifier: str, body: approvals.ApproveBody) -> approvals.DecisionInfo:
    return await answer(call, identifier, approved=True, form=msgspec.json.encode(body.form), note=body.note)


@router.bind(approvals.REJECT_RUN)
async def reject_run(call: Call, identifier: str, body: approvals.RejectBody) -> approvals.DecisionInfo:
    return await answer(call, identifier, approved=False, form=b"{}", note=body.note)


async def answer(call: Call, identifier: str, *, approved: bool, form: bytes, note: str) -> approvals.DecisionInfo:
    run = parse_run_id(identifier)
    decided, votes = await call.engine.workflows.approvals.vote(
        call.namespace, run, actor=call.actor, approved=approved, form=form, note=note
    )
    return approvals.DecisionInfo(run=id_text(run), decided=decided, votes=show_votes(votes))


def show_approval(one: OpenApproval) -> approvals.ApprovalInfo:
    rule = one.about.rule
    return approvals.ApprovalInfo(
        run=id_text(one.run),
        workflow_run=one.about.workflow,
        step=one.about.step,
        title=rule.title,
        created_by=one.about.created_by,
        form=rule.form,
        details=msgspec.json.decode(one.about.details),
        approvers=list(rule.approvers),
        approvals=rule.approvals,
        four_eyes=rule.four_eyes,
        votes=show_votes(one.votes),
    )


def show_votes(votes: Sequence[Vote]) -> list[approvals.VoteInfo]:
    return [approvals.VoteInfo(by=vote.actor, at=vote.at, approved=vote.approved, note=vote.note) for vote in votes]
