"""Without a key a rig is spoken to on this machine only."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.hardware.wire.key_file import read_key, write_key
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.registry import find


def made(**fields):
    return find("hardware", "udp")(**{"port": 0, **fields})


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "rig.key"
    write_key(path)
    return str(path)


def test_without_a_key_a_rig_listens_on_this_machine_only(key):
    with pytest.raises(InputError, match="there is no key"):
        made(address="0.0.0.0").serve()
    for fields in ({"address": "127.0.0.1"}, {"address": "0.0.0.0", "key": key}):
        made(**fields).serve().close()


def test_without_a_key_a_loop_speaks_with_this_machine_only(key):
    with pytest.raises(InputError, match="there is no key"):
        made(address="192.0.2.1", port=9).open()  # of the addresses for documents: nobody's
    made(address="localhost", port=9).open().close()
    found = made(address="192.0.2.1", port=9, key=key).open()
    assert found.key == read_key(key) != PUBLIC
    found.close()


def test_a_key_is_random_and_its_owner_s_alone(key, tmp_path):
    assert (tmp_path / "rig.key").stat().st_mode & 0o777 == 0o600
    write_key(tmp_path / "other")
    assert read_key(key) != read_key(str(tmp_path / "other"))
    with pytest.raises(InputError, match="cannot be made"):
        write_key(tmp_path / "rig.key")  # one that is there is never overwritten


@pytest.mark.parametrize(
    ("text", "mode", "problem"),
    [
        ("0" * 32, 0o600, "not all 0"),
        ("ab" * 15, 0o600, "32 hexadecimal digits"),
        ("xy" * 16, 0o600, "32 hexadecimal digits"),
        ("ab" * 17, 0o600, "32 hexadecimal digits"),
        ("ab" * 16, 0o640, "by others"),
        ("ab" * 16, 0o604, "by others"),
        ("é" * 16, 0o600, "it is no text"),
        (None, 0, "cannot be read"),
    ],
)
def test_a_file_that_holds_no_key_or_is_open_to_others_is_refused(tmp_path, text, mode, problem):
    path = tmp_path / "key"
    if text is not None:
        path.write_text(text, encoding="utf-8")
        path.chmod(mode)
    with pytest.raises(InputError, match=problem):
        made(key=str(path)).open()


@pytest.mark.parametrize("name", ["rig.key", "", "keys/rig.key"])
def test_a_key_that_depends_on_where_a_command_is_started_is_refused(name):
    with pytest.raises(InputError, match="means the same everywhere"):
        made(key=name).open()


def test_a_key_is_in_no_representation_of_a_wire(key):
    line = made(key=key).serve()
    assert read_key(key).hex() not in repr(line)
    assert str(read_key(key)) not in repr(line)
    line.close()


@pytest.mark.parametrize("address", ["a" * 70 + ".de", "a..b", "a\0b"])
def test_a_name_that_no_machine_can_have_is_refused_by_its_field(address):
    for use in (made(address=address).open, made(address=address).serve):
        with pytest.raises(InputError, match="cannot be used") as error:
            use()
        assert error.value.field == "hardware.address"
