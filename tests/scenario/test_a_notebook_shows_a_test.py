"""A notebook that loads, certifies, simulates, plots and makes a DataFrame, run by nbclient."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import pytest

from rths.studies.wallace2005.three_ways import PLAN

pytestmark = pytest.mark.slow
pytest.importorskip("nbclient", reason="needs nbclient")
pytest.importorskip("ipykernel", reason="needs ipykernel")

CELLS = (
    "import rths\ntest = rths.load('plan.toml', {'clock.duration': 2.0})\ntest.name",
    "rths.certify(test)",
    "record = rths.simulate(test)\nrecord",
    "record.plot()",
    "record.to_pandas().describe()",
    "outcome = rths.ensemble(test, {'transfer.delay': [0.005, 0.0094]})\noutcome.to_pandas()",
)
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], 4)
NotebookClient(book, timeout=240, kernel_name="python3").execute()
nbformat.write(book, sys.argv[1])
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Execute the notebook in a process of its own; nothing is left in the user's folders."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "plan.toml").write_text(PLAN.read_text("utf-8"), encoding="utf-8")
    cells = [
        {"cell_type": "code", "id": f"c{k}", "metadata": {}, "source": text, "outputs": [],
         "execution_count": None}
        for k, text in enumerate(CELLS)
    ]  # fmt: skip
    path = folder / "first.ipynb"
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), encoding="utf-8")
    names = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    own = {name: str(folder / name.lower()) for name in names}
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(path)],
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(path.read_text("utf-8"))["cells"]


def shown(cell):
    """What a cell shows, by its kind."""
    return {kind: text for out in cell["outputs"] for kind, text in out.get("data", {}).items()}


def test_certificate_and_record_show_themselves(book):
    assert "proved stable" in "".join(shown(book[1])["text/html"])
    assert "compensator.command" in "".join(shown(book[2])["text/html"])


def test_a_plot_is_a_picture(book):
    found = shown(book[3])
    picture = next(v for k, v in found.items() if k.startswith("image/"))
    text = "".join(picture)
    assert "<svg" in text or base64.b64decode(text)[:4] == b"\x89PNG"


def test_frames_have_labelled_columns(book):
    assert "feedback.force" in "".join(shown(book[4])["text/html"])
    assert "transfer.delay" in "".join(shown(book[5])["text/html"])


def test_no_cell_failed_or_warned(book):
    kinds = [out["output_type"] for cell in book for out in cell["outputs"]]
    assert set(kinds) <= {"execute_result", "display_data"}
