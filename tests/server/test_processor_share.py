"""How much of the processor one machine may take, by a clock of the test."""

from scorekeeper.server.limited_app import MAX_BURST_S, MAX_WAIT_S, SUSTAINED_SHARE, ProcessorLimit


def test_a_machine_waits_until_its_bucket_has_leaked_enough() -> None:
    share = ProcessorLimit()
    share.add("phone", MAX_BURST_S + 10 * SUSTAINED_SHARE, now=0.0)

    assert [share.seconds_to_wait("phone", now) for now in (0.0, 9.5, 10.0)] == [10, 1, 0]
    assert share.seconds_to_wait("another", 0.0) == 0


def test_who_takes_no_more_than_its_rate_never_waits() -> None:
    share = ProcessorLimit()

    waits = []
    for second in range(1000):
        waits.append(share.seconds_to_wait("club", second))
        share.add("club", SUSTAINED_SHARE, second)

    assert not any(waits)


def test_what_was_left_alone_for_long_is_no_credit() -> None:
    share = ProcessorLimit()
    share.add("phone", 1.0, now=0.0)
    share.add("phone", MAX_BURST_S + SUSTAINED_SHARE, now=10_000.0)

    assert share.seconds_to_wait("phone", 10_000.0) == 1


def test_one_long_request_keeps_nobody_waiting_for_as_long() -> None:
    share = ProcessorLimit()
    share.add("phone", 100 * MAX_BURST_S, now=0.0)

    assert share.seconds_to_wait("phone", 0.0) == MAX_WAIT_S
