"""A test module that names its STUDY gets each target of it, the SLOW ones marked."""

from __future__ import annotations

import json
import re

import pytest

from rths.studies.page import write_page
from rths.studies.study import study
from rths.studies.target import agrees


def pytest_generate_tests(metafunc):
    if "target" in metafunc.fixturenames and hasattr(metafunc.module, "STUDY"):
        slow = getattr(metafunc.module, "SLOW", ())
        cases = [
            pytest.param(t, id=t.id, marks=[pytest.mark.slow] if t.id in slow else [])
            for t in study(metafunc.module.STUDY).targets
        ]
        metafunc.parametrize("target", cases)


def other(value):
    """Put another number in the place of each: a target that still agrees would say nothing."""
    if isinstance(value, dict):
        return {k: other(v) for k, v in value.items()}
    if isinstance(value, list):
        return [other(v) for v in value]
    return value if isinstance(value, (bool, str)) else 1.5 * value + 1.0


@pytest.fixture
def assert_met():
    """Compute a target, and say what was found if it is not met."""

    def check(target):
        result = target.result()
        shown = result.as_dict()
        assert result.ok, f"computed {shown['computed']}, wanted {shown['target']}"
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown
        wrong = other(result.computed)
        if wrong != result.computed:  # else it holds no number
            assert not agrees(wrong, target.target, target.tolerance)
        return result

    return check


@pytest.fixture
def page_of(tmp_path):
    """Write the page of a study without computing its targets; give its text and its figures."""

    def write(name):
        page = write_page(study(name), [], tmp_path)
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"""(?:src|href)=["'](?!data:)""", text)  # needs nothing else
        figures = re.findall(r'<figure id="figure-(.+?)">(.+?)</figure>', text, re.DOTALL)
        drawn = [number for number, body in figures if re.search(r"base64,[\w+/]{1000}", body)]
        return text, drawn

    return write
