"""A certificate says which plan it is of, and takes no other's place unsaid."""

from __future__ import annotations

import json

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.report.certificate_origin import certificate_folder, origin_of
from rths.run.folder import run_folder
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


def plan(**changes):
    return load(PLAN, {k.replace("__", "."): v for k, v in changes.items()})


def origin(test):
    return origin_of(test, "rig.toml", {})


def leave(folder, test):
    folder.mkdir(parents=True)
    digest = origin(test).digest
    RunDirectory(folder).certificate.write_text(json.dumps({"origin": {"digest": digest}}))


def test_the_digest_is_that_of_the_plan_alone():
    assert origin(plan()).digest == origin(plan()).digest
    assert origin(plan()).digest != origin(plan(transfer__delay=0.002)).digest


def test_another_plan_gets_another_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, other = plan(), plan(transfer__delay=0.002)
    leave(certificate_folder(first, "rig", None), first)
    assert certificate_folder(first, "rig", None).name == "rig"
    assert certificate_folder(other, "rig", None).name == "rig-2"


def test_a_certificate_stands_beside_the_run_of_its_plan_whichever_comes_first(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    first, other = (plan(clock__duration=0.1, transfer__delay=d) for d in (0.002, 0.003))
    rehearse(first, RunDirectory(run_folder(first, "rig", None, False)).record)
    assert certificate_folder(first, "rig", None).name == "rig"
    leave(certificate_folder(other, "rig", None), other)
    assert run_folder(first, "rig", None, False).name == "rig"
    assert run_folder(other, "rig", None, False).name == "rig-2"


def test_a_directory_that_was_asked_for_is_refused_unless_it_may_be_replaced(tmp_path):
    leave(tmp_path / "mine", plan())
    other = plan(transfer__delay=0.002)
    with pytest.raises(InputError, match="--overwrite"):
        certificate_folder(other, "rig", tmp_path / "mine")
    assert certificate_folder(other, "rig", tmp_path / "mine", True) == tmp_path / "mine"


def test_a_page_that_cannot_be_read_is_somebody_elses(tmp_path):
    (tmp_path / "certificate.json").write_text("{")
    with pytest.raises(InputError, match="another plan"):
        certificate_folder(plan(), "rig", tmp_path)
