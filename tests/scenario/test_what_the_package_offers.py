"""``import rths``: what a script needs, with types, and nothing imported before it is used."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rths
from rths.errors import InputError
from rths.studies.wallace2005.three_ways import PLAN

ROOT = Path(__file__).parents[2]
SHORT = {"clock.duration": 1.0}
SCRIPT = """
from pathlib import Path

import rths

test = rths.load("plan.toml")
reveal_type(test)
text = rths.load("name = 'x'\\n[clock]\\ntick = 0.001\\n")
reveal_type(text)
tables = rths.load({"clock": {"tick": 0.001}})
reveal_type(tables)

found = rths.certify(test)
reveal_type(found)
reveal_type(found.verdict)
reveal_type(found.sentence)
reveal_type(found.may_run)

record = rths.simulate(test)
reveal_type(record)
reveal_type(record["feedback.force"])
reveal_type(record.stop)

outcome = rths.ensemble(test, {"transfer.delay": [0.005, 0.0094]})
reveal_type(outcome)
reveal_type(outcome["feedback.force"])
reveal_type(outcome.finished)

page = rths.report(record, Path("report.html"))
reveal_type(page)
reveal_type(rths.metrics(record))
reveal_type(rths.identify(record))
"""


@pytest.fixture(scope="module")
def short():
    return rths.load(PLAN, SHORT)


def test_the_version_is_the_one_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert rths.__version__ == project["version"]


def test_every_name_is_there_and_imported_only_when_used():
    for name in rths.__all__:
        assert callable(getattr(rths, name)), name
    loaded = "import sys, rths; assert not [m for m in sys.modules if m.startswith('rths.')]"
    subprocess.run([sys.executable, "-c", loaded], check=True)


def test_a_package_that_is_also_a_function_stays_a_package(short):
    from rths.metrics import metric_names
    from rths.metrics.nrmse import nrmse

    record = rths.simulate(short)
    assert callable(nrmse)
    assert set(rths.metrics(record)) >= {"rms_tracking_error"}
    assert "nrmse" in metric_names()


def test_a_plan_is_loaded_from_a_file_its_text_or_its_tables(short):
    text = PLAN.read_text("utf-8")
    tables = tomllib.loads(text)
    assert rths.dumps(rths.load(text, SHORT)) == rths.dumps(short)
    assert rths.dumps(rths.load(tables, SHORT)) == rths.dumps(short)
    assert tables == tomllib.loads(text)  # changes are made in a copy


def test_an_error_in_a_text_names_its_line():
    text = PLAN.read_text("utf-8").replace("delay = 0.0094", "delay = 94", 1)
    with pytest.raises(InputError, match=r"^plan:\d+: .*\.delay = 94"):
        rths.load(text)


def test_a_test_in_python_has_the_defaults_of_a_plan(short):
    roles = ("excitation", "structure", "integrator", "transfer", "specimen")
    made = rths.HybridTest(**{r: getattr(short, r) for r in roles}, tick=0.001, duration=1.0)
    assert (made.compensator.kind, made.feedback.kind) == ("none", "direct")
    table = tomllib.loads(rths.dumps(short))
    for left_out in ("compensator", "feedback", "limits"):
        table.pop(left_out, None)
    assert rths.load(table).compensator == made.compensator
    assert rths.load(table).feedback == made.feedback


def test_a_report_is_written_in_one_call(short, tmp_path):
    record = rths.simulate(short)
    page = rths.report([record, record], tmp_path / "pages/both.html")
    assert page.read_text("utf-8").count("1: Wallace") >= 1


def test_the_actuator_is_identified_in_one_call(short):
    record = rths.simulate(short.with_values({"compensator": rths.find("compensator", "none")()}))
    found = rths.identify(record)
    # a dead time of 9.4 ms at a tick of 1/1024 s; splines between samples are good to a hundredth
    assert found.delay.value == pytest.approx(0.0094, abs=1e-5)
    assert set(found.models) == {"delay", "first_order", "delayed_first_order", "second_order"}


def test_a_type_checker_sees_real_types(tmp_path):
    assert len(SCRIPT.strip().splitlines()) >= 30
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            str(tmp_path / "script.py"),
        ],  # shares the cache of make lint
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    # NumPy's own word for an array of any shape
    seen = re.findall(r'Revealed type is "(.*)"', done.stdout.replace("tuple[Any, ...]", "shape"))
    assert len(seen) == SCRIPT.count("reveal_type("), done.stdout
    assert not [t for t in seen if re.search(r"\bAny\b", t)], seen
    assert "error:" not in done.stdout
