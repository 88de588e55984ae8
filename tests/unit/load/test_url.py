# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
import pytest

from workbench.errors import InvalidArgumentError
from workbench.load.url import parse_address


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://host:9000", "http://host:9000"),
        ("http://host/", "http://host:8000"),
        ("host:9000", "http://host:9000"),
        ("grpc://host", "grpc://host:8001"),
        ("http://[::1]:9000", "http://[::1]:9000"),
    ],
)
def test_an_address_has_a_protocol_a_host_and_a_port(url, address):
    assert str(parse_address(url)) == address


@pytest.mark.parametrize("url", ["ftp://host", "http://", "http://host:port", "http://host:8000/v2", "https://host"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InvalidArgumentError):
        parse_address(url)
