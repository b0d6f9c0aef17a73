"""The list of networks that are not public."""

import ipaddress

import pytest

from mainspring.domain.networks import SPECIAL_4, SPECIAL_6, inner, read_address, why_not_public

PUBLIC = [
    *("1.1.1.1", "9.255.255.255", "93.184.215.14", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1"),
    *("192.0.1.1", "192.0.3.1", "198.17.255.255", "198.20.0.1", "223.255.255.255"),
    *("2606:2800:220:1::1", "2001:200::1", "2001:4860:4860::8888", "2a00::1", "3ffe::1"),
    *("::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1"),
]

NOT_PUBLIC = {
    "loopback": ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"],
    "private": [
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.0.1",
        "fd00::1",
        "::ffff:10.0.0.1",
        "2002:a00:1::",
    ],
    "link-local": ["169.254.169.254", "fe80::1%eth0", "febf::1", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe"],
    "site-local": ["fec0::1", "feff::1"],
    "shared by a carrier": ["100.64.0.1", "100.127.255.255", "::ffff:100.64.0.1"],
    "for protocols": ["192.0.0.1", "192.0.0.171", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1ff::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "for benchmarks": ["198.18.0.1", "198.19.255.255"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1", "1::1", "e000::1"],
    "this network": ["0.0.0.0", "0.1.2.3"],
    "an IPv4 address in an old spelling": ["::127.0.0.1", "::1.1.1.1", "::", "::ffff:0:127.0.0.1"],
    "translated in a local network": ["64:ff9b:1::7f00:1", "64:ff9b:1:ffff::1"],
    "discarded": ["100::1"],
    "a dummy prefix": ["100:0:0:1::1"],
    "segment routing": ["5f00::1"],
    "a relay of 6to4": ["192.88.99.1"],
}


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_no_special_purpose_is_public(text: str) -> None:
    assert why_not_public(read_address(text)) is None


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in NOT_PUBLIC.items() for text in texts])
def test_an_address_of_a_special_purpose_is_not_public_in_any_spelling(kind: str, text: str) -> None:
    assert why_not_public(read_address(text)) == kind


@pytest.mark.parametrize("network", [*SPECIAL_4, *SPECIAL_6], ids=str)
def test_a_network_of_the_list_is_refused_from_its_first_to_its_last_address(
    network: ipaddress.IPv4Network | ipaddress.IPv6Network,
) -> None:
    assert why_not_public(network[0]) is not None
    assert why_not_public(network[-1]) is not None


@pytest.mark.parametrize("network", SPECIAL_4, ids=str)
def test_an_ipv4_network_of_the_list_is_refused_inside_every_ipv6_wrapping(network: ipaddress.IPv4Network) -> None:
    number = int(network[1] if network.num_addresses > 1 else network[0])
    wrapped = [
        ipaddress.IPv6Address(0xFFFF_0000_0000 | number),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("64:ff9b::")) | number),
        ipaddress.IPv6Address(int(ipaddress.IPv6Address("2002::")) | number << 80 | 1),
    ]

    assert [int(inner(address)) for address in wrapped] == [number] * 3
    assert None not in [why_not_public(address) for address in wrapped]


def test_no_address_is_public_here_that_this_python_calls_private() -> None:
    plain = [address for text in PUBLIC if inner(address := read_address(text)) == address]

    assert [str(address) for address in plain if address.is_private or not address.is_global] == []
