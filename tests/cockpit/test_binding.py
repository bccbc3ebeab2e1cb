"""Beyond this machine only with a token and TLS."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from rths.cockpit.binding import Binding
from rths.errors import InputError
from rths.hardware.wire.key_file import write_key


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_this_machine_needs_nothing(address):
    assert Binding(address).is_loopback


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.7", "10.0.0.1"])
def test_others_need_a_token_and_tls(address):
    with pytest.raises(InputError, match="need a token"):
        Binding(address)
    with pytest.raises(InputError, match="in the clear"):
        Binding(address, token=Path("t"))
    with pytest.raises(InputError, match="need a token"):
        Binding(address, certificate=Path("c"), certificate_key=Path("k"))
    Binding(address, token=Path("t"), certificate=Path("c"), certificate_key=Path("k"))


def test_a_browser_is_told_where_to_go():
    assert Binding("::1").url(1) == "http://[::1]:1/"
    given = {"token": Path("t"), "certificate": Path("c"), "certificate_key": Path("k")}
    assert Binding("0.0.0.0", **given).url(1) == f"https://{socket.gethostname()}:1/"


def test_the_usual_port_is_not_named_by_a_browser():
    assert {"localhost", "localhost:80"} <= Binding().hosts(80)
    assert "localhost" not in Binding().hosts(443)
    assert "localhost" in Binding(certificate=Path("c"), certificate_key=Path("k")).hosts(443)


@pytest.mark.parametrize("address", ["", "example.org", "127.0.0.1.evil", "256.1.1.1"])
def test_a_name_is_no_address(address):
    with pytest.raises(InputError, match="no IP address"):
        Binding(address)


def test_a_token_is_a_file_of_its_owner(tmp_path):
    path = tmp_path / "key"
    write_key(path)
    assert Binding(token=path).read_token() == path.read_text().strip()
    path.chmod(0o644)
    with pytest.raises(InputError, match=r"--token.*by others"):
        Binding(token=path).read_token()


def test_a_certificate_that_is_none_is_refused_before_anybody_waits(tmp_path):
    for name in ("c", "k"):
        (tmp_path / name).write_text("nothing")
    with pytest.raises(InputError, match="--certificate"):
        Binding(certificate=tmp_path / "c", certificate_key=tmp_path / "k").check_certificate()
    with pytest.raises(InputError, match="half of a pair"):
        Binding(certificate=tmp_path / "c")


def test_a_port_that_is_taken_is_said_or_another_is_found():
    with Binding(port=0).listen() as first:
        port = first.getsockname()[1]
        with pytest.raises(InputError, match=r"--port.*not free"):
            Binding(port=port).listen()
    with Binding().listen() as second, Binding().listen() as third:
        assert second.getsockname()[1] != third.getsockname()[1]


def test_the_command_refuses_with_a_remedy(rths):
    found = rths("cockpit", "--address", "0.0.0.0")
    assert found.status == 2
    assert "rths key" in found.err
    assert "Traceback" not in found.err


def test_without_the_extra_the_command_says_what_to_install(rths, monkeypatch):
    monkeypatch.setattr("rths.cockpit.companion.find_spec", lambda name: None)
    found = rths("cockpit")
    assert (found.status, "pip install 'rths[cockpit]'" in found.err) == (2, True)
