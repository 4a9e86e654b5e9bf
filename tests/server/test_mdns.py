"""The server's name on the network: announced on loopback only, so that nothing leaves this machine."""

import io
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from threading import Event

import pytest
from flask import Flask
from zeroconf import AddressResolver, IPVersion, Zeroconf  # type: ignore[attr-defined]

from scorekeeper.server import mdns
from scorekeeper.server.mdns import announce_server, private_address
from scorekeeper.server.server import announce_name, print_urls
from tests.common.threads import in_thread

HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
"""Two machines of a network, both of them this one."""
PATIENCE = 20.0


@pytest.fixture
def name(monkeypatch: pytest.MonkeyPatch) -> str:
    """Let servers look often and take a name that no other test has at the same time, and return that."""
    monkeypatch.setattr(mdns, "CHECK_INTERVAL_S", 0.05)
    monkeypatch.setattr(mdns, "BASE_NAME", f"pitch{secrets.token_hex(4)}")
    return mdns.BASE_NAME


@contextmanager
def asking() -> Iterator[Callable[..., None]]:
    """Query the network, as a phone does that has just joined, until a name resolves to these addresses."""
    with in_thread(lambda: Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)) as phone:

        def expect(host: str, *wanted: str) -> None:
            found, end = None, time.monotonic() + PATIENCE
            while found != [*wanted]:
                assert time.monotonic() < end, f"{found} instead of {wanted}"
                resolver = AddressResolver(f"{host}.")
                in_thread(partial(resolver.request, phone, 1000))
                found = resolver.parsed_addresses()

        yield expect


def test_a_phone_finds_the_server_by_name(name: str) -> None:
    with announce_server(lambda: HERE, 8000) as host, asking() as expect:
        assert host == f"{name}.local"
        expect(host, HERE)


def test_a_name_that_another_machine_has_is_left_to_it(name: str) -> None:
    with announce_server(lambda: HERE, 8000) as first, asking() as expect:
        expect(first, HERE)
        with announce_server(lambda: ELSEWHERE, 8000) as second:
            assert second == f"{name}-2.local"
            expect(second, ELSEWHERE)
            expect(first, HERE)


def test_the_name_follows_the_address(name: str) -> None:
    now = [HERE]
    with announce_server(lambda: now[0], 8000) as host:
        with asking() as expect:
            expect(host, HERE)

        now[0] = ELSEWHERE

        with asking() as expect:
            expect(host, ELSEWHERE)


@pytest.mark.parametrize("now", [[None], []])
def test_a_machine_that_comes_onto_a_network_later_is_announced_then(name: str, now: list[str | None]) -> None:
    with announce_server(lambda: now[0], 8000) as host, asking() as expect:
        assert host == ""

        now[:] = [HERE]

        expect(f"{name}.local", HERE)


def test_a_server_that_stops_is_no_longer_found(name: str) -> None:
    with announce_server(lambda: HERE, 8000) as host, asking() as expect:
        expect(host, HERE)
    with asking() as expect:
        expect(host)


def test_where_the_network_refuses_there_is_no_name_and_the_server_starts(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.Zeroconf", refused)

    with announce_server(lambda: HERE, 8000) as host:
        assert host == ""


def test_a_network_that_does_not_answer_holds_nothing_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "NAME_TIMEOUT_S", 0.01)
    monkeypatch.setattr(mdns, "WITHDRAWAL_TIMEOUT_S", 0.01)
    silent = Event()

    def find() -> None:
        silent.wait(PATIENCE)

    with announce_server(find, 8000) as host:
        assert host == ""
    assert not silent.is_set()
    silent.set()


PRIVATE = ("192.168.1.5", "10.0.0.7", "172.16.3.4", "169.254.7.7")
OTHER = ("203.0.114.9", "127.0.0.1", "::1", "fd00::5", "pitch.example")


@pytest.mark.parametrize("address", [*PRIVATE, *OTHER])
def test_only_a_private_address_has_a_name(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.server.mdns.lan_address", lambda: address)

    assert private_address("0.0.0.0") == private_address(address) == (address if address in PRIVATE else None)


@pytest.mark.parametrize(
    ("config", "address"),
    [
        ({}, "192.168.1.5"),
        ({"PUBLIC_URL": "https://pitch.example"}, ""),
        ({"MDNS": False}, ""),
        ({"HOST": "127.0.0.1"}, ""),
        ({"HOST": "203.0.114.9"}, ""),
    ],
    ids=["at home", "behind a proxy", "switched off", "this machine only", "public"],
)
def test_only_at_home_the_address_on_the_network_is_announced(
    app: Flask, config: dict[str, object], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.server.server.announce_server", lambda find, _port: nullcontext(find()))
    monkeypatch.setattr("scorekeeper.server.mdns.lan_address", lambda: "192.168.1.5")
    app.config.update({"HOST": "0.0.0.0", **config})

    with announce_name(app, 8000) as found:
        assert found == address


def test_the_name_is_printed_beside_the_number_of_which_the_code_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.server.network.lan_address", lambda: "192.168.1.5")
    with_name, without = io.StringIO(), io.StringIO()

    print_urls("0.0.0.0", 8000, "", with_name, "pitch.local")
    print_urls("0.0.0.0", 8000, "", without)

    assert "http://pitch.local:8000/" in with_name.getvalue()
    assert [line for line in with_name.getvalue().splitlines() if "pitch.local" not in line] == (
        without.getvalue().splitlines()
    )
