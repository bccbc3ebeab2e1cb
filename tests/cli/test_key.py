"""``rths key``: a key is made once."""

from __future__ import annotations

from rths.hardware.wire.key_file import read_key


def test_a_key_is_made_and_never_overwritten(rths, tmp_path):
    assert rths("key", "rig.key").status == 0
    made = read_key(str(tmp_path / "rig.key"))
    again = rths("key", "rig.key")
    assert (again.status, "cannot be made" in again.err) == (2, True)
    assert read_key(str(tmp_path / "rig.key")) == made
    assert rths("key", "no/such/rig.key").status == 2
