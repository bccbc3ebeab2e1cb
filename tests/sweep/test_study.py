"""A study that cannot be used is told in one message with its file, its field and a remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from rths.errors import InputError
from rths.sweep.study import read_study
from rths.sweep.sweep import sweep

FILE = Path(__file__).with_name("study.toml")
STUDY = FILE.read_text(encoding="utf-8").replace("plan.toml", "rig.toml")
TOGETHER = '[[correlated]]\nfields = ["transfer.delay", "specimen.stiffness"]\ncorrelation = '
BACK = '[[correlated]]\nfields = ["specimen.stiffness", "transfer.delay"]\ncorrelation = '


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("transfer.delay", "transfer.dealy", "delay"),
        ("runs = 80", "runs = 81", "multiple of 4"),
        ("runs = 80", "seed = -1", "is no seed"),
        ('design = "saltelli"', 'design = "sobal"', "sobol"),
        ("compensator.command", "compensator.comand", "compensator.command"),
        ('plan = "rig.toml"', 'plan = "rg.toml"', "cannot be read"),
        ('plan = "rig.toml"', "plan = 3", "is no plan"),
        ("low = 0.005", "low = ", "TOML"),
        ("[outcomes]", "[outcome]", "outcomes"),
        ("peaks = ", "metrics = ", "is not known"),
        ("specimen.stiffness", "transfer.delay", "varies twice"),
        ("[outcomes]", "[stop]\nlost = -1\n[outcomes]", "is no rule"),
        ("[outcomes]", '[stop]\nprecision = 0.1\nof = "x"\n[outcomes]', "is no outcome"),
        ("[outcomes]", "[stop]\nlost = 0.5\n[outcomes]", "is no number of runs"),
        (
            "[outcomes]",
            '[stop]\nprecision = 0.1\nof = "certificate.verdict"\n[outcomes]\n'
            'certificate = ["verdict"]',
            "is a word",
        ),
        ("runs = 80", "runs = 2000000000000", "more than any machines"),
        ("high = 0.0094", "high = 0.0094\npoints = 1000000000000", "no number of levels"),
        ("[outcomes]", '[outcomes]\ncertificate = ["extra dely"]', "extra delay"),
        ("[outcomes]", "[[correlated]]\nfields = []\n[outcomes]", "is no correlation"),
        ("[outcomes]", f"{TOGETHER}1.5\n[outcomes]", "correlation = 1.5: is no correlation"),
        ("[outcomes]", f"{TOGETHER}nan\n[outcomes]", "correlation = nan: is no correlation"),
        ("[outcomes]", f"{TOGETHER}1.0\n[outcomes]", "correlation = 1.0: leaves but one number"),
        ("[outcomes]", f"{TOGETHER}0.9999999999\n[outcomes]", "leaves but one number"),
        ("[outcomes]", f"{TOGETHER}0.5\n{TOGETHER}0.2\n[outcomes]", "go together twice"),
        ("[outcomes]", f"{TOGETHER}0.5\n{BACK}0.2\n[outcomes]", "go together twice"),
        ("[outcomes]", f"{TOGETHER}0.5\nrho = 1\n[outcomes]", "is no correlation of two"),
        ("runs = 80", "correlated = [[1, 0.5, 0], [0.5, 1, 0]]", "is no correlation of two"),
        ("runs = 80", "runs = nan", "is no number of runs"),
        ("runs = 80", "runs = 80\nruns = 90", "study = 'runs = 90': is not valid TOML"),
        ("low = 0.005", "low = nan", "study.toml:7: variable[0].low = nan: is no number"),
        ("low = 0.005", "low = 0.01", "is no interval"),
        ("mean = 2250.0\ndeviation", "median = 0.0\nfactor", "is not lognormal"),
        ("[[variable]]", "[[variables]]", "variable"),
        ("transfer.delay", "transfer", "study.toml:6: variable[0].field = 'transfer': is a table"),
        ("specimen.stiffness", "specimen.stifness", "study.toml:10: variable[1].field"),
        ("[outcomes]", "[stop]\nprecision = 0.1\nof = 3\n[outcomes]", "stop.of = 3: is no name"),
        ("[outcomes]", f"{TOGETHER}-1\n[outcomes]", "as -0.999"),
    ],
)
def test_what_is_wrong_is_told(plan, tmp_path, old, new, words):
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        sweep(path, tmp_path / "out")
    assert words in str(error.value)
    assert not (tmp_path / "out" / "results").exists()


def test_what_is_set_by_the_command_and_varies_is_told(plan, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    with pytest.raises(InputError, match=r"^--set = 'transfer\.delay': varies in the study"):
        read_study(path, changes={"transfer.delay": 0.005})
    with pytest.raises(InputError, match=r"^--set: transfer\.dealy"):
        read_study(path, changes={"transfer.dealy": 0.005})


def test_a_study_with_a_mark_of_utf_8_is_read(plan, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8-sig")
    assert read_study(path).runs == 80


def test_a_study_that_is_no_file_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_study(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("clock.duration", "duration"),
        ("structure.masses", "structure.masses[1]"),
        ("structure.masses[1]", "structure.masses.1"),
    ],
)
def test_one_number_under_two_names_is_told(tables, one, other):
    given = {"values": [1.0, 2.0]}
    tables["variable"] = [{"field": one, **given}, {"field": other, **given}]
    with pytest.raises(InputError, match="varies already"):
        read_study(tables)


def test_two_elements_of_a_list_are_two_numbers(tables):
    names = ("structure.masses[0]", "structure.masses[1]", "structure.stiffnesses[1]")
    tables["variable"] = [{"field": name, "low": 1.0, "high": 2.0} for name in names]
    assert list(read_study(tables).paths) == list(names)
