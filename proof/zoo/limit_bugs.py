"""Bugs in limits, lanes and parked runs: most of them are of other systems."""

from mainspring.store.acts.limits import arrivals
from mainspring.store.sqlite.hot.lanes import LaneClaim
from proof.zoo.bug import Bug
from proof.zoo.changing import requeries, rewrites

BUGS = [
    Bug(
        name="a key's limit is looked up without its attempts under way",
        origin="https://github.com/hatchet-dev/hatchet/issues/4778",
        breaks="S37: never more under way than the limit says",
        needs=frozenset({"keyed"}),
        change=rewrites(LaneClaim, "_look_into", ("max(0, limit - held)", "limit")),
    ),
    Bug(
        name="a lane's runs are started in any order",
        origin="room inferred from what is found first",
        breaks="S40: first come, first served",
        needs=frozenset({"keyed"}),
        change=requeries("lane_due", ("due_at, id", "due_at DESC, id DESC")),
    ),
    Bug(
        name="claims through one gate do not wait for each other",
        origin="https://github.com/rails/solid_queue/pull/689",
        breaks="S37: never more under way than the limit says",
        functions={"claim_gated": (("FOR NO KEY UPDATE", ""),)},
        caught_by="gate: claim x claim",
    ),
    Bug(
        name="a batch takes more than its lane has room for",
        origin="https://github.com/graphile/worker/issues/621",
        breaks="S37: never more under way than the limit says",
        functions={"claim_lanes": (("LIMIT w.room", "LIMIT wanted"),)},
        caught_by="lane: claim x claim",
    ),
    Bug(
        name="lanes are counted without a lock",
        origin="https://github.com/hatchet-dev/hatchet/issues/4778",
        breaks="S37: never more under way than the limit says",
        # A claim that takes all turns of its lanes along is alone with them, until the next turn is made.
        functions={
            "claim_lanes": (
                ("ORDER BY l.id FOR NO KEY UPDATE SKIP LOCKED", ""),
                ("WHERE c.lane = ANY (locked) AND", "WHERE false AND c.lane = ANY (locked) AND"),
            )
        },
        caught_by="lane: claim x claim of two turns",
    ),
    Bug(
        name="a run is put into a lane that is being deleted",
        origin="https://github.com/rails/solid_queue/pull/689",
        breaks="L5: every run ends",
        change=requeries("share_lanes", ("FOR KEY SHARE", ""), database="postgres"),
        caught_by="lane: arrival x prune of what rests",
    ),
    Bug(
        name="a lane that hands over nothing is not looked at again",
        origin="a run that comes between the look for it and the commit",
        breaks="L5: every run ends",
        functions={"hand_over": (("WHERE w.took < w.n", "WHERE false"),)},
        caught_by="hand-over x arrival x claim",
    ),
    Bug(
        name="attempts in bundles are not counted in their lanes",
        origin="two places for attempts under way, and a count of one",
        breaks="S37: never more under way than the limit says",
        functions={"claim_lanes": (("held := CASE WHEN counted", "held := CASE WHEN false"),)},
        caught_by="hand-over of a bundle x claim",
    ),
    Bug(
        name="two servers wait for each other over a debounced run",
        origin="found here",
        breaks="no two transactions wait for each other",
        change=rewrites(arrivals, "pending_elsewhere", ("if pending else set()", "if False else set()")),
        caught_by="debounce: arrival x claim",
    ),
    Bug(
        name="a release puts back runs that do not wait for the breaker any more",
        origin="a second place for what waits, and a release that believes it",
        breaks="S5: a run has one owner",
        change=requeries("unpark", ("AND r.state = 0 AND r.reason = 'breaker'", ""), database="postgres"),
        caught_by="park again x release",
    ),
    Bug(
        name="each server has probes of its own",
        origin="https://github.com/gunnargrosch/circuitbreaker-lambda/issues/7",
        breaks="S44: half open, at most as many calls as there are probes",
        change=requeries("lock_permits", ("FOR UPDATE OF g", ""), database="postgres"),
        caught_by="breaker: permit x permit",
    ),
    Bug(
        name="whoever hears of an open breaker begins its wait anew",
        origin="https://github.com/danielfm/pybreaker/issues/24",
        breaks="S44: every change of a breaker is decided once",
        change=requeries("lock_breaker", ("FOR UPDATE", ""), database="postgres"),
        caught_by="breaker: open x open",
    ),
    Bug(
        name="who asks in the epoch before takes permits of the wave that follows",
        origin="found here",
        breaks="S44: permits are good for one epoch",
        change=requeries("lock_permits", ("FOR SHARE", ""), database="postgres"),
        caught_by="breaker: permit x close",
    ),
]
