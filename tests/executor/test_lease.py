"""A lease counts from when its renewal was sent, and is given up before another can have it."""

from mainspring.executor.link.lease import Lease


def test_a_new_session_has_its_lease_from_the_greeting() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)

    assert not lease.lapsed(107.9)
    assert lease.lapsed(108)
    assert lease.ends == 108


def test_a_renewal_counts_from_when_it_was_sent_not_from_its_answer() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)
    seq = lease.beat(103)
    lease.renew(seq)

    assert not lease.lapsed(110.9)
    assert lease.lapsed(111)


def test_an_answer_to_an_older_beat_takes_nothing_back() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)
    older, newer = lease.beat(102), lease.beat(104)
    lease.renew(newer)
    lease.renew(older)

    assert not lease.lapsed(111.9)


def test_coming_back_is_no_renewal() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)
    lease.connect(10, sent_at=107)

    assert lease.lapsed(108)
    assert not lease.silent(111)


def test_a_connection_that_renews_nothing_is_silent() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)

    assert not lease.silent(104.9)
    assert lease.silent(105)


def test_after_giving_up_late_answers_mean_nothing() -> None:
    lease = Lease()
    lease.connect(10, sent_at=100)
    seq = lease.beat(103)
    lease.give_up()
    lease.renew(seq)

    assert not lease.held
    assert not lease.lapsed(200)
