"""A line: the runs that the same executors may take, in one order.

The claim index leads with the line, so a claim for one line never meets a run of another: a run whose handler
no executor has, or whose queue is paused, costs the others nothing, and a line is parked by not being asked for.
"""

import msgspec

ADDRESS_ANY = ""
JOB_ANY = ""


class Line(msgspec.Struct, frozen=True):
    """Namespace, queue, handler, the one executor it is addressed to (empty: any that can), and the one job it is for."""

    namespace: str
    queue: str
    handler: str
    address: str = ADDRESS_ANY
    job: str = JOB_ANY
    """Of a job with policies, or that was paused: its runs stand in lines of their own."""
