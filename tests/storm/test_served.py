"""A storm over HTTP: the server is killed, frozen, stopped and restored, two serve one database, and disks fail."""

import resource
from pathlib import Path
from random import Random

import pytest

from tests.common.apps import postgres_database
from tests.storm import weather
from tests.storm.clustered import clustered
from tests.storm.disks import FailingDisk
from tests.storm.ladder import LadderStorm
from tests.storm.money import MoneyStorm
from tests.storm.served import Server


def blown(server: Server, posts: int, *more: str) -> None:
    """Send phones into a storm until so many posts have gone out, and all that may happen has, and look at the end."""
    sent, seed = 0, 0
    while sent < posts or not {*server.chances, *more} <= server.happened.keys():
        storm = weather.evening(server.browser, seed, phones=4, posts=50, gust=server.blow)
        sent, seed = sent + storm.steps, seed + 1
    assert server.faults() == ""


def test_a_server_that_is_killed_frozen_stopped_or_restored_loses_and_doubles_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, Random(7), {"kill": 0.03, "freeze": 0.01, "stop": 0.01, "restore": 0.025})
    try:
        blown(server, 200, "cut")
    finally:
        server.end()


@pytest.mark.club
def test_nights_on_a_server_that_is_killed_frozen_or_stopped_lose_and_double_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path, Random(7), {"kill": 0.03, "freeze": 0.03, "stop": 0.03})
    try:
        seed, acknowledged = 0, 0
        while not {*server.chances, "cut"} <= server.happened.keys():
            for night in (LadderStorm, MoneyStorm):
                storm = night.evening(server.browser, seed, phones=3, posts=40, gust=server.blow_at_night)
                acknowledged += storm.acknowledged
            seed += 1
        assert acknowledged > 0
        assert server.faults() == ""
    finally:
        server.end()


@pytest.mark.club
def test_two_processes_of_which_one_is_killed_lose_and_double_nothing(postgres_url: str, tmp_path: Path) -> None:
    with (
        postgres_database(postgres_url, "migrated") as url,
        clustered(tmp_path, Random(7), url, {"kill_one": 0.06}) as server,
    ):
        blown(server, 50)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="Only Linux fills up the disk of another process.")
@pytest.mark.parametrize(("fault", "chance"), [("full", 0.04), ("read_only", 0.02), ("locked", 0.02), ("gone", 0.06)])
def test_a_disk_that_fails_loses_nothing_and_says_what_is_not_saved(fault: str, chance: float, tmp_path: Path) -> None:
    server = FailingDisk(tmp_path, Random(7), {fault: chance})
    try:
        blown(server, 50, "said that nothing is saved")
    finally:
        server.end()
