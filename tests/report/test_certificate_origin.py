"""A certificate says which plan it is of, and takes no other's place unsaid."""

from __future__ import annotations

import json

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.report.certificate_origin import certificate_folder, origin_of
from rths.run.run_directory import RunDirectory
from rths.studies.wallace2005.three_ways import PLAN


def origin(**changes):
    given = {k.replace("__", "."): v for k, v in changes.items()}
    return origin_of(load(PLAN, given), "rig.toml", given)


def leave(folder, of):
    folder.mkdir(parents=True)
    RunDirectory(folder).certificate.write_text(json.dumps({"origin": {"digest": of.digest}}))


def test_the_digest_is_that_of_the_plan_alone():
    assert origin().digest == origin().digest
    assert origin().digest != origin(transfer__delay=0.002).digest


def test_another_plan_gets_another_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, other = origin(), origin(transfer__delay=0.002)
    leave(certificate_folder(first, "rig", None), first)
    assert certificate_folder(first, "rig", None).name == "rig"
    assert certificate_folder(other, "rig", None).name == "rig-2"


def test_a_directory_that_was_asked_for_is_refused_unless_it_may_be_replaced(tmp_path):
    leave(tmp_path / "mine", origin())
    other = origin(transfer__delay=0.002)
    with pytest.raises(InputError, match="--overwrite"):
        certificate_folder(other, "rig", tmp_path / "mine")
    assert certificate_folder(other, "rig", tmp_path / "mine", True) == tmp_path / "mine"


def test_a_page_that_cannot_be_read_is_somebody_elses(tmp_path):
    (tmp_path / "certificate.json").write_text("{")
    with pytest.raises(InputError, match="another plan"):
        certificate_folder(origin(), "rig", tmp_path)
